//! The experiments of the repository are listed, and the tables of those that have
//! been played are made from their results in `experiments/results/`.

use std::fs;
use std::path::Path;

use loatune::util::numbers::thousands;
use serde_json::Value;

use super::made_table::{check, results, signed};
use super::markdown::{ROOT, read};

const DOCUMENT: &str = "docs/experiments.md";

/// The names of the files in a directory of the repository with this ending, without it.
fn stems(directory: &str, ending: &str) -> Vec<String> {
    let entries = fs::read_dir(Path::new(ROOT).join(directory));
    let names = entries.into_iter().flatten().map(|entry| {
        let name = entry.unwrap().file_name();
        name.into_string().unwrap()
    });
    let mut stems: Vec<String> = names
        .filter_map(|name| Some(name.strip_suffix(ending)?.to_owned()))
        .collect();
    stems.sort();
    stems
}

/// Every experiment is listed in the document, and nothing else.
#[test]
fn the_experiments_are_listed() {
    let text = read(DOCUMENT);
    let names = stems("experiments", ".toml");
    assert!(names.len() > 10, "{names:?}");
    for name in &names {
        let row = format!("| `experiments/{name}.toml` |");
        assert!(text.contains(&row), "{DOCUMENT} has no row {row}");
    }
    assert_eq!(text.matches("| `experiments/").count(), names.len());
}

/// What has been played is shown, with its picture, as it came out and to its end.
#[test]
fn tables_are_those_of_the_results() {
    let text = read(DOCUMENT);
    for name in stems("experiments/results", ".json") {
        let path = format!("experiments/results/{name}.json");
        let played = results(&path).unwrap();
        assert_eq!(played["interrupted"], false, "{path}");
        assert_eq!(played["faults"], 0, "{path}");
        for point in points(&played) {
            assert_eq!(point["games"], played["games"], "{path}");
        }
        check(DOCUMENT, &format!("experiment {name}"), &table(&played));
        let picture = format!("../experiments/results/{name}.svg");
        assert!(
            text.contains(&picture),
            "{DOCUMENT} does not show {picture}"
        );
    }
}

fn points(played: &Value) -> &[Value] {
    played["points"].as_array().unwrap()
}

/// A row a value. One variant has its score, Elo and positions a move, several have
/// their scores side by side.
fn table(played: &Value) -> String {
    let text = |point: &Value, key: &str| point[key].as_str().unwrap().to_owned();
    let score = |point: &Value| {
        let number = |key: &str| point[key].as_f64().unwrap();
        format!("{:.1} ± {:.1} %", number("score"), number("error"))
    };
    let points = points(played);
    let first = &points[0]["series"];
    let values = points
        .iter()
        .filter(|point| point["series"] == *first)
        .count();
    let parameter = played["parameter"].as_str().unwrap();
    let mut rows = Vec::new();
    if values == points.len() {
        rows.push(
            [parameter, "score", "Elo", "nodes a move"]
                .map(str::to_owned)
                .to_vec(),
        );
        for point in points {
            let number = |key: &str| point[key].as_f64();
            let elo = match (number("elo"), number("elo_error")) {
                (Some(elo), Some(error)) => format!("{} ± {error:.0}", signed(elo)),
                _ => String::from("–"),
            };
            let nodes = number("nodes_per_move").unwrap().round() as u64;
            rows.push(vec![
                text(point, "label"),
                score(point),
                elo,
                thousands(nodes),
            ]);
        }
    } else {
        let mut head = vec![parameter.to_owned()];
        head.extend(
            points
                .iter()
                .step_by(values)
                .map(|point| text(point, "series")),
        );
        rows.push(head);
        for n in 0..values {
            let mut row = vec![text(&points[n], "label")];
            row.extend(points.iter().skip(n).step_by(values).map(score));
            rows.push(row);
        }
    }
    rows.insert(1, vec![String::from("---"); rows[0].len()]);
    let lines = rows.iter().map(|row| format!("| {} |\n", row.join(" | ")));
    lines.collect()
}

#[test]
fn one_variant_has_its_elo_and_several_stand_side_by_side() {
    let point = |series: &str, label: &str, score: f64, elo: Option<f64>| {
        serde_json::json!({
            "series": series, "label": label, "score": score, "error": 6.54,
            "elo": elo, "elo_error": 48.0, "nodes_per_move": 12345.6,
        })
    };
    let one = serde_json::json!({"parameter": "C", "points": [
        point("", "0", 40.25, Some(-68.5)), point("", "0.3", 100.0, None),
    ]});
    let expected = "\
| C | score | Elo | nodes a move |
| --- | --- | --- | --- |
| 0 | 40.2 ± 6.5 % | −69 ± 48 | 12,346 |
| 0.3 | 100.0 ± 6.5 % | – | 12,346 |
";
    assert_eq!(table(&one), expected);
    let two = serde_json::json!({"parameter": "C", "points": [
        point("plain", "0", 40.0, None), point("plain", "1", 50.0, None),
        point("RAVE", "0", 60.0, None), point("RAVE", "1", 70.0, None),
    ]});
    let expected = "\
| C | plain | RAVE |
| --- | --- | --- |
| 0 | 40.0 ± 6.5 % | 60.0 ± 6.5 % |
| 1 | 50.0 ± 6.5 % | 70.0 ± 6.5 % |
";
    assert_eq!(table(&two), expected);
}
