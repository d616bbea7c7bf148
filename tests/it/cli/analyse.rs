//! `loatune analyse`, as its users see it.

use loatune::eval::Weights;
use loatune::weights::WeightFile;
use serde_json::{Value, json};

use crate::support::START;
use crate::support::binary::{Place, interrupt, wait_for_handler};

/// o wins by g2xd5, and by nothing else.
const WIN_IN_ONE: &str = "8/2x5/8/3x4/3oo3/8/6o1/x7 o";
const FINISHED: &str = "8/8/8/8/6x1/6x1/o1o5/1o6 o";
/// Black's two pieces are walled in.
const WALLED_IN: &str = "6ox/6oo/8/8/8/8/oo6/xo6 x";

#[test]
fn the_trace_is_for_people() {
    let printed =
        Place::new().good(&["analyse", "--weights", "source", "--depth", "2", WIN_IN_ONE]);
    let (trace, search) = printed.split_once("\ndepth").unwrap();
    assert_eq!(
        trace,
        "\
8/2x5/8/3x4/3oo3/8/6o1/x7 o
o to move: 21 legal moves, 1 capture
d4-b2  d4-b4  d4-c5  d4-d2  d4-e3  d4-f4  d4-f6  e4-c4  e4-d3
e4-e3  e4-e5  e4-f5  e4-g4  e4-h1  g2-f1  g2-f2  g2-g1  g2-g3
g2-h2  g2-h3  g2xd5

feature                x        o  x counts  o counts  weight     term
groups                 3        2
euler                  3        2        -3        -2      60    +7.50
quad3                  0        0         0         0      10    +0.00
quad4                  0        0         0         0      10    +0.00
spread                10        6       -10        -6      20   +10.00
capturable             0        1         0         1       5    +0.62
mobility              17       21        17        21       5    +2.50
blocked                0        0         0         0      10    +0.00
mobility_centre        6       21         6        21       0    +0.00
pieces                 3        3         3         3       0    +0.00
extent                11        7       -11        -7       0    +0.00
concentration       0.73     1.59      0.73      1.59       0    +0.00
edge_moves             6        5         6         5       0    +0.00
centre_moves           7       10         7        10       0    +0.00
static value                                                       +20
A term is weight / 8 x (own count - theirs), for the side to move. Counts are
negative where less is better.
"
    );
    let lines: Vec<&str> = search.lines().collect();
    assert_eq!(lines[0], "    value passes        nodes  line");
    // How many nodes and passes it takes may change with the search.
    // A proven result ends it at the first ply.
    let words: Vec<&str> = lines[1].split_whitespace().collect();
    assert_eq!(
        [words[0], words[1], words[4]],
        ["1", "+29986", "g2xd5"],
        "{}",
        lines[1]
    );
    assert_eq!(
        lines[2],
        "best g2xd5: value +29986 at depth 1, wins in 1 ply"
    );
    assert!(lines[3].contains(" nodes in ") && lines[3].ends_with(" M nodes/s"));
    assert_eq!(lines.len(), 4);
}

/// A file whose weights change in the course of a game, with powers.
fn two_phases() -> String {
    let mut weights = Weights::source();
    weights.endgame[0] = 80;
    for values in [&mut weights.opening, &mut weights.endgame] {
        values[5] = 6; // spread_power = 1.5
        values[8] = 2; // mobility_power = 0.5
    }
    let file = WeightFile {
        name: String::from("two phases"),
        origin: String::from("a test"),
        weights,
        certificate: None,
    };
    file.to_toml()
}

#[test]
fn the_trace_shows_powers_and_phases() {
    let place = Place::new().with("two.toml", &two_phases());
    let args = [
        "analyse",
        "--weights",
        "two.toml",
        "--depth",
        "1",
        "--plies",
        "37",
    ];
    let position = "1x4x1/o1x2o2/3x3o/o3xx2/1o4o1/3xo3/o2x3o/2o2x2 x";
    let printed = place.good(&[&args[..], &[position]].concat());
    let (_, table) = printed.split_once("\n\n").unwrap();
    let (table, _) = table.split_once("\ndepth").unwrap();
    assert_eq!(
        table,
        "\
feature                x        o  x counts  o counts  weight     term
groups                 4        9
euler                  4        9        -4        -9      65   +40.62
quad3                  0        0         0         0      10    +0.00
quad4                  0        0         0         0      10    +0.00
spread             29.56    43.20    -45.14    -70.50      20   +63.40
capturable             6        7         6         7       5    -0.62
mobility              34       39     17.39     19.59       5    -1.38
blocked                0        0         0         0      10    +0.00
mobility_centre       21        5     10.19      2.23       0    +0.00
pieces                 9       10         9        10       0    +0.00
extent                14       15       -14       -15       0    +0.00
concentration       0.34     0.20      0.34      0.20       0    +0.00
edge_moves            12       13        12        13       0    +0.00
centre_moves           8       12         8        12       0    +0.00
static value                                                      +102
A term is weight / 8 x (own count - theirs), for the side to move. Counts are
negative where less is better.
Phase 4 of 16 from opening to endgame.
"
    );
}

// ---- JSON

fn analyse(args: &[&str]) -> Value {
    Place::new().json(&[&["analyse", "--json"], args].concat())
}

#[test]
fn json_tells_everything() {
    let found = analyse(&["--depth", "3", START]);
    let fields: Vec<_> = found.as_object().unwrap().keys().collect();
    assert_eq!(
        fields,
        [
            "position",
            "side_to_move",
            "legal_moves",
            "result",
            "reason",
            "weights",
            "player",
            "features",
            "terms",
            "static_value",
            "value",
            "plies_to_end",
            "best",
            "pv",
            "depth",
            "nodes",
            "seconds",
            "nodes_per_second",
            "iterations",
            "stopped"
        ]
    );
    assert_eq!(found["position"], START);
    assert_eq!(found["legal_moves"].as_array().unwrap().len(), 36);
    assert_eq!([&found["result"], &found["reason"]], [&Value::Null; 2]);
    let side = json!({
        "pieces": 12, "groups": 2, "euler": 2, "quad3": 0, "quad4": 0, "spread": 60.0,
        "capturable": 4, "mobility": 36, "blocked": 0, "mobility_centre": 0,
        "extent": 14, "concentration": 0.140625, "edge_moves": 8, "centre_moves": 20,
    });
    assert_eq!(found["features"], json!({"x": side, "o": side}));
    assert_eq!(found["static_value"], 0);
    assert_eq!(found["depth"], 3);
    assert_eq!(found["plies_to_end"], Value::Null);
    assert_eq!(found["stopped"], false);
    let iterations = found["iterations"].as_array().unwrap();
    let depths: Vec<_> = iterations.iter().map(|each| &each["depth"]).collect();
    assert_eq!(depths, [1, 2, 3]);
    let last = &iterations[2];
    for field in ["value", "pv", "depth", "nodes"] {
        assert_eq!(last[field], found[field], "{field}");
    }
    assert!(last["passes"].as_u64().unwrap() >= 2);
    assert_eq!(found["pv"].as_array().unwrap().len(), 3);
    assert_eq!(found["best"], found["pv"][0]);
    let moves = found["legal_moves"].as_array().unwrap();
    assert!(moves.contains(&found["best"]));
}

#[test]
fn terms_add_up_to_the_static_value() {
    let place = Place::new().with("two.toml", &two_phases());
    for position in [START, WIN_IN_ONE, FINISHED, WALLED_IN] {
        for weights in ["default", "two.toml"] {
            let args = [
                "analyse",
                "--json",
                "--depth",
                "1",
                "--weights",
                weights,
                position,
            ];
            let found = place.json(&args);
            let terms = found["terms"].as_object().unwrap();
            assert_eq!(terms.len(), loatune::eval::features::FEATURES);
            let sum: f64 = terms.values().map(|term| term.as_f64().unwrap()).sum();
            assert_eq!(found["static_value"].as_f64(), Some(sum.trunc()));
        }
    }
}

#[test]
fn a_decided_game_says_when_it_ends() {
    let found = analyse(&["--depth", "4", WIN_IN_ONE]);
    assert_eq!(found["value"], 29_986);
    assert_eq!(found["plies_to_end"], 1);
    assert_eq!(found["best"], "g2xd5");
}

#[test]
fn a_finished_position_has_a_value_and_no_move() {
    for (position, flags, value, plies) in [
        (FINISHED, &[][..], json!(-30_001), json!(0)),
        (FINISHED, &["--simultaneous", "draw"], json!(0), json!(null)),
        (WALLED_IN, &[], json!(-30_002), json!(0)),
    ] {
        let found = analyse(&[&[position], flags].concat());
        assert_ne!(found["result"], Value::Null);
        assert_eq!(found["legal_moves"], json!([]));
        assert_eq!(found["best"], Value::Null);
        assert_eq!(found["pv"], json!([]));
        assert_eq!(found["iterations"], json!([]));
        assert_eq!([&found["value"], &found["plies_to_end"]], [&value, &plies]);
        assert_eq!(found["features"]["x"]["pieces"], 2);
        let printed = Place::new().good(&[&["analyse", position], flags].concat());
        assert!(printed.contains("\nstatic value "));
        assert!(printed.ends_with(": the game is over\n"), "{printed}");
    }
    let passing = analyse(&["--no-moves", "passes", "--depth", "2", WALLED_IN]);
    assert_eq!(passing["legal_moves"], json!(["pass"]));
    assert_eq!(passing["best"], "pass");
}

#[test]
fn every_player_finds_the_same_value() {
    let position = "1x4x1/o1x2o2/3x3o/o3xx2/1o4o1/3xo3/o2x3o/2o2x2 x";
    let values = ["minimax", "negamax", "alphabeta", "memory", "mtdf"].map(|player| {
        let found = analyse(&["--player", player, "--depth", "3", position]);
        assert_eq!(found["player"], player);
        assert_eq!(found["depth"], 3);
        found["value"].as_i64().unwrap()
    });
    assert_eq!(values, [values[0]; 5]);
}

#[test]
fn limits_end_the_search() {
    let usual = analyse(&[START]);
    assert_eq!(
        [&usual["depth"], &usual["stopped"]],
        [&json!(6), &json!(false)]
    );
    let nodes = analyse(&["--nodes", "20000", START]);
    assert_eq!(nodes["stopped"], true);
    assert!((20_000..40_000).contains(&nodes["nodes"].as_u64().unwrap()));
    assert!(nodes["depth"].as_u64().unwrap() >= 2);
    let time = analyse(&["--time", "0.1", "--hash", "64", START]);
    assert_eq!(time["stopped"], true);
    assert!(time["seconds"].as_f64().unwrap() >= 0.1);
    // With a clock or a limit of nodes every player deepens.
    for player in ["minimax", "negamax", "alphabeta", "memory", "mtdf"] {
        for limit in [["--time", "1"], ["--nodes", "30000"]] {
            let args = [&["--player", player, "--depth", "12"], &limit[..], &[START]];
            let found = analyse(&args.concat());
            let (depth, iterations) = (found["depth"].as_u64().unwrap(), &found["iterations"]);
            assert!((2..12).contains(&depth), "{player}: {found}");
            assert_eq!(iterations.as_array().unwrap().len() as u64, depth);
            assert_eq!(iterations[0]["depth"], 1);
            assert_eq!(
                [&found["stopped"], &found["value"]],
                [&json!(true), &iterations[depth as usize - 1]["value"]]
            );
        }
    }
    // Not even one depth: a legal move, but no value.
    let nothing = analyse(&["--nodes", "1", START]);
    assert_eq!(
        [&nothing["depth"], &nothing["value"]],
        [&json!(0), &Value::Null]
    );
    let moves = nothing["legal_moves"].as_array().unwrap();
    assert!(moves.contains(&nothing["best"]));
}

#[test]
fn other_weights_give_other_values() {
    let place = Place::new().with("two.toml", &two_phases());
    let args = [
        "analyse",
        "--json",
        "--plies",
        "20",
        "--depth",
        "2",
        WIN_IN_ONE,
        "--weights",
    ];
    let found = place.json(&[&args[..], &["two.toml"]].concat());
    assert_eq!(found["weights"], "two phases");
    assert_eq!(found["terms"]["euler"], 10.0);
    let message = place.refused(&[&args[..], &["three.toml"]].concat());
    let expected = "no weights \"three.toml\": neither a file nor `default`, ";
    assert!(message.starts_with(expected), "{message}");
}

#[test]
fn bad_limits_are_bad_usage() {
    for args in [
        ["--depth", "0"],
        ["--depth", "251"],
        ["--nodes", "0"],
        ["--nodes", "-1"],
        ["--time", "0"],
        ["--time", "-1"],
        ["--time", "nan"],
        ["--time", "1e99"],
        ["--hash", "63"],
        ["--player", "chess"],
        ["--plies", "x"],
    ] {
        let output = Place::new().run(&["analyse", args[0], args[1], START]);
        assert_eq!(output.status.code(), Some(2), "{args:?}");
        assert!(output.stdout.is_empty());
    }
}

/// Ctrl-C ends the search, not the program.
#[cfg(unix)]
#[test]
fn a_signal_ends_the_search_with_its_result() {
    use std::process::{Command, Stdio};
    let mut child = Command::new(env!("CARGO_BIN_EXE_loatune"))
        .args(["analyse", "--depth", "200", START])
        .env_clear()
        .current_dir(Place::new().path())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut lines = std::io::BufRead::lines(std::io::BufReader::new(child.stdout.take().unwrap()));
    // The first depth is shown as soon as it is finished.
    assert!(lines.any(|line| line.unwrap().starts_with("    1 ")));
    let kill = format!("kill -INT {}", child.id());
    assert!(
        Command::new("sh")
            .args(["-c", &kill])
            .status()
            .unwrap()
            .success()
    );
    let rest: Vec<String> = lines.map(Result::unwrap).collect();
    assert!(
        rest.iter().any(|line| line.starts_with("best ")),
        "{rest:?}"
    );
    assert_eq!(child.wait().unwrap().code(), Some(0));
}

#[test]
fn a_position_is_solved() {
    let place = Place::new();
    let won = "8/8/2x5/o1ooxxx1/oxox2x1/5xx1/4o3/1x6 o";
    let printed = place.good(&["solve", won]);
    assert!(printed.starts_with("o wins (the side to move), in 5 plies"));
    let found: Value = serde_json::from_str(&place.good(&["solve", "--json", won])).unwrap();
    assert_eq!(found["result"], "win");
    assert_eq!(found["winner"], "o");
    assert_eq!(found["line"].as_array().unwrap().len(), 5);
    assert_eq!(found["stopped"], false);
    let limited = place.good(&["solve", "--nodes", "500", START]);
    assert!(limited.starts_with("nothing was proved"), "{limited}");
    let timed = place.good(&["solve", "--time", "0.05", "--json", START]);
    let timed: Value = serde_json::from_str(&timed).unwrap();
    assert_eq!(timed["result"], "unknown");
    assert_eq!(timed["stopped"], true);
    let over: Value = serde_json::from_str(&place.good(&["solve", "--json", FINISHED])).unwrap();
    assert_eq!(over["result"], "over");
}

#[test]
fn a_solver_that_is_interrupted_says_so() {
    let place = Place::new();
    let process = place.start(&["solve", "--time", "600", START]);
    wait_for_handler(process.id());
    interrupt(&process);
    let output = process.finish();
    assert_eq!(output.status.code(), Some(3));
    let printed = String::from_utf8(output.stdout).unwrap();
    assert!(printed.contains("the search was stopped"), "{printed}");
}

#[test]
fn a_player_takes_options() {
    let find = |player: &str| {
        let args = ["--player", player, "--nodes", "3000", START];
        analyse(&args)
    };
    let found = find("selective:lmr=0,late_moves=0");
    assert_eq!(found["player"], "selective:late_moves=0,lmr=0");
    assert_ne!(found["iterations"], find("selective")["iterations"]);
    assert_eq!(find("mcts:c=0.3")["player"], "mcts");
    for (player, told) in [
        (
            "selective:lmr=2",
            "option lmr of `selective` is \"2\"; it takes",
        ),
        ("mtdf:c=1", "`mtdf` has no option \"c\""),
        ("mcts:threads=2,shared_tree=1", "only under a limit of time"),
    ] {
        let refused = Place::new().refused(&["analyse", "--player", player, START]);
        assert!(refused.contains(told), "{refused}");
    }
}
