//! `loatune weights --explain` with the real binary.

use crate::support::binary::Place;

#[test]
fn weights_are_explained_in_per_cent_and_in_pieces() {
    let place = Place::new();
    let found = place.json(&["-q", "weights", "--explain", "--json"]);
    assert_eq!(
        (&found["name"], &found["games"]),
        (&"default".into(), &32.into())
    );
    let features = found["features"].as_array().unwrap();
    let share = |one: &serde_json::Value| one["share"].as_f64().unwrap();
    let sum: f64 = features.iter().map(share).sum();
    assert!((sum - 1.0).abs() < 1e-9, "{found}");
    assert_eq!(features.len(), loatune::eval::features::FEATURES);
    let centre = features.iter().find(|one| one["gene"] == "mobility_centre");
    assert_eq!(share(centre.unwrap()), 0.0);
    assert!(found["positions"].as_u64().unwrap() > 100);
    // The same question has the same answer.
    assert_eq!(found, place.json(&["-q", "weights", "--explain", "--json"]));
    let text = place.good(&["-q", "weights", "--explain"]);
    assert!(text.starts_with("default (learned from "), "{text}");
    assert!(
        text.contains("A piece is worth ") && text.contains(" %  "),
        "{text}"
    );
}
