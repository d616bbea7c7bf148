//! Other programs as opponents: what they are told, how long they are waited
//! for, and what their faults do to a match.

use std::process::Output;
use std::time::{Duration, Instant};

use super::match_games::without_times;
use crate::support::binary::Place;
use loatune::search::signature::SIGNATURE;
use serde_json::{Value, json};

/// A program that knows the words; `go` is what it does when it is asked for a
/// move. Everything that it is told is in the file `told`.
fn program(go: &str) -> String {
    format!(
        "while read -r line; do echo \"$line\" >> told; case \"$line\" in\n\
         ugi) echo 'id name Toy 2.0'; echo ugiok;; isready) echo readyok;;\n\
         go*) {go};; quit) exit 0;;\nesac; done\n"
    )
}

const TOY: &str = "ugi:/bin/sh toy.sh";

fn toy(go: &str) -> Place {
    Place::new().with("toy.sh", &program(go))
}

/// Our own engine as another program.
fn ourselves() -> String {
    format!("ugi:'{}' ugi", env!("CARGO_BIN_EXE_loatune"))
}

/// The JSON, the messages and the exit code of a command.
fn played(place: &Place, args: &[&str]) -> (Value, String, Option<i32>) {
    let Output {
        status,
        stdout,
        stderr,
    } = place.run(&[args, &["--json"]].concat());
    let mut found: Value = serde_json::from_slice(&stdout).expect("one line of JSON");
    without_times(&mut found);
    let messages = String::from_utf8(stderr).unwrap();
    (found, messages, status.code())
}

#[test]
fn a_program_that_dies_every_time_ends_the_match_without_a_verdict() {
    let place = toy("exit 1");
    let args = ["match", "default", TOY, "--sprt", "elo0=0,elo1=5"];
    let (found, messages, code) = played(&place, &[&args[..], &["--depth", "1"]].concat());
    assert_eq!(code, Some(1), "{messages}");
    // Two pairs, with three deaths in a row among them.
    assert_eq!((&found["games"], &found["faults"]), (&json!(4), &json!(4)));
    assert_eq!(found["by_faults"], json!({"wins": 4, "losses": 0}));
    assert_eq!(found["on_board"]["games"], 0);
    assert_eq!(found["pentanomial"], json!([0, 0, 0, 0, 0]));
    assert_eq!(found["elo"], Value::Null);
    assert_eq!(found["sprt"]["verdict"], "continue");
    assert_eq!(found["given_up"]["player"], "Toy 2.0");
    let said = "loatune: error: stopped after 4 games: Toy 2.0 is given up: it lost 4 of 4 games \
                by faults; the last: died: ";
    assert!(messages.contains(said), "{messages}");

    let text = place.run(&["match", "default", TOY, "--depth", "1", "-q"]);
    let text = String::from_utf8(text.stdout).unwrap();
    let headline = "default - Toy 2.0: 4 of 4 games lost by faults: Toy 2.0 4 (4 died); 4 random";
    assert!(text.starts_with(headline), "{text}");
    assert!(text.contains("\nboard:  W 0, D 0, L 0: "), "{text}");
    assert!(text.contains("\nfaults: W 4, L 0\n"), "{text}");
}

#[test]
fn a_program_that_cannot_be_started_again_ends_gauntlets_and_tournaments() {
    // It removes itself: the second start fails.
    let go = "rm -f toy.sh; exit 1";
    for command in [
        &["gauntlet", "default", "--against", "random:1", TOY][..],
        &["tournament", "default", "random:1", TOY],
    ] {
        let place = toy(go);
        let more = ["--depth", "1", "--games", "40", "--threads", "1"];
        let (found, messages, code) = played(&place, &[command, &more].concat());
        assert_eq!(code, Some(1), "{messages}");
        assert!(
            messages.contains("it cannot be started again"),
            "{messages}"
        );
        assert_eq!(found["given_up"]["player"], "Toy 2.0");
        assert_eq!(found["faults"], found["given_up"]["faults"]);
        let games = found["games"].as_u64().unwrap();
        assert!((4..=12).contains(&games), "{games}");
        let place = toy(go);
        let output = place.run(&[command, &more, &["-q"]].concat());
        let text = String::from_utf8(output.stdout).unwrap();
        let first = text.lines().next().unwrap();
        assert!(first.contains(" games lost by faults: Toy 2.0 "), "{text}");
    }
}

#[test]
fn a_program_with_many_faults_of_any_kind_is_given_up() {
    let place = toy("echo bestmove a1-a1");
    let args = ["match", TOY, "default", "--depth", "1", "--games", "100"];
    let (found, messages, code) = played(&place, &args);
    assert_eq!(code, Some(1), "{messages}");
    assert_eq!(
        (&found["games"], &found["losses"]),
        (&json!(10), &json!(10))
    );
    assert_eq!(found["work"][0]["illegal_moves"], 10);
    assert_eq!(found["by_faults"], json!({"wins": 0, "losses": 10}));
    // Fewer faults end nothing, but are no success either.
    let args = ["match", TOY, "default", "--depth", "1", "--games", "4"];
    let (found, messages, code) = played(&place, &args);
    assert_eq!((code, &found["given_up"]), (Some(1), &Value::Null));
    assert!(messages.ends_with("error: 4 of 4 games were lost by faults\n"));
}

#[test]
fn what_programs_are_given_is_said_before_the_first_game() {
    let place = toy("exit 1");
    let args = ["match", "default@mtdf:t0.05", TOY, "--games", "2"];
    let (_, messages, _) = played(&place, &args);
    let said = "loatune: Toy 2.0 (ugi:/bin/sh toy.sh) is given 4 plies a move; it may take 10 s to \
                start and 60 s a move\n\
                loatune: the limits are not of the same kind: default@mtdf:t0.05 has 0.05 s a \
                move, Toy 2.0 has 4 plies a move\n";
    assert!(messages.starts_with(said), "{messages}");

    let more = [
        "--nodes",
        "500",
        "--start-timeout",
        "7",
        "--move-timeout",
        "8",
    ];
    let args = [&["match", "default", TOY, "--games", "2"], &more[..]].concat();
    let (found, messages, _) = played(&place, &args);
    let said = "is given 500 positions a move; it may take 7 s to start and 8 s a move\n";
    assert!(messages.contains(said), "{messages}");
    assert!(!messages.contains("same kind"), "{messages}");
    let settings = &found["settings"]["players"][1];
    assert_eq!(
        (&settings["nodes"], &settings["depth"]),
        (&json!(500), &Value::Null)
    );
    assert_eq!(
        (&settings["start_timeout"], &settings["move_timeout"]),
        (&json!(7.0), &json!(8.0))
    );
    assert_eq!(settings["player"], TOY);
}

#[test]
fn programs_are_waited_for_as_long_as_the_flags_say() {
    let place = toy("exec sleep 60");
    let begin = Instant::now();
    let args = ["match", "default", TOY, "--games", "2", "--depth", "1"];
    let (found, messages, code) = played(&place, &[&args[..], &["--move-timeout", "0.3"]].concat());
    assert_eq!((code, &found["work"][1]["hangs"]), (Some(1), &json!(2)));
    assert!(messages.contains("no answer within 0.3 s"), "{messages}");

    let place = Place::new().with("toy.sh", "exec sleep 60\n");
    let message = place.refused(&[&args[..], &["--start-timeout", "0.3"]].concat());
    assert!(message.contains("no `ugiok` within 300ms"), "{message}");
    assert!(begin.elapsed() < Duration::from_secs(50));
}

#[test]
fn programs_have_the_name_that_they_give_themselves() {
    let (place, us) = (Place::new(), ourselves());
    let args = ["match", "default", &us, "--games", "2", "--depth", "1"];
    let (found, _, code) = played(&place, &[&args[..], &["--sgf", "g.sgf"]].concat());
    let name = concat!("loatune ", env!("CARGO_PKG_VERSION"));
    assert_eq!(
        (code, &found["players"]),
        (Some(0), &json!(["default", name]))
    );
    assert_eq!(found["work"][1]["player"], name);
    let sgf = std::fs::read_to_string(place.path().join("g.sgf")).unwrap();
    assert!(sgf.contains(&format!("PW[{name}]")), "{sgf}");
    // Two of the same name are told apart by their commands.
    let other = us.clone() + " --weights default";
    let args = ["match", &us, &other, "--games", "2", "--depth", "1"];
    let (found, _, _) = played(&place, &args);
    assert_eq!(found["players"], json!([us, other]));
}

#[test]
fn the_dialogue_is_shown_in_whole_lines() {
    let (place, us) = (Place::new(), ourselves());
    let args = [
        "-vvv", "match", "default", &us, "--games", "2", "--depth", "1",
    ];
    let (_, messages, _) = played(&place, &args);
    let long = |line: &&str| line.contains("to the engine: position startpos moves ");
    let longest = messages.lines().filter(long).map(str::len).max();
    assert!(longest > Some(120), "{messages}");
    assert!(
        messages.contains("from the engine: bestmove "),
        "{messages}"
    );
    assert!(!messages.contains("..."), "{messages}");
}

#[test]
fn a_clock_is_told_and_kept() {
    let place = toy("sleep 2; echo bestmove a1-a1");
    let clock = ["--clock", "0.5+0.05", "--time-margin", "0.1"];
    let args = ["match", "default", TOY, "--games", "2", "--threads", "1"];
    let (found, messages, code) = played(&place, &[&args[..], &clock[..]].concat());
    assert_eq!(code, Some(1));
    assert_eq!(found["work"][1]["time_losses"], 2, "{messages}");
    assert!(messages.contains("lost on time: "), "{messages}");
    assert!(messages.contains("is given a clock of 0.5+0.05 s; it may take 10 s to start\n"));
    let told = std::fs::read_to_string(place.path().join("told")).unwrap();
    let go = |line: &&str| line.starts_with("go p1time ") && line.ends_with(" p1inc 50 p2inc 50");
    assert_eq!(told.lines().filter(go).count(), 2, "{told}");
    // Toy is Black in the second game, and nobody has used any time yet.
    assert!(
        told.contains("\ngo p1time 500 p2time 500 p1inc 50 p2inc 50\n"),
        "{told}"
    );
    assert_eq!(found["settings"]["repeatable"], false);
    assert_eq!(found["settings"]["players"][0]["clock"], "0.5+0.05");
}

#[test]
fn the_time_that_was_used_is_measured() {
    let (place, us) = (Place::new(), ourselves());
    // The margin is for machines with other work to do.
    let clock = ["--clock", "2+0.01", "--time-margin", "30", "--json", "-q"];
    let output = place.run(&[&["match", "default", &us, "--games", "2"], &clock[..]].concat());
    assert_eq!(output.status.code(), Some(0));
    let found: Value = serde_json::from_slice(&output.stdout).unwrap();
    for work in found["work"].as_array().unwrap() {
        let number = |key: &str| work[key].as_f64().unwrap();
        assert!(
            number("seconds") > 0.0 && number("seconds") < 60.0,
            "{work}"
        );
        let mean = number("seconds") / number("moves");
        assert!((number("seconds_per_move") - mean).abs() < 1e-9);
        assert!(number("longest_move") >= mean);
    }
    let text = place.good(&[
        "match",
        "default@mtdf:t0.01",
        "default@mtdf:t0.01",
        "--games",
        "2",
        "--time-margin",
        "30",
        "-q",
    ]);
    let note = "\nnote:   time and other programs decide, too: the same command may give other";
    assert!(text.contains(note), "{text}");
    assert!(text.contains("s/move"), "{text}");
}

#[test]
fn reports_say_what_was_played() {
    let place = Place::new();
    let rules = [
        "--max-plies",
        "60",
        "--no-moves",
        "passes",
        "--opening-plies",
        "6",
    ];
    let more = [
        &rules[..],
        &["--opening-bound", "25", "--seed", "9", "--games", "2"],
    ]
    .concat();
    for (command, players) in [
        (&["match", "default@memory:2", "random:1"][..], 2),
        (
            &[
                "gauntlet",
                "default@memory:2",
                "--against",
                "random:1",
                "random:2",
            ],
            3,
        ),
        (
            &["tournament", "default@memory:2", "random:1", "random:2"],
            3,
        ),
    ] {
        let args = [command, &more, &["--depth", "1", "--hash", "512"]].concat();
        let (found, messages, code) = played(&place, &args);
        assert_eq!(code, Some(0), "{messages}");
        let settings = &found["settings"];
        let all = settings["players"].as_array().unwrap();
        assert_eq!(all.len(), players);
        assert_eq!(
            (&all[0]["search"], &all[0]["depth"]),
            (&json!("memory"), &json!(2))
        );
        assert_eq!(
            (&all[1]["search"], &all[1]["depth"]),
            (&json!("mtdf"), &json!(1))
        );
        assert_eq!(all[1]["hash_kib"], 512);
        let openings = json!({"plies": 6, "bound": 25, "seed": 9, "file": null, "book": null});
        assert_eq!(settings["openings"], openings);
        assert_eq!(settings["rules"]["max_plies"], 60);
        assert_eq!(settings["engine"], SIGNATURE);
        assert_eq!(settings["repeatable"], true);
        let text = place.good(&args);
        for line in [
            "6 random opening plies, bound 25, seed 9\n",
            "limits: default@memory:2: memory, 2 plies a move, table 512 KiB\n",
            "limits: random:1: mtdf, 1 ply a move, table 512 KiB\n",
            "rules:  mover-wins, no moves: passes, repetition 3, 60 plies; engine ",
        ] {
            assert!(text.contains(line), "{text}");
        }
    }
}

#[test]
fn the_table_of_a_match_is_that_of_an_analysis() {
    let place = Place::new();
    let (found, _, _) = played(
        &place,
        &[
            "match", "default", "random:1", "--games", "2", "--depth", "1",
        ],
    );
    let help = place.good(&["analyse", "--help"]);
    let kib = found["settings"]["players"][0]["hash_kib"]
        .as_u64()
        .unwrap();
    let hash = help.split("--hash").nth(1).unwrap();
    let default = hash.split("[default: ").nth(1).unwrap();
    assert!(
        default.starts_with(&format!("{kib}]")),
        "{kib} against {hash}"
    );
}

#[test]
fn a_sequential_test_may_be_written_as_fastchess_does() {
    let place = Place::new();
    let with = |sprt: &[&str]| {
        let args = [
            "match", "default", "random:1", "--games", "8", "--depth", "1", "--sprt",
        ];
        let (found, messages, _) = played(&place, &[&args[..], sprt].concat());
        assert_eq!(messages, "");
        (found["sprt"].clone(), found["llr"].as_f64().unwrap())
    };
    let theirs = [
        "elo0=0",
        "elo1=5",
        "alpha=0.05",
        "beta=0.05",
        "model=normalized",
    ];
    let (normalised, llr) = with(&theirs);
    assert_eq!(normalised["model"], "normalized");
    assert_eq!(with(&["elo0=0 elo1=5 model=normalized"]).1, llr);
    let (logistic, other) = with(&["elo0=0,elo1=5"]);
    assert_eq!(logistic["model"], "logistic");
    assert_ne!(other, llr);
    let args = [
        "match", "default", "random:1", "--games", "4", "--depth", "1", "--sprt",
    ];
    let text = place.good(&[&args[..], &theirs].concat());
    assert!(text.contains(" [0, 5] normalised Elo: "), "{text}");
    let message = place.refused(&[&args[..], &["elo0=0", "elo1=5", "model=x"]].concat());
    let said = "invalid value 'elo0=0 elo1=5 model=x' for '--sprt <SETTINGS>': model = \"x\"";
    assert!(message.starts_with(said), "{message}");
}

#[test]
fn games_are_adjudicated_on_request() {
    let place = Place::new();
    let args = [
        "match", "default", "random:1", "--games", "20", "--depth", "2",
    ];
    let (whole, _, _) = played(&place, &args);
    assert_eq!(
        (&whole["adjudicated"], &whole["settings"]["adjudicate"]),
        (&json!(0), &Value::Null)
    );
    let rule = ["--adjudicate", "20,1", "--sgf", "g.sgf"];
    let (found, messages, code) = played(&place, &[&args[..], &rule].concat());
    assert_eq!((code, messages.as_str()), (Some(0), ""));
    assert_eq!(found["settings"]["adjudicate"], "20,1");
    let adjudicated = found["adjudicated"].as_u64().unwrap();
    assert!(adjudicated > 0);
    assert!(found["plies"].as_u64() < whole["plies"].as_u64());
    assert_eq!(found["on_board"]["games"], 20);
    let sgf = std::fs::read_to_string(place.path().join("g.sgf")).unwrap();
    assert_eq!(sgf.matches("+Resign]").count() as u64, adjudicated);
    assert!(sgf.contains("; adjudicated by the values of both players"));
    let text = place.good(&[&args[..], &rule[..2]].concat());
    assert!(
        text.contains(&format!("\nadjudicated: {adjudicated}\n")),
        "{text}"
    );
    assert!(
        text.contains("\nended:  as won at a value of 20 for 1 moves of both\n"),
        "{text}"
    );
    for bad in ["20", "0,1", "20,0", "x,1"] {
        let message = place.refused(&[&args[..], &["--adjudicate", bad]].concat());
        assert!(
            message.contains("must be VALUE,MOVES as in 500,3"),
            "{message}"
        );
    }
    for bad in ["0", "1+x", "0.0001+1"] {
        let message = place.refused(&[&args[..], &["--clock", bad]].concat());
        assert!(
            message.contains("must be BASE+INCREMENT in seconds"),
            "{message}"
        );
    }
}
