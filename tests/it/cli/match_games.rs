//! `loatune match`, `gauntlet` and `tournament`: the real binary, in a fresh
//! directory.

use std::fs;
use std::io::Read;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use crate::support::START;
use crate::support::binary::Place;
use loatune::game::Rules;
use loatune::notation::parse_sgf;
use serde_json::{Value, json};

/// The result of a match without what may differ from run to run.
fn result(place: &Place, args: &[&str]) -> Value {
    let mut value = place.json(&[args, &["--json", "-q"]].concat());
    assert!(value["seconds"].is_f64());
    without_times(&mut value);
    value
}

/// Takes away what differs from run to run.
pub fn without_times(value: &mut Value) {
    match value {
        Value::Object(map) => {
            for key in ["seconds", "seconds_per_move", "longest_move"] {
                map.remove(key);
            }
            map.values_mut().for_each(without_times);
        }
        Value::Array(values) => values.iter_mut().for_each(without_times),
        _ => {}
    }
}

#[test]
fn the_same_whatever_the_threads() {
    let place = Place::new();
    let with = |threads: &str, more: &[&str]| {
        let args = ["match", "default", "random:1", "--threads", threads];
        result(&place, &[&args, more].concat())
    };
    for more in [
        &["--games", "24", "--depth", "2"][..],
        &["--games", "12", "--nodes", "900", "--seed", "7"],
        &["--sprt", "elo0=0,elo1=200", "--depth", "1"],
    ] {
        let one = with("1", more);
        assert_eq!(one, with("2", more), "{more:?}");
        assert_eq!(one, with("4", more), "{more:?}");
    }
    let other = with("2", &["--games", "24", "--depth", "2", "--seed", "2"]);
    assert_ne!(other, with("2", &["--games", "24", "--depth", "2"]));
}

#[test]
fn the_selective_search_plays_wherever_a_player_is_named() {
    let place = Place::new();
    let player = "default@selective:n300,null_move=2";
    let short = ["--depth", "1", "--max-plies", "40"];
    for command in [
        &["match", player, "random:1", "--games", "4"][..],
        &["gauntlet", player, "--against", "random:1", "--games", "4"],
        &["tournament", player, "random:1", "--games", "4"],
    ] {
        let with = |threads| {
            let args = [command, &short, &["--threads", threads]].concat();
            result(&place, &args)
        };
        let found = with("1");
        assert_eq!(found, with("2"), "{command:?}");
        let players = &found["settings"]["players"];
        assert_eq!(players[0]["search"], "selective", "{found}");
        assert_eq!(players[0]["nodes"], 300, "{found}");
    }
    let args = ["analyse", START, "--player", "selective", "--depth", "4"];
    let found = place.json(&[&args[..], &["--json"]].concat());
    assert_eq!(found["player"], "selective", "{found}");
    assert_eq!(found["depth"], 4, "{found}");
}

#[test]
fn equal_players_share_the_points() {
    let place = Place::new();
    for player in ["default", "random:3@memory"] {
        let args = ["match", player, player, "--games", "20", "--depth", "2"];
        let found = result(&place, &args);
        assert_eq!(found["score"], 0.5);
        assert_eq!(found["pentanomial"], json!([0, 0, 10, 0, 0]));
        assert_eq!(found["elo"], 0.0);
        assert_eq!(found["elo_error"], Value::Null);
        assert_eq!(found["work"][0]["nodes"], found["work"][1]["nodes"]);
        // What one gets as Black the other one gets, too.
        assert_eq!(found["as_black"]["wins"], found["as_white"]["losses"]);
    }
}

#[test]
fn exact_searches_are_equally_strong_at_different_costs() {
    let place = Place::new();
    let args = [
        "match",
        "default@alphabeta:3",
        "default@mtdf:3",
        "--games",
        "60",
    ];
    let found = result(&place, &args);
    assert_eq!(found["games"], 60);
    // Both know the value of every move; among equals they choose differently.
    let (elo, error) = (&found["elo"], &found["elo_error"]);
    assert!(elo.as_f64().unwrap().abs() < 1.5 * error.as_f64().unwrap());
    let nodes = |player: usize| found["work"][player]["nodes_per_move"].as_f64().unwrap();
    assert!(nodes(1) < 0.7 * nodes(0), "{} {}", nodes(0), nodes(1));
}

#[test]
fn a_match_reports_all_its_numbers() {
    let place = Place::new();
    let args = [
        "match", "default", "random:2", "--games", "10", "--depth", "1",
    ];
    let found = result(&place, &args);
    let keys: Vec<&str> = found
        .as_object()
        .unwrap()
        .keys()
        .map(String::as_str)
        .collect();
    assert_eq!(
        keys,
        [
            "players",
            "seed",
            "games",
            "wins",
            "draws",
            "losses",
            "score",
            "points",
            "elo",
            "elo_error",
            "nelo",
            "nelo_error",
            "los",
            "pentanomial",
            "llr",
            "sprt",
            "as_black",
            "as_white",
            "on_board",
            "by_faults",
            "adjudicated",
            "plies",
            "plies_per_game",
            "work",
            "faults",
            "given_up",
            "interrupted",
            "resumed",
            "settings",
        ]
    );
    let number = |key: &str| found[key].as_u64().unwrap();
    assert_eq!(number("games"), 10);
    assert_eq!(number("wins") + number("draws") + number("losses"), 10);
    let pairs = found["pentanomial"].as_array().unwrap();
    assert_eq!(pairs.iter().map(|n| n.as_u64().unwrap()).sum::<u64>(), 5);
    assert_eq!(
        (number("faults"), &found["interrupted"]),
        (0, &json!(false))
    );

    let text = place.good(&args);
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(
        lines[0],
        "default - random:2: 4 random opening plies, bound 30, seed 1"
    );
    let starts = [
        "limits: mtdf, 1 ply a move, table 16384 KiB",
        "rules:  mover-wins, no moves: loses, repetition 3, 200 plies; engine ",
        "Games:  10, W ",
        "Elo:    ",
        "nElo:   ",
        "LOS:    ",
        "Ptnml(0-2): ",
        "as x:   W ",
        "as o:   W ",
        "plies:  ",
        "",
        "player ",
        "default ",
        "random:2 ",
    ];
    assert_eq!(lines.len(), starts.len() + 1, "{text}");
    for (line, start) in lines[1..].iter().zip(starts) {
        assert!(line.starts_with(start), "{line}");
    }
}

#[test]
fn a_sequential_test_ends_with_a_decision() {
    let place = Place::new();
    let test = |a: &str, b: &str| {
        let settings = "elo0=0,elo1=100,alpha=.1,beta=.1";
        result(&place, &["match", a, b, "--sprt", settings, "--depth", "2"])
    };
    // A search of one ply against one of two is no contest.
    let strong = test("default", "default@mtdf:1");
    assert_eq!(strong["sprt"]["verdict"], "accept-h1");
    assert!(strong["llr"].as_f64().unwrap() >= strong["sprt"]["upper"].as_f64().unwrap());
    let weak = test("default@mtdf:1", "default");
    assert_eq!(weak["sprt"]["verdict"], "accept-h0");
    assert_eq!(weak["sprt"]["elo1"], 100.0);
    let random = test("default", "random:1");
    assert_ne!(random["sprt"]["verdict"], "continue");

    let few = ["--sprt", "elo0=0,elo1=1", "--games", "4", "--depth", "1"];
    let text = place.good(&[&["match", "default", "random:1"], &few[..]].concat());
    assert!(
        text.contains("(-2.94, 2.94) [0, 1] logistic Elo: undecided\n"),
        "{text}"
    );
    assert!(text.contains("Games:  4, "), "{text}");
}

#[test]
fn openings_from_a_file() {
    let book = format!("# a book\nb1-b3 a2-c2\n\n{START} # the start\nstartpos moves c1xa3\n");
    let place = Place::new().with("book.txt", &book);
    let args = ["match", "default", "random:1", "--openings", "book.txt"];
    let quick = [&args[..], &["--depth", "1", "--sgf", "games.sgf"]].concat();
    assert_eq!(result(&place, &quick)["games"], 6);
    let text = fs::read_to_string(place.path().join("games.sgf")).unwrap();
    let games = parse_sgf(&text, &Rules::default()).unwrap();
    let names: Vec<[&str; 2]> = games
        .iter()
        .map(|sgf| sgf.players.each_ref().map(String::as_str))
        .collect();
    for pair in names.chunks(2) {
        assert_eq!(pair, [["default", "random:1"], ["random:1", "default"]]);
    }
    let first = |game: usize| games[game].game.played()[0].to_string();
    assert_eq!([first(0), first(1)], ["b1-b3", "b1-b3"]);
    assert_eq!([first(4), first(5)], ["c1xa3", "c1xa3"]);

    // The games of one match are the openings of the next.
    let cut: String = text
        .split_inclusive('\n')
        .filter(|line| !line.starts_with(';'))
        .collect();
    fs::write(place.path().join("cut.sgf"), cut).unwrap();
    let args = ["match", "default", "random:1", "--openings", "cut.sgf"];
    let some = [&args[..], &["--depth", "1", "--games", "2"]].concat();
    assert_eq!(result(&place, &some)["games"], 2);
    let message = place.refused(&[&args[..], &["--openings", "games.sgf"]].concat());
    assert!(
        message.contains("cannot be used multiple times"),
        "{message}"
    );
    let message = place.refused(&["match", "default", "default", "--openings", "games.sgf"]);
    assert!(
        message.starts_with("games.sgf: game 1 is finished ("),
        "{message}"
    );
}

#[test]
fn written_games_are_those_that_were_played() {
    let place = Place::new();
    let args = [
        "match", "default", "random:4", "--games", "8", "--depth", "1", "--sgf", "g.sgf",
    ];
    let found = result(&place, &args);
    let text = fs::read_to_string(place.path().join("g.sgf")).unwrap();
    let games = parse_sgf(&text, &Rules::default()).unwrap();
    assert_eq!(games.len(), 8);
    let plies: usize = games.iter().map(|sgf| sgf.game.played().len()).sum();
    assert_eq!(plies as u64, found["plies"].as_u64().unwrap());
    for pair in games.chunks(2) {
        assert_eq!(pair[0].game.played()[..4], pair[1].game.played()[..4]);
    }
    let black_wins = |n: usize| {
        let games = games.iter().skip(n).step_by(2);
        games
            .filter(|sgf| sgf.result.as_deref() == Some("B+"))
            .count() as u64
    };
    assert_eq!(found["as_black"]["wins"].as_u64(), Some(black_wins(0)));
    assert_eq!(found["as_white"]["losses"].as_u64(), Some(black_wins(1)));
    let entries = fs::read_dir(place.path()).unwrap();
    assert_eq!(entries.count(), 1, "no draft is left");
    // Once more, over the first.
    result(&place, &[&args[..], &["--force"]].concat());
    assert_eq!(
        fs::read_to_string(place.path().join("g.sgf")).unwrap(),
        text
    );
}

#[test]
fn rules_hold_in_matches() {
    let place = Place::new();
    let args = [
        "match", "random:5", "random:6", "--games", "6", "--depth", "1",
    ];
    let short = [&args[..], &["--max-plies", "20"]].concat();
    assert!(result(&place, &short)["plies_per_game"].as_f64().unwrap() <= 20.0);
    assert_eq!(
        result(&place, &short)["draws"].as_u64().map(|n| n > 0),
        Some(true)
    );
}

#[test]
fn what_is_wrong_is_said() {
    let place = Place::new()
        .with("bad.toml", "[loatune]\nformat = 9\n")
        .with("empty.txt", "# nothing\n")
        .with("bad.txt", "b1-b3\nb1-b4\n")
        .with("one.txt", "b1-b3\n");
    let cases: &[(&[&str], &str)] = &[
        (
            &["match", "nobody", "default"],
            "no player \"nobody\": no such file, and no published champion of that name (populations/published has none)\n",
        ),
        (
            &["match", "default", "random:x"],
            "bad seed \"x\" in random:SEED",
        ),
        (
            &["match", "default", "default@mtd"],
            "\"default@mtd\": unknown player `mtd`; one of minimax,",
        ),
        (
            &["match", "default", "default@mtdf:0"],
            "\"default@mtdf:0\": bad limit \"0\"; write a depth",
        ),
        (&["match", "@mtdf", "default"], "\"@mtdf\" names no player"),
        (&["match", "default", "ugi:"], "no command in ugi:COMMAND"),
        (
            &["match", "default", "ugi:./no-such-engine"],
            "cannot start the engine `./no-such-engine`: there is no program",
        ),
        (
            &["match", "bad.toml", "default"],
            "4 problems in the weights\n  bad.toml:2: ",
        ),
        (
            &["match", "default", "default", "--games", "7"],
            "invalid value '7' for '--games <N>': must be an even number, because every opening is played twice",
        ),
        (
            &["match", "default", "default", "--games", "0"],
            "invalid value '0' for '--games <N>'",
        ),
        (
            &["match", "default", "default", "--sprt", "elo0=0"],
            "invalid value 'elo0=0' for '--sprt <SETTINGS>': elo1 is missing",
        ),
        (
            &["match", "default", "default", "--sprt", "elo0=5,elo1=5"],
            "invalid value 'elo0=5,elo1=5'",
        ),
        (
            &["match", "default", "default", "--depth", "0"],
            "invalid value '0' for '--depth <N>'",
        ),
        (&["match", "default", "default", "--time", "-1"], ""),
        (
            &["match", "default", "default", "--threads", "0"],
            "invalid value '0' for '--threads <N>'",
        ),
        (
            &["match", "default", "default", "--openings", "none.txt"],
            "cannot read openings from none.txt: ",
        ),
        (
            &["match", "default", "default", "--openings", "empty.txt"],
            "empty.txt: no opening here",
        ),
        (
            &["match", "default", "default", "--openings", "bad.txt"],
            "bad.txt:2: move 1 (\"b1-b4\"): ",
        ),
        (
            &[
                "match",
                "default",
                "default",
                "--openings",
                "one.txt",
                "--games",
                "4",
            ],
            "4 games need 2 openings, but one.txt has 1, enough for 2 games",
        ),
        (
            &[
                "match",
                "default",
                "default",
                "--openings",
                "one.txt",
                "--opening-plies",
                "3",
            ],
            "the argument '--openings <FILE>' cannot be used with",
        ),
        (
            &["match", "default", "default", "--opening-plies", "0"],
            "invalid value '0' for '--opening-plies <N>'",
        ),
        (
            &["match", "default"],
            "the following required arguments were not provided",
        ),
        (
            &["gauntlet", "default"],
            "the following required arguments were not provided",
        ),
        (
            &["gauntlet", "default", "--against", "nobody"],
            "no player \"nobody\"",
        ),
        (&["tournament", "default"], ""),
        (
            &["tournament", "default", "default"],
            "default is there twice\n",
        ),
        (&["tournament", "default", "nobody"], "no player \"nobody\""),
    ];
    for (args, message) in cases {
        let found = place.refused(args);
        assert!(found.starts_with(message), "{args:?}: {found}");
    }
}

#[test]
fn gauntlets() {
    let place = Place::new();
    let args = [
        "gauntlet",
        "default",
        "--against",
        "random:1",
        "default@alphabeta",
        "--games",
        "8",
        "--depth",
        "2",
    ];
    let found = result(&place, &args);
    assert_eq!(
        (&found["games"], &found["player"]),
        (&json!(16), &json!("default"))
    );
    let matches = found["matches"].as_array().unwrap();
    assert_eq!(matches[0]["players"], json!(["default", "random:1"]));
    assert_eq!(
        matches[1]["players"],
        json!(["default", "default@alphabeta"])
    );
    let wins = |one: &Value| one["wins"].as_u64().unwrap();
    assert_eq!(wins(&found), matches.iter().map(wins).sum::<u64>());
    // Each part is the match that it would be alone.
    let alone = [
        "match", "default", "random:1", "--games", "8", "--depth", "2",
    ];
    let alone = result(&place, &alone);
    for key in ["wins", "draws", "losses", "plies", "pentanomial", "work"] {
        assert_eq!(alone[key], matches[0][key], "{key}");
    }
    let text = place.good(&args);
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines.len(), 9, "{text}");
    assert!(lines[1].starts_with("limits: default: mtdf, "), "{text}");
    assert!(lines[5].starts_with("opponent "), "{text}");
    assert!(lines[8].starts_with("all "), "{text}");
}

#[test]
fn tournaments() {
    let place = Place::new();
    let args = [
        "tournament",
        "default@mtdf:1",
        "default@mtdf:3",
        "random:1@mtdf:1",
        "--games",
        "8",
    ];
    let found = result(&place, &args);
    assert_eq!(found["games"], 24);
    let ratings = found["ratings"].as_array().unwrap();
    assert_eq!(ratings[0]["player"], "default@mtdf:3");
    let elo: Vec<f64> = ratings
        .iter()
        .map(|one| one["elo"].as_f64().unwrap())
        .collect();
    assert!(elo[0] > elo[1] && elo[1] >= elo[2], "{elo:?}");
    assert!(elo.iter().sum::<f64>().abs() < 1e-6);
    let points: f64 = ratings
        .iter()
        .map(|one| one["points"].as_f64().unwrap())
        .sum();
    assert_eq!(points, 24.0);
    assert_eq!(found["matches"].as_array().unwrap().len(), 3);
    let text = place.good(&args);
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines.len(), 9, "{text}");
    assert!(
        lines[6].trim_start().starts_with("1  default@mtdf:3 "),
        "{text}"
    );
    assert_eq!(
        lines[6]
            .split_whitespace()
            .filter(|cell| *cell == "-")
            .count(),
        1
    );
}

#[test]
fn other_programs_play_and_their_faults_count() {
    // It knows the words, and dies when it is asked for a move.
    let dead = "while read -r line; do case \"$line\" in\n\
                ugi) echo ugiok;; isready) echo readyok;; go*) exit 1;; quit) exit 0;;\n\
                esac; done\n";
    let place = Place::new().with("dead.sh", dead);
    let us = format!("ugi:'{}' ugi", env!("CARGO_BIN_EXE_loatune"));
    let args = ["match", "default", &us, "--games", "4", "--depth", "2"];
    let found = result(&place, &args);
    assert_eq!((&found["games"], &found["faults"]), (&json!(4), &json!(0)));
    // The same weights and search, whoever asks for them.
    assert_eq!(found["score"], 0.5);

    let args = [
        "match",
        "default",
        "ugi:/bin/sh dead.sh",
        "--games",
        "4",
        "--depth",
        "1",
        "--sgf",
        "g.sgf",
    ];
    let output = place.run(&[&args[..], &["--json", "-q"]].concat());
    assert_eq!(output.status.code(), Some(1));
    let found: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!((&found["wins"], &found["faults"]), (&json!(4), &json!(4)));
    assert_eq!(found["work"][1]["dies"], 4);
    let text = fs::read_to_string(place.path().join("g.sgf")).unwrap();
    let games = parse_sgf(&text, &Rules::default()).unwrap();
    let results: Vec<_> = games.iter().map(|sgf| sgf.result.as_deref()).collect();
    assert_eq!(results[..2], [Some("B+Forfeit"), Some("W+Forfeit")]);
    assert!(games[0].comment.as_deref().unwrap().contains("died: "));
    let output = place.run(&[&args[..], &["--force"]].concat());
    assert!(String::from_utf8_lossy(&output.stderr).contains("pair 0: died: "));
    assert!(
        String::from_utf8_lossy(&output.stdout)
            .contains("4 of 4 games lost by faults: sh 4 (4 died)")
    );
}

#[test]
fn an_interrupted_match_prints_what_was_played() {
    let place = Place::new();
    let mut child = Command::new(env!("CARGO_BIN_EXE_loatune"))
        .args(["match", "default", "random:1", "--games", "1000000"])
        .args(["--depth", "2", "--json", "--sgf", "some.sgf"])
        .args(["--resume", "some.games"])
        .current_dir(place.path())
        .env_clear()
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // A line before the first pair, and one a pair.
    let begin = Instant::now();
    let lines =
        || fs::read_to_string(place.path().join("some.games")).map_or(0, |it| it.lines().count());
    while lines() < 4 {
        assert!(begin.elapsed() < Duration::from_secs(120));
        std::thread::sleep(Duration::from_millis(10));
    }
    let pid = child.id().to_string();
    assert!(
        Command::new("kill")
            .args(["-INT", &pid])
            .status()
            .unwrap()
            .success()
    );
    let asked = Instant::now();
    let status = child.wait().unwrap();
    assert!(asked.elapsed() < Duration::from_secs(60));
    assert_eq!(status.code(), Some(3));
    let (mut out, mut err) = (String::new(), String::new());
    child.stdout.unwrap().read_to_string(&mut out).unwrap();
    child.stderr.unwrap().read_to_string(&mut err).unwrap();
    let found: Value = serde_json::from_str(&out).unwrap();
    assert_eq!(found["interrupted"], true);
    let games = found["games"].as_u64().unwrap();
    assert!(games > 0);
    let said = format!(
        "loatune: stopped by a signal; the result is that of {games} games; \
         the same command goes on with some.games\n"
    );
    assert_eq!(err, said);
    let text = fs::read_to_string(place.path().join("some.sgf")).unwrap();
    let written = parse_sgf(&text, &Rules::default()).unwrap();
    assert_eq!(written.len() as u64, games);

    // What was played is the beginning of the whole match.
    let games = games.min(20).to_string();
    let whole = ["match", "default", "random:1", "--games", &games];
    result(
        &place,
        &[&whole[..], &["--depth", "2", "--sgf", "whole.sgf"]].concat(),
    );
    let whole = fs::read_to_string(place.path().join("whole.sgf")).unwrap();
    assert!(text.starts_with(&whole));
}

/// A tree search has no table: its line names the memory of its tree.
#[test]
fn the_memory_of_a_tree_is_told() {
    let args = [
        "match",
        "default@mcts:s5",
        "default@mcts:s5,memory=8",
        "--games",
        "2",
        "--max-plies",
        "20",
    ];
    let text = Place::new().good(&args);
    for line in [
        "limits: default@mcts:s5: mcts, 5 simulations a move, tree 64 MiB\n",
        "limits: default@mcts:s5,memory=8: mcts, 5 simulations a move, tree 8 MiB\n",
    ] {
        assert!(text.contains(line), "{text}");
    }
    let help = Place::new().good(&["match", "--help"]);
    assert!(help.contains("\nA program is told the limits"), "{help}");
}
