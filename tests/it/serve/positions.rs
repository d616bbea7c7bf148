//! Positions, chances and games: the interface answers as the commands do.

use std::time::Duration;

use serde_json::json;

use super::schema::check;
use super::stage::Stage;
use crate::support::START;
use crate::support::binary::Place;
use crate::support::client::{escaped, get, request};

#[test]
fn positions_are_answered_as_by_the_commands() {
    let stage = Stage::new();
    let place = Place::new();
    for position in [
        START,
        "8/2x5/8/3x4/3oo3/8/6o1/x7 o",
        "8/8/8/3x4/3oo3/8/8/8 x",
    ] {
        let path = format!("/api/moves?position={}", escaped(position));
        let printed = place.json(&["moves", "--json", position]);
        assert_eq!(stage.good(&path), printed, "{position}");

        let path = format!("/api/analyse?depth=3&position={}", escaped(position));
        let mut answered = stage.good(&path);
        let mut printed = place.json(&["analyse", "--json", "--depth", "3", position]);
        for key in ["seconds", "nodes_per_second"] {
            answered[key].take();
            printed[key].take();
        }
        assert_eq!(answered, printed, "{position}");
    }
    // With the moves, the game's past counts too.
    let there_and_back = "b1-b3 a2-c2 b3-b1 c2-a2 ".repeat(2);
    let path = format!("/api/moves?moves={}", escaped(there_and_back.trim()));
    let answer = stage.good(&path);
    assert_eq!(
        (&answer["result"], &answer["reason"]),
        (&json!("draw"), &json!("repetition"))
    );
    check("Listing", &answer);
}

/// The tree search answers as the command does, within a limit of positions.
#[test]
fn the_tree_search_is_asked_for() {
    let stage = Stage::new();
    let path = format!(
        "/api/analyse?player=mcts&nodes=700&position={}",
        escaped(START)
    );
    let mut answered = stage.good(&path);
    check("Analysis", &answered);
    assert_eq!(
        (&answered["player"], &answered["nodes"]),
        (&json!("mcts"), &json!(700))
    );
    let args = [
        "analyse", "--json", "--player", "mcts", "--nodes", "700", START,
    ];
    let mut printed = Place::new().json(&args);
    for key in ["seconds", "nodes_per_second"] {
        answered[key].take();
        printed[key].take();
    }
    assert_eq!(answered, printed);
}

/// A chance is calibrated, and the same wherever it is asked for.
#[test]
fn chances_are_honest_and_agree() {
    let stage = Stage::new();
    let calibration = loop {
        let answer = get(stage.address(), "/api/calibration?weights=3");
        match answer.status {
            503 => std::thread::sleep(Duration::from_millis(200)),
            status => {
                assert_eq!(status, 200, "{answer:?}");
                break answer.json();
            }
        }
    };
    check("Calibration", &calibration);
    let sum = |name: &str| -> u64 {
        let bins = calibration["bins"].as_array().unwrap().iter();
        bins.map(|bin| bin[name].as_u64().unwrap()).sum()
    };
    assert_eq!(calibration["checked"], sum("positions"));
    assert!(calibration["brier"].as_f64().unwrap() < 0.3);
    let moves = "c8-c6 a2-c4 c1xc4 h6-e6";
    let curve = stage.good(&format!("/api/curve?weights=3&moves={}", escaped(moves)));
    for (plies, chance) in curve["chances"].as_array().unwrap().iter().enumerate() {
        let so_far: Vec<&str> = moves.split(' ').take(plies).collect();
        let path = format!("/api/chance?weights=3&moves={}", escaped(&so_far.join(" ")));
        assert_eq!(&stage.good(&path)["chance"], chance, "{plies}");
        let chance = chance.as_f64().unwrap();
        assert!((0.02..=0.98).contains(&chance), "nobody has won: {chance}");
    }
    // What is over is certain.
    let over = escaped("8/8/8/3xx3/8/o7/8/7o o");
    let end = stage.good(&format!("/api/chance?position={over}"));
    assert_eq!(end["chance"], 1.0);
}

#[test]
fn games_as_sgf_and_back() {
    let stage = Stage::new();
    let path = "/api/sgf?moves=b1-b3%20a2-c2&black=Ann&white=Bob%20%5D";
    let written = get(stage.address(), path);
    assert_eq!(written.status, 200);
    let shown = written.header("content-disposition").unwrap();
    assert!(shown.starts_with("attachment"), "{shown}");
    let read = request(stage.address(), "POST", "/api/sgf", "", &written.body).json();
    check("SgfGames", &read);
    assert_eq!(read["games"][0]["players"], json!(["Ann", "Bob ]"]));
    assert_eq!(read["games"][0]["moves"], json!(["b1-b3", "a2-c2"]));
    // Who gave up, or had no time left, is in the text.
    let resigned = get(stage.address(), "/api/sgf?moves=b1-b3&resigned=o").body;
    let read = request(stage.address(), "POST", "/api/sgf", "", &resigned).json();
    assert_eq!(read["games"][0]["resigned"], "o");
    assert_eq!(read["games"][0]["result"], "B+Resign");
    let late = get(stage.address(), "/api/sgf?moves=b1-b3&overtime=x").body;
    assert!(late.contains("RE[W+Time]"), "{late}");
    // A game that the board has ended needs nobody who gives up.
    let over = escaped("8/8/8/3xx3/8/o7/8/7o o");
    let text = get(
        stage.address(),
        &format!("/api/sgf?position={over}&resigned=x"),
    )
    .body;
    assert!(
        text.contains("RE[B+]") && !text.contains("resign"),
        "{text}"
    );
    let broken = request(stage.address(), "POST", "/api/sgf", "", "(;GM[1])");
    assert_eq!(broken.status, 400);
    assert!(
        broken.error().contains("GM[1] is another game"),
        "{}",
        broken.error()
    );
}
