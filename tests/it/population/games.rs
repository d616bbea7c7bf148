//! The games of a population, written for other tools.

use std::collections::BTreeMap;
use std::fs;

use loatune::eval::{Evaluator, Weights};
use loatune::game::Rules;
use loatune::notation::{parse_position, parse_sgf};

use super::{NAME, directory, place, stderr};

#[test]
fn all_games_as_sgf() {
    let place = place();
    let said = place.json(&["games", "-o", "games.sgf", "--json"]);
    assert_eq!(said["games"], 200, "{said}");
    assert_eq!(said["format"], "sgf");
    let text = fs::read_to_string(place.path().join("games.sgf")).unwrap();
    let games = parse_sgf(&text, &Rules::default()).unwrap();
    assert_eq!(games.len(), 200);
    let plies: usize = games.iter().map(|game| game.game.played().len()).sum();
    assert_eq!(said["positions"], plies as u64);

    // A part of them, to standard output.
    let part = place.good(&["games", "--from", "4", "--to", "6"]);
    let part = parse_sgf(&part, &Rules::default()).unwrap();
    assert_eq!(part.len(), 3);
    for (part, whole) in part.iter().zip(&games[3..]) {
        assert_eq!(part.game.played(), whole.game.played());
        assert_eq!(part.players, whole.players);
    }
    let all = place.good(&["games", "--from", "199", "--to", "100000"]);
    assert_eq!(parse_sgf(&all, &Rules::default()).unwrap().len(), 2);
}

#[test]
fn all_positions_as_a_table() {
    let place = place();
    let said = place.json(&["games", "-o", "p.csv", "--json"]);
    let text = fs::read_to_string(place.path().join("p.csv")).unwrap();
    let mut lines = text.lines();
    let names: Vec<&str> = lines.next().unwrap().split(',').collect();
    let rows: Vec<BTreeMap<&str, &str>> = lines
        .map(|line| names.iter().copied().zip(line.split(',')).collect())
        .collect();
    assert_eq!(said["positions"], rows.len() as u64);
    let number = |row: &BTreeMap<&str, &str>, name: &str| -> f64 { row[name].parse().unwrap() };
    let evaluator = Evaluator::new(&Weights::source());
    let mut values = 0;
    for row in &rows {
        let board = parse_position(row["position"]).unwrap();
        assert_eq!(row["turn"], board.turn().letter().to_string());
        assert_eq!(
            row["match"],
            ((number(row, "game") - 1.0) / 2.0).floor().to_string()
        );
        // What the table says adds up to the value.
        let trace = evaluator.trace(&board, 0);
        let sum: f64 = trace
            .terms
            .iter()
            .map(|term| {
                let [own, other] = ["own", "other"]
                    .map(|whose| number(row, &format!("{whose}_{}", term.gene.name)));
                term.weight * (own - other) / 8.0
            })
            .sum();
        assert_eq!(sum as i32, trace.value, "{row:?}");
        values += usize::from(!row["value"].is_empty());
        assert!(["-1", "0", "1"].contains(&row["outcome"]));
    }
    assert!(values > 0, "winners' last values are stored");
    for pair in rows
        .windows(2)
        .filter(|pair| pair[0]["game"] == pair[1]["game"])
    {
        let ply = |row| number(row, "ply");
        assert_eq!(ply(&pair[1]), ply(&pair[0]) + 1.0);
        assert_eq!(number(&pair[0], "outcome"), -number(&pair[1], "outcome"));
        assert_eq!(pair[0]["own_file"], pair[1]["other_file"]);
        let board = parse_position(pair[0]["position"]).unwrap();
        let played = board
            .moves()
            .iter()
            .copied()
            .find(|mv| mv.to_string() == pair[0]["move"]);
        let next = board.play(played.expect("the move is legal"));
        assert!(next.same_position(&parse_position(pair[1]["position"]).unwrap()));
    }
    let valued = rows.iter().filter(|row| !row["value"].is_empty());
    assert!(
        valued
            .clone()
            .all(|row| row["outcome"] == "1" && row["opening"] == "0")
    );
}

#[test]
fn what_cannot_be_written_is_refused() {
    let place = place();
    let message = place.refused(&["games", "--from", "7", "--to", "3"]);
    assert!(message.contains("--from 7 --to 3"), "{message}");
    let message = place.refused(&["games", "--from", "201"]);
    assert!(message.contains("has 200 games"), "{message}");
    let message = place.refused(&["games", "-p", "nobody"]);
    assert!(message.contains("no population"), "{message}");
    fs::write(place.path().join("old.sgf"), "old").unwrap();
    let message = place.refused(&["games", "-o", "old.sgf"]);
    assert!(message.contains("--force overwrites it"), "{message}");
    place.good(&["games", "-o", "old.sgf", "--force"]);
    assert_ne!(
        fs::read_to_string(place.path().join("old.sgf")).unwrap(),
        "old"
    );
    assert_eq!(place.run(&["games", "--json"]).status.code(), Some(2));
}

/// A population whose journal is damaged still has its games.
#[test]
fn games_of_a_damaged_population() {
    let place = place();
    let whole = place.good(&["games"]);
    let journal = directory(&place).join("journal");
    let mut bytes = fs::read(&journal).unwrap();
    let middle = bytes.len() / 4;
    bytes[middle] ^= 0x20;
    fs::write(&journal, &bytes).unwrap();
    let output = place.run(&["games", "-p", NAME]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert_eq!(String::from_utf8(output.stdout).unwrap(), whole);
    assert_eq!(fs::read(&journal).unwrap(), bytes);
}

#[test]
fn weights_are_learned_from_the_last_games() {
    let place = place();
    let fit = |last: &str, file: &str| {
        place.json(&[
            "-q",
            "fit",
            "--population",
            NAME,
            "--last",
            last,
            "-o",
            file,
            "--json",
            "--hole-penalty",
            "1",
            "--spread-power",
            "1",
            "--mobility-power",
            "1",
        ])
    };
    let all = fit("1000", "all.toml");
    assert_eq!(all["games"], 200, "{all}");
    assert_eq!(all["source"], "the last 200 games of the population mine");
    let few = fit("60", "few.toml");
    assert_eq!(few["games"], 60, "{few}");
    assert_ne!(all["weights"]["weights"], few["weights"]["weights"]);
    // The same games as SGF teach the same: their comments tell the openings.
    place.json(&["games", "-o", "games.sgf", "--json"]);
    let sgf = place.json(&[
        "-q",
        "fit",
        "--games",
        "games.sgf",
        "-o",
        "sgf.toml",
        "--json",
        "--hole-penalty",
        "1",
        "--spread-power",
        "1",
        "--mobility-power",
        "1",
        "--opening-plies",
        "1",
    ]);
    assert_eq!(sgf["weights"]["weights"], all["weights"]["weights"]);
    assert_eq!(sgf["held_out"], all["held_out"]);
}
