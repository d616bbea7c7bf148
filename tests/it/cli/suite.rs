//! `loatune blunders` and `loatune suite`: the real binary, in a fresh directory.

use std::fs;

use serde_json::Value;

use crate::support::binary::Place;

/// Quick proofs.
const QUICK: [&str; 4] = ["--horizon", "4", "--solver-nodes", "300"];

/// A place with the games of two weak players.
fn with_games() -> Place {
    let place = Place::new();
    let players = ["source@mtdf:1", "random:3@mtdf:1"];
    let [a, b] = players;
    place.run(&[
        "-q",
        "match",
        a,
        b,
        "--games",
        "6",
        "--seed",
        "77",
        "--sgf",
        "games.sgf",
    ]);
    assert!(place.path().join("games.sgf").exists());
    place
}

fn read(place: &Place, name: &str) -> String {
    fs::read_to_string(place.path().join(name)).unwrap()
}

/// Looks through SGF files and says what the JSON says.
fn collect(place: &Place, games: &[&str], output: &str, more: &[&str]) -> Value {
    let mut args = vec!["blunders", "--json", "-o", output, "--games"];
    args.extend(games);
    args.extend(QUICK);
    args.extend(more);
    place.json(&args)
}

/// The text without its first part, which has the command.
fn positions(text: &str) -> &str {
    &text[text.find("[[position]]").unwrap()..]
}

#[test]
fn errors_are_collected_proved_and_scored() {
    let place = with_games();
    let found = collect(&place, &["games.sgf"], "one.toml", &["--threads", "1"]);
    let count = found["positions"].as_u64().unwrap();
    assert!(count >= 3, "{found}");
    assert_eq!((&found["games"], &found["horizon"]), (&6.into(), &4.into()));
    let kinds = found["kinds"].as_array().unwrap();
    let sum: u64 = kinds
        .iter()
        .map(|kind| kind["positions"].as_u64().unwrap())
        .sum();
    assert_eq!(sum, count);

    // Any number of threads finds the same.
    collect(&place, &["games.sgf"], "two.toml", &["--threads", "3"]);
    let text = read(&place, "one.toml");
    assert_eq!(positions(&text), positions(&read(&place, "two.toml")));
    assert!(text.contains("command = \"loatune blunders --json -o one.toml --games games.sgf"));

    // What it claims holds.
    let checked = place.json(&["suite", "one.toml", "--check", "--json"]);
    assert_eq!(checked["checked"], count);
    assert_eq!(checked["wrong"], Value::Array(Vec::new()));

    // The players that went wrong do not solve their own errors, and a deep search
    // solves all within the horizon.
    let args = [
        "suite",
        "one.toml",
        "--json",
        "--positions",
        "--player",
        "default",
    ];
    let scores = place.json(&[&args[..], &["--limits", "1,5"]].concat());
    let rows = scores["rows"].as_array().unwrap();
    assert_eq!(
        (&rows[0]["limit"], &rows[1]["limit"]),
        (&"1".into(), &"5".into())
    );
    let solved = |n: usize| rows[n]["solved"].as_u64().unwrap();
    assert!(solved(0) < solved(1), "{scores}");
    for (n, row) in rows.iter().enumerate() {
        let results = row["results"].as_array().unwrap();
        assert_eq!(results.len() as u64, count);
        let right = results.iter().filter(|result| {
            let right = result["right"].as_array().unwrap();
            let is_right = right.contains(&result["chosen"]);
            assert_eq!(result["solved"], is_right);
            assert_eq!(result["nodes_to_solution"].is_u64(), is_right);
            is_right
        });
        assert_eq!(right.count() as u64, solved(n));
    }
    let text = place.good(&[
        "suite",
        "one.toml",
        "--player",
        "default@mtdf:1",
        "--positions",
    ]);
    assert!(
        text.contains("not solved by default@mtdf:1 with 1:\nline "),
        "{text}"
    );
}

/// A game and its mirror image have the same errors.
#[test]
fn symmetric_errors_are_taken_once() {
    let place = with_games();
    let text = read(&place, "games.sgf");
    let mirrored: String = text.split_inclusive(';').map(mirrored_node).collect();
    fs::write(place.path().join("mirrored.sgf"), mirrored).unwrap();
    let one = collect(&place, &["games.sgf"], "one.toml", &[]);
    let other = collect(&place, &["mirrored.sgf"], "other.toml", &[]);
    assert_eq!(one["positions"], other["positions"]);
    assert_ne!(
        positions(&read(&place, "one.toml")),
        positions(&read(&place, "other.toml"))
    );
    let both = collect(&place, &["games.sgf", "mirrored.sgf"], "both.toml", &[]);
    assert_eq!(
        (&both["positions"], &both["games"]),
        (&one["positions"], &12.into())
    );
    let duplicates = |found: &Value| found["duplicates"].as_u64().unwrap();
    assert_eq!(
        duplicates(&both),
        duplicates(&one) + duplicates(&other) + one["positions"].as_u64().unwrap()
    );
    // Whatever stands in a file is left out, also in another form.
    let output = place.run(
        &[
            &[
                "blunders",
                "--games",
                "mirrored.sgf",
                "-o",
                "none.toml",
                "--exclude",
                "one.toml",
            ],
            &QUICK[..],
        ]
        .concat(),
    );
    assert_eq!(output.status.code(), Some(1));
    assert!(!place.path().join("none.toml").exists());
    let message = String::from_utf8(output.stderr).unwrap();
    assert!(message.contains("no proved error was found"), "{message}");
    let most = collect(&place, &["games.sgf"], "two.toml", &["--most", "2"]);
    assert_eq!(most["positions"], 2);
    assert!(positions(&read(&place, "one.toml")).starts_with(positions(&read(&place, "two.toml"))));
}

/// The files of the moves of a node of an SGF text exchanged: a for h and so on.
fn mirrored_node(node: &str) -> String {
    let is_move = node.starts_with("B[") || node.starts_with("W[");
    let swap = |letter: char| match letter {
        'a'..='h' if is_move => char::from(b'a' + b'h' - letter as u8),
        other => other,
    };
    node.chars().map(swap).collect()
}

#[test]
fn games_can_be_played_for_it() {
    let place = Place::new();
    let args = [
        "blunders",
        "-o",
        "own.toml",
        "--play",
        "12",
        "--player",
        "random:3@mtdf:1",
    ];
    let found = place.json(&[&args[..], &QUICK, &["--json", "--seed", "5"]].concat());
    assert_eq!(found["games"], 12);
    let source = "12 games of random:3@mtdf:1, 4 random opening plies, seed 5";
    assert_eq!(found["source"], source);
    let text = read(&place, "own.toml");
    assert!(text.contains("by = \"random:3@mtdf:1\""), "{text}");
    // It is left alone then.
    let message = place.refused(&[&args[..], &QUICK].concat());
    assert!(message.contains("own.toml exists"), "{message}");
}

#[test]
fn other_programs_are_scored_too() {
    let place = with_games();
    collect(&place, &["games.sgf"], "one.toml", &["--most", "3"]);
    let program = format!("ugi:{} ugi", env!("CARGO_BIN_EXE_loatune"));
    let args = [
        "suite", "one.toml", "--json", "--limits", "3", "--player", "default",
    ];
    let scores = place.json(&[&args[..], &["--player", &program]].concat());
    let row = |n: usize| &scores["rows"][n];
    assert_eq!(row(0)["solved"], row(1)["solved"]);
    assert!(row(0)["to_solution"].is_object() && row(1)["to_solution"].is_null());
    let none = place.run(&["suite", "one.toml", "--player", "ugi:/nowhere/engine"]);
    assert_eq!(none.status.code(), Some(2));
}

#[test]
fn more_positions_searched_solve_more_of_the_suite() {
    let place = Place::new();
    let args = [
        "suite",
        "--json",
        "--player",
        "default@selective",
        "--limits",
        "n150,n6000",
    ];
    let scores = place.json(&args);
    assert_eq!(scores["suite"], "errors");
    let solved = |n: usize| scores["rows"][n]["solved"].as_u64().unwrap();
    let (few, many) = (solved(0), solved(1));
    assert!(few + 30 < many, "{few} and {many}");
    let all = scores["positions"].as_u64().unwrap();
    assert!(many <= all && all >= 200);
    // The counts are the same with any number of threads.
    let again = place.json(&[&args[..], &["--threads", "3"]].concat());
    for key in ["solved", "nodes", "kinds"] {
        assert_eq!(scores["rows"][1][key], again["rows"][1][key], "{key}");
    }
}

#[test]
fn bad_suites_are_named_with_their_lines() {
    let place = with_games();
    collect(&place, &["games.sgf"], "good.toml", &["--most", "2"]);
    let good = read(&place, "good.toml");
    let line_of = |what: &str| {
        1 + good
            .lines()
            .position(|line| line.starts_with(what))
            .unwrap()
    };
    let value_of = |what: &str| {
        let line = good.lines().find(|line| line.starts_with(what)).unwrap();
        line.to_owned()
    };
    let played = value_of("played = ");
    let first_right = value_of("right = ")
        .replace("right = [", "")
        .replace(']', "");
    let first_right = first_right.split(',').next().unwrap().to_owned();
    for (key, now, message) in [
        ("format", "format = 2", "must be an integer from 1 to 1"),
        ("horizon", "horizon = 99", "must be an integer from 2 to 11"),
        (
            "no_moves",
            "no_moves = \"dance\"",
            "must be one of \"loses\", \"passes\"",
        ),
        (
            "position = ",
            "position = \"8/8 x\"",
            "position.position = \"8/8 x\": ",
        ),
        (
            "position = ",
            "positoin = \"8/8 x\"",
            "unknown key position.positoin",
        ),
        ("plies = ", "plies = -1", "must be an integer from 0"),
        (
            "played = ",
            "played = \"a1-a1\"",
            "position.played = \"a1-a1\": ",
        ),
        (
            "played = ",
            &format!("played = {first_right}"),
            "is a right move",
        ),
        ("right = ", "right = []", "must be a list of moves"),
        (
            "right = ",
            &played.replace("played = ", "right = "),
            "must be a list of moves",
        ),
        ("moves = ", "moves = 90", "90 moves, but the position has "),
        ("before = ", "before = \"win\"", "must be { result"),
        (
            "before = ",
            "before = { result = \"loss\", plies = 3, proof = \"df-pn\" }",
            "is no error",
        ),
        (
            "after = ",
            "after = { result = \"gone\", plies = 3, proof = \"df-pn\" }",
            "result must be one of \"win\"",
        ),
        (
            "nodes = ",
            "nodes = [",
            "missing comma between array elements",
        ),
    ] {
        let line = good.lines().find(|line| line.starts_with(key)).unwrap();
        fs::write(place.path().join("bad.toml"), good.replacen(line, now, 1)).unwrap();
        let refused = place.refused(&["suite", "bad.toml", "--player", "default"]);
        assert!(refused.contains(message), "{now}: {refused}");
        // What is wrong with one key is told for its own line, or that of the
        // key which contradicts it.
        let has_line = refused.contains("bad.toml:");
        assert!(has_line, "{now}: {refused}");
        if !refused.contains("problems in the suite") && !refused.contains("is no error") {
            let place = format!("bad.toml:{}: ", line_of(key));
            assert!(refused.starts_with(&place), "{now}: {refused}");
        }
    }
    // The same position in another form is named with the line of the first.
    let first = positions(&good);
    let entry = &first[..1 + first[1..].find("[[position]]").unwrap()];
    fs::write(place.path().join("bad.toml"), format!("{good}\n{entry}")).unwrap();
    let refused = place.refused(&["suite", "bad.toml", "--check"]);
    let line = line_of("[[position]]");
    assert!(
        refused.contains(&format!("is that of line {line}, but for symmetry")),
        "{refused}"
    );
    fs::write(
        place.path().join("bad.toml"),
        &good[..good.find("[[position]]").unwrap()],
    )
    .unwrap();
    assert!(
        place
            .refused(&["suite", "bad.toml", "--check"])
            .contains("it has no [[position]]")
    );
    let refused = place.refused(&["suite", "nowhere.toml", "--check"]);
    assert!(
        refused.contains("cannot read suite from nowhere.toml"),
        "{refused}"
    );
}

#[test]
fn a_claim_that_does_not_hold_is_found() {
    let place = with_games();
    collect(&place, &["games.sgf"], "good.toml", &["--most", "2"]);
    let good = read(&place, "good.toml");
    let line = good
        .lines()
        .find(|line| line.starts_with("losing = "))
        .unwrap();
    fs::write(
        place.path().join("bad.toml"),
        good.replacen(line, "losing = 0", 1),
    )
    .unwrap();
    let output = place.run(&["suite", "bad.toml", "--check"]);
    assert_eq!(output.status.code(), Some(1));
    let text = String::from_utf8(output.stdout).unwrap();
    let entry = 1 + good
        .lines()
        .position(|line| line == "[[position]]")
        .unwrap();
    assert!(text.starts_with(&format!("bad.toml:{entry}: ")), "{text}");
    assert!(text.contains("losing: 0, but proved is "), "{text}");
    assert!(
        text.ends_with("bad.toml: 1 of 2 positions hold\n"),
        "{text}"
    );
}

#[test]
fn bad_usage_is_refused() {
    let place = with_games();
    place.good(&[
        "book",
        "build",
        "default@mtdf:1",
        "-o",
        "some.book",
        "--games",
        "4",
    ]);
    for (args, message) in [
        (&["blunders", "-o", "x.toml"][..], "required"),
        (&["blunders", "-o", "x.toml", "--play", "4"], "--player"),
        (
            &["blunders", "-o", "x.toml", "--games", "none.sgf"],
            "cannot read games from none.sgf",
        ),
        (
            &[
                "blunders",
                "-o",
                "x.toml",
                "--games",
                "games.sgf",
                "--exclude",
                "games.sgf",
            ],
            "games.sgf has no position",
        ),
        (
            &[
                "blunders",
                "-o",
                "x.toml",
                "--games",
                "games.sgf",
                "--horizon",
                "12",
            ],
            "12 is not in 2..=11",
        ),
        (&["suite"], "--player"),
        (&["suite", "--player", "nobody"], "no player \"nobody\""),
        (
            &["suite", "--player", "default", "--limits", "c5+1"],
            "write positions as n20000",
        ),
        (
            &["suite", "--player", "default", "--limits", "s50"],
            "only mcts makes",
        ),
        (
            &["suite", "--player", "default@mtdf:4,book=some.book"],
            "a book belongs to a whole game",
        ),
        (
            &["suite", "--player", "default@mtdf:c5+1"],
            "belongs to a whole game",
        ),
        (
            &["suite", "--player", "default", "--check"],
            "cannot be used with",
        ),
    ] {
        let output = place.run(args);
        assert_eq!(output.status.code(), Some(2), "{args:?}");
        let text = String::from_utf8(output.stderr).unwrap();
        assert!(text.contains(message), "{args:?}: {text}");
        assert!(!place.path().join("x.toml").exists());
    }
}
