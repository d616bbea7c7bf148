//! The bench: what the engine does, as one number.

use crate::support::binary::Place;
use loatune::search::signature::{POSITIONS, SIGNATURE, run};

#[test]
fn the_signature_is_pinned() {
    let lines: Vec<_> = POSITIONS
        .iter()
        .map(|&(position, depth)| run(position, depth))
        .collect();
    let nodes: u64 = lines.iter().map(|line| line.nodes).sum();
    assert_eq!(
        nodes, SIGNATURE,
        "the engine behaves differently: {lines:#?}"
    );
}

#[test]
fn a_position_gives_the_same_on_every_thread() {
    let (position, depth) = POSITIONS[12];
    let alone = run(position, depth);
    let others: Vec<_> = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..4)
            .map(|_| scope.spawn(|| run(position, depth)))
            .collect();
        threads
            .into_iter()
            .map(|thread| thread.join().unwrap())
            .collect()
    });
    assert!(others.iter().all(|line| *line == alone));
}

#[test]
fn the_command_prints_what_the_library_counts() {
    let json = Place::new().json(&["bench", "--json"]);
    assert_eq!(json["nodes"], SIGNATURE);
    let positions = json["positions"].as_array().unwrap();
    assert_eq!(positions.len(), POSITIONS.len());
    for (row, (position, depth)) in positions.iter().zip(POSITIONS) {
        assert_eq!(row["position"], position);
        assert_eq!(row["depth"], depth);
        assert!(row["nodes"].is_u64() && row["value"].is_i64() && row["best"].is_string());
    }
    assert!(json["seconds"].as_f64().unwrap() > 0.0);
    assert!(json["nodes_per_second"].as_u64().unwrap() > 0);
}

#[test]
fn the_players_are_compared_by_depth() {
    let json = Place::new().json(&["bench", "--players", "--depth", "3", "--json"]);
    let nodes = |player: &str, depth: u64| {
        let rows = json["players"].as_array().unwrap();
        let found = rows
            .iter()
            .find(|row| row["player"] == player && row["depth"] == depth);
        found.unwrap()["nodes"].as_u64().unwrap()
    };
    assert_eq!(nodes("minimax", 3), nodes("negamax", 3));
    assert!(nodes("alphabeta", 3) * 5 < nodes("negamax", 3));
    assert!(nodes("memory", 3) < nodes("alphabeta", 3));
    assert!(nodes("mtdf", 3) < nodes("alphabeta", 3));

    // Beyond the limit a player is left out.
    let args = ["bench", "--players", "--depth", "2", "--node-limit", "5000"];
    let text = Place::new().good(&args);
    let last = text.lines().last().unwrap();
    assert_eq!(last.split_whitespace().nth(1), Some("-"), "{text}");
}
