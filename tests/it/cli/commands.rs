//! The real binary, in a fresh directory with a clean environment.

use std::fs;
use std::io::{BufRead, BufReader, Read};
use std::path::Path;
use std::process::{Command, Output, Stdio};

use serde_json::{Value, json};
use tempfile::TempDir;

use crate::support::binary::{loatune, output_of};

const START: &str = "1xxxxxx1/o6o/o6o/o6o/o6o/o6o/o6o/1xxxxxx1 x";
/// Both sides are connected, after a capture by x.
const BOTH: &str = "8/8/8/8/6x1/6x1/o1o5/1o6 o";
/// x is connected and o is to move.
const WON_BY_X: &str = "1x6/1x6/2x5/6o1/1o5o/5o2/2o5/8 o";
/// Black's two pieces are walled in.
const WALLED_IN: &str = "6ox/6oo/8/8/8/8/oo6/xo6 x";

/// A directory of its own to run in.
struct Place(TempDir);

impl Place {
    fn new() -> Place {
        Place(tempfile::tempdir().unwrap())
    }

    fn path(&self) -> &Path {
        self.0.path()
    }

    fn with(file: &str, text: &str) -> Place {
        let place = Place::new();
        fs::write(place.path().join(file), text).unwrap();
        place
    }

    fn command(&self, args: &[&str]) -> Command {
        let mut command = loatune(self.path());
        command.args(args);
        command
    }

    fn run(&self, args: &[&str]) -> Output {
        self.command(args).output().unwrap()
    }
}

fn run(args: &[&str]) -> Output {
    Place::new().run(args)
}

fn text(bytes: &[u8]) -> &str {
    std::str::from_utf8(bytes).unwrap()
}

/// What a command prints that must succeed and say nothing else.
#[track_caller]
fn good(output: &Output) -> &str {
    assert_eq!(text(&output.stderr), "");
    assert_eq!(output.status.code(), Some(0));
    text(&output.stdout)
}

#[track_caller]
fn json_of(output: &Output) -> Value {
    let printed = good(output);
    assert_eq!(printed.lines().count(), 1, "one line of JSON");
    serde_json::from_str(printed).unwrap()
}

/// The message of a command that must fail.
#[track_caller]
fn bad(output: &Output, code: i32) -> &str {
    assert_eq!(text(&output.stdout), "");
    assert_eq!(output.status.code(), Some(code), "{}", text(&output.stderr));
    let message = text(&output.stderr);
    message
        .strip_prefix("loatune: error: ")
        .unwrap_or_else(|| panic!("the message begins otherwise: {message}"))
}

fn fields(value: &Value) -> Vec<&str> {
    let object = value.as_object().unwrap();
    object.keys().map(String::as_str).collect()
}

// ---- perft

#[test]
fn perft_counts_from_the_start() {
    let found = json_of(&run(&["perft", "4", "--json"]));
    assert_eq!(
        fields(&found),
        [
            "depth",
            "nodes",
            "captures",
            "wins",
            "seconds",
            "nodes_per_second"
        ]
    );
    assert_eq!(found["depth"], 4);
    assert_eq!(found["nodes"], 1_563_208);
    assert_eq!(found["wins"], 0);
    assert!(found["seconds"].as_f64().unwrap() > 0.0);
    assert!(found["nodes_per_second"].as_u64().unwrap() > 0);
}

#[test]
#[ignore = "counts two thousand million positions, which takes several seconds"]
fn perft_counts_deep_from_the_start() {
    let found = json_of(&run(&["perft", "6", "--json"]));
    assert_eq!(found["nodes"], 1_938_494_632);
    assert_eq!(found["captures"], 286_320_692);
}

#[test]
fn perft_in_full_gives_the_same_numbers() {
    let position = "8/2x5/8/3x4/3oo3/8/6o1/x7 o";
    let count = |extra: &[&str]| {
        let mut args = vec!["perft", "4", "--json", "--position", position];
        args.extend(extra);
        let found = json_of(&run(&args));
        ["nodes", "captures", "wins"].map(|field| found[field].as_u64().unwrap())
    };
    let bulk = count(&[]);
    assert!(bulk.iter().all(|&number| number > 0), "{bulk:?}");
    assert_eq!(count(&["--full"]), bulk);
    assert_eq!(count(&["--divide"]), bulk);
    assert_eq!(count(&["--divide", "--full"]), bulk);
}

#[test]
fn perft_divides_by_move() {
    let found = json_of(&run(&["perft", "3", "--divide", "--json"]));
    assert_eq!(fields(&found).last(), Some(&"moves"));
    let moves = found["moves"].as_object().unwrap();
    assert_eq!(moves.len(), 36);
    let sum: u64 = moves.values().map(|nodes| nodes.as_u64().unwrap()).sum();
    assert_eq!(sum, 44_952);
    assert_eq!(found["nodes"], 44_952);
    let names: Vec<_> = moves.keys().collect();
    assert!(names.is_sorted());
    assert!(moves.contains_key("b1-b3") && moves.contains_key("c1xa3"));
}

#[test]
fn perft_is_readable_without_json() {
    let output = run(&["perft", "4"]);
    let printed = good(&output);
    let widths: Vec<_> = printed.lines().map(str::len).collect();
    assert_eq!(widths.len(), 5);
    assert!(widths.iter().all(|&width| width == widths[0]), "{printed}");
    assert!(printed.contains(" 1,563,208 "), "{printed}");

    let output = run(&["perft", "2", "--divide"]);
    let printed = good(&output);
    assert!(printed.lines().any(|line| line.starts_with("c1xa3 ")));
}

#[test]
fn perft_of_depth_0_is_the_position_itself() {
    let found = json_of(&run(&["perft", "0", "--divide", "--json"]));
    assert_eq!(found["nodes"], 1);
    assert_eq!(found["moves"], json!({}));
    assert!(good(&run(&["perft", "0"])).contains(" 1 "));
}

#[test]
fn perft_of_a_finished_position_is_0() {
    for position in [BOTH, WON_BY_X, WALLED_IN] {
        let found = json_of(&run(&[
            "perft",
            "3",
            "--json",
            "--divide",
            "--position",
            position,
        ]));
        assert_eq!(found["nodes"], 0, "{position}");
        assert_eq!(found["moves"], json!({}), "{position}");
    }
}

#[test]
fn perft_follows_the_rules() {
    let args = ["perft", "1", "--json", "--divide", "--no-moves", "passes"];
    let mut args = args.to_vec();
    args.extend(["--position", WALLED_IN]);
    let found = json_of(&run(&args));
    assert_eq!(found["nodes"], 1);
    assert_eq!(found["moves"], json!({ "pass": 1 }));
}

#[test]
fn perft_takes_its_position_in_any_place() {
    let nodes = |args: &[&str]| json_of(&run(args))["nodes"].clone();
    let (board, side) = START.split_once(' ').unwrap();
    assert_eq!(nodes(&["perft", "--json", "--position", START, "2"]), 1244);
    assert_eq!(
        nodes(&["perft", "2", "--position", board, side, "--json"]),
        1244
    );
    assert_eq!(
        nodes(&["perft", "--position", board, side, "2", "--json"]),
        1244
    );
    assert_eq!(nodes(&["perft", "--position", START, "--json", "2"]), 1244);
}

#[test]
fn perft_wants_a_depth_in_its_range() {
    for depth in ["13", "99999999999", "-1", "four", "1.5", ""] {
        let output = run(&["perft", depth]);
        let message = bad(&output, 2);
        if depth != "-1" {
            assert!(message.contains("an integer from 0 to 12"), "{message}");
        }
    }
    bad(&run(&["perft"]), 2);
    let output = run(&["perft", "--position", START]);
    assert!(bad(&output, 2).contains("the depth is missing"));
    let output = run(&["perft", "--position", START, "13"]);
    assert!(bad(&output, 2).contains("from 0 to 12"));
}

// ---- moves

#[test]
fn moves_lists_what_is_legal() {
    let found = json_of(&run(&["moves", START, "--json"]));
    assert_eq!(
        fields(&found),
        [
            "position",
            "side_to_move",
            "legal_moves",
            "result",
            "reason"
        ]
    );
    assert_eq!(found["position"], START);
    assert_eq!(found["side_to_move"], "x");
    assert_eq!(found["result"], Value::Null);
    assert_eq!(found["reason"], Value::Null);
    let moves: Vec<_> = found["legal_moves"].as_array().unwrap().iter().collect();
    let moves: Vec<_> = moves.iter().map(|mv| mv.as_str().unwrap()).collect();
    assert_eq!(moves.len(), 36);
    assert!(moves.is_sorted());
    assert_eq!(moves[..3], ["b1-b3", "b1-d3", "b1-h1"]);
    assert!(moves.contains(&"f8xh6"));
}

#[test]
fn moves_agrees_with_an_independent_implementation() {
    let data: Value = serde_json::from_str(include_str!("../../data/positions.json")).unwrap();
    let all = data["positions"].as_array().unwrap();
    for case in all.iter().filter(|case| case["terminal"] == false).take(12) {
        let found = json_of(&run(&["moves", "--json", case["fen"].as_str().unwrap()]));
        let mut moves = found["legal_moves"].clone();
        for mv in moves.as_array_mut().unwrap() {
            *mv = mv.as_str().unwrap().replace('x', "-").into();
        }
        let sorted = |list: &Value| {
            let mut list: Vec<_> = list
                .as_array()
                .unwrap()
                .iter()
                .map(Value::to_string)
                .collect();
            list.sort();
            list
        };
        assert_eq!(
            sorted(&moves),
            sorted(&case["legal_moves"]),
            "{}",
            case["fen"]
        );
    }
}

#[test]
fn moves_says_how_a_game_ended() {
    let end = |args: &[&str]| {
        let found = json_of(&run(&[&["moves", "--json"], args].concat()));
        assert_eq!(found["legal_moves"], json!([]), "{args:?}");
        (found["result"].clone(), found["reason"].clone())
    };
    assert_eq!(end(&[WON_BY_X]), (json!("x"), json!("connected")));
    assert_eq!(end(&[BOTH]), (json!("x"), json!("both-connected")));
    assert_eq!(
        end(&[BOTH, "--simultaneous", "draw"]),
        (json!("draw"), json!("both-connected"))
    );
    assert_eq!(end(&[WALLED_IN]), (json!("o"), json!("no-moves")));

    let output = run(&["moves", WON_BY_X]);
    assert_eq!(good(&output), "x wins: all its pieces are connected\n");
}

#[test]
fn a_side_without_a_move_passes_where_the_rules_say_so() {
    let found = json_of(&run(&[
        "moves",
        "--json",
        "--no-moves",
        "passes",
        WALLED_IN,
    ]));
    assert_eq!(found["legal_moves"], json!(["pass"]));
    assert_eq!(found["result"], Value::Null);
    let output = run(&["moves", "--no-moves=passes", WALLED_IN]);
    assert_eq!(good(&output), "x to move: 1 legal move, 0 captures\npass\n");
}

#[test]
fn a_position_is_one_argument_or_several_or_standard_input() {
    let quoted = run(&["moves", START, "--json"]);
    let (board, side) = START.split_once(' ').unwrap();
    assert_eq!(run(&["moves", board, side, "--json"]), quoted);
    assert_eq!(run(&["moves", "--json", board, side]), quoted);
    let place = Place::new();
    let mut command = place.command(&["moves", "--json", "-"]);
    let piped = output_of(&mut command, format!("{START}\n"));
    assert_eq!(piped, quoted);
}

#[test]
fn bad_positions_are_bad_usage() {
    for position in [
        "",
        "x",
        "1xxxxxx1/o6o x",
        "1xxxxxx1/o6o/o6o/o6o/o6o/o6o/o6o/1xxxxxx2 x",
        "1xxxxxx1/o6o/o6o/o6o/o6o/o6o/o6o/1xxxxxxz x",
        "1xxxxxx1/o6o/o6o/o6o/o6o/o6o/o6o/1xxxxxx1 q",
        "xxxxxxxx/xxxxxxxx/8/8/8/8/8/o7 x",
    ] {
        for command in [&["moves"][..], &["show"], &["perft", "1", "--position"]] {
            let output = run(&[command, &[position]].concat());
            let message = bad(&output, 2);
            assert!(message.starts_with("bad position: "), "{message}");
            assert_eq!(message.lines().count(), 1, "{message}");
        }
    }
    let place = Place::new();
    let mut command = place.command(&["show", "-"]);
    bad(&output_of(&mut command, ""), 2);
    let mut command = place.command(&["show", "-"]);
    bad(&output_of(&mut command, [0xff, b'x']), 2);
}

// ---- show

#[test]
fn show_draws_the_board() {
    let output = run(&["show", "8/2x5/8/3x4/3oo3/8/6o1/x7", "o"]);
    let expected = "    a b c d e f g h
  8 . . . . . . . . 8
  7 . . x . . . . . 7
  6 . . . . . . . . 6
  5 . . . x . . . . 5
  4 . . . o o . . . 4
  3 . . . . . . . . 3
  2 . . . . . . o . 2
  1 x . . . . . . . 1
    a b c d e f g h

8/2x5/8/3x4/3oo3/8/6o1/x7 o
x: 3 pieces in 3 groups
o: 3 pieces in 2 groups
o to move
";
    assert_eq!(good(&output), expected);
    let output = run(&["show", WALLED_IN]);
    assert!(good(&output).ends_with("\no wins: the side to move has no legal move\n"));
}

#[test]
fn show_gives_its_facts_as_json() {
    let found = json_of(&run(&["show", "--json", BOTH, "--simultaneous=draw"]));
    let expected = json!({
        "position": BOTH,
        "side_to_move": "o",
        "pieces": { "x": 2, "o": 3 },
        "groups": { "x": 1, "o": 1 },
        "result": "draw",
        "reason": "both-connected",
    });
    assert_eq!(found, expected);
    assert_eq!(fields(&found), fields(&expected));
}

#[test]
fn colour_is_for_terminals_and_for_those_who_insist() {
    let place = Place::new();
    let coloured = |variables: &[(&str, &str)]| {
        let mut command = place.command(&["show", START]);
        command.env("TERM", "xterm-256color");
        let output = command.envs(variables.iter().copied()).output().unwrap();
        good(&output).contains('\u{1b}')
    };
    assert!(!coloured(&[]));
    assert!(!coloured(&[("NO_COLOR", "1")]));
    assert!(coloured(&[("CLICOLOR_FORCE", "1")]));
}

// ---- parameters

#[test]
fn a_flag_wins_over_the_environment_and_that_over_the_file() {
    let file = |rule: &str| format!("[rules]\nno_moves = \"{rule}\"\n");
    let place = Place::with("params.toml", &file("passes"));
    let may_pass = |flag: Option<&str>, variable: Option<&str>| {
        let mut command = place.command(&["moves", "--json", WALLED_IN]);
        command.args(flag.map(|rule| format!("--no-moves={rule}")));
        command.envs(variable.map(|rule| ("LOATUNE_NO_MOVES", rule)));
        json_of(&command.output().unwrap())["legal_moves"] == json!(["pass"])
    };
    assert!(may_pass(None, None), "the file");
    assert!(!may_pass(None, Some("loses")), "the environment");
    assert!(may_pass(Some("passes"), Some("loses")), "the flag");
    assert!(!may_pass(Some("loses"), Some("passes")), "the flag");
    // Without any of them: the built-in default.
    let found = json_of(&run(&["moves", "--json", WALLED_IN]));
    assert_eq!(found["result"], "o");
}

#[test]
fn a_named_file_replaces_the_usual_one() {
    let place = Place::with("params.toml", "[rules]\nsimultaneous = \"mover-wins\"\n");
    fs::write(
        place.path().join("olympiad.toml"),
        "[rules]\nsimultaneous = \"draw\"\n",
    )
    .unwrap();
    let result = |command: &mut Command| json_of(&command.output().unwrap())["result"].clone();
    let args = ["moves", "--json", BOTH];
    assert_eq!(result(&mut place.command(&args)), "x");
    let mut by_variable = place.command(&args);
    by_variable.env("LOATUNE_PARAMS", "olympiad.toml");
    assert_eq!(result(&mut by_variable), "draw");
    assert_eq!(result(by_variable.args(["--params", "params.toml"])), "x");
    let mut by_flag = place.command(&args);
    assert_eq!(result(by_flag.args(["--params", "olympiad.toml"])), "draw");
}

#[test]
fn the_file_of_the_repository_is_accepted() {
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/params.toml");
    good(&run(&["moves", "--params", file, START]));
}

#[test]
fn all_problems_of_a_file_come_at_once_with_their_lines() {
    let place = Place::with(
        "params.toml",
        "[rules]\nsimultaneous = \"both\"\nrepetition = 1\nmax_ply = 100\n\n[motor]\ndepth = 3\n",
    );
    for command in [&["moves", START][..], &["show", START], &["perft", "1"]] {
        assert_eq!(
            bad(&place.run(command), 2),
            "4 problems in the parameters\n  \
             params.toml:2: rules.simultaneous = \"both\": must be \"mover-wins\" or \"draw\"\n  \
             params.toml:3: rules.repetition = 1: must be an integer, 0 (off) or at least 2\n  \
             params.toml:4: unknown key rules.max_ply: the keys of [rules] are simultaneous, \
             no_moves, repetition, max_plies\n  \
             params.toml:6: unknown group [motor]: the groups are [rules], [genome], [engine], \
             [player], [openings], [evolution], [school], [final], [run], [fleet], [http]\n"
        );
    }
}

#[test]
fn a_file_that_cannot_be_read_is_named() {
    let output = run(&["moves", "--params", "nowhere/p.toml", START]);
    let message = bad(&output, 2);
    assert!(
        message.starts_with("cannot read parameters from nowhere/p.toml: "),
        "{message}"
    );
    let place = Place::new();
    let mut command = place.command(&["perft", "1"]);
    command.env("LOATUNE_PARAMS", "absent.toml");
    assert!(bad(&command.output().unwrap(), 2).contains("absent.toml"));

    let broken = Place::with("params.toml", "[rules\n");
    let output = broken.run(&["perft", "1"]);
    assert!(bad(&output, 2).starts_with("params.toml:1: "));
    let binary = Place::new();
    fs::write(binary.path().join("params.toml"), [0xff, 0xfe]).unwrap();
    assert!(bad(&binary.run(&["perft", "1"]), 2).contains("params.toml"));
}

#[test]
fn values_of_flags_and_variables_are_checked() {
    for (flag, variable, value, allowed) in [
        (
            "--simultaneous",
            "LOATUNE_SIMULTANEOUS",
            "both",
            "must be \"mover-wins\" or \"draw\"",
        ),
        (
            "--no-moves",
            "LOATUNE_NO_MOVES",
            "",
            "must be \"loses\" or \"passes\"",
        ),
        (
            "--repetition",
            "LOATUNE_REPETITION",
            "1",
            "must be an integer, 0 (off) or at least 2",
        ),
        (
            "--max-plies",
            "LOATUNE_MAX_PLIES",
            "-5",
            "must be an integer from 20 to 2000",
        ),
    ] {
        let expected = |name| format!("invalid value '{value}' for {name}: {allowed}\n");
        let output = run(&["moves", START, flag, value]);
        assert!(bad(&output, 2).starts_with(&expected(flag)), "{output:?}");
        let place = Place::new();
        let mut command = place.command(&["moves", START]);
        let output = command.env(variable, value).output().unwrap();
        assert!(
            bad(&output, 2).starts_with(&expected(variable)),
            "{output:?}"
        );
    }
}

// ---- the command line itself

#[test]
fn bad_usage_has_its_own_exit_code() {
    for args in [
        &["moves"][..],
        &["moves", START, "--nonsense"],
        &["nonsense"],
        &["completions", "tcl"],
        &["perft", "1", "2"],
        &["-v", "-q", "perft", "1"],
    ] {
        bad(&run(args), 2);
    }
    let output = run(&[]);
    assert_eq!(output.status.code(), Some(2));
    assert_eq!(text(&output.stdout), "");
    assert!(text(&output.stderr).contains("Usage: loatune"));
}

#[test]
fn version_and_help() {
    let version = concat!("loatune ", env!("CARGO_PKG_VERSION"), "\n");
    assert_eq!(good(&run(&["--version"])), version);
    for command in [
        "run",
        "status",
        "stop",
        "list",
        "export",
        "import",
        "history",
        "games",
        "serve",
        "verify",
        "repair",
        "copy",
        "rename",
        "systemd",
        "worker",
        "fleet",
        "perft",
        "moves",
        "show",
        "analyse",
        "bench",
        "weights",
        "params",
        "match",
        "gauntlet",
        "tournament",
        "experiment",
        "certify",
        "play",
        "ugi",
        "completions",
        "man",
    ] {
        assert!(good(&run(&["--help"])).contains(&format!("\n  {command} ")));
        for args in [&[command, "--help"], &["help", command], &[command, "-h"]] {
            let output = run(args);
            let help = good(&output);
            assert!(help.contains(&format!("\n  loatune {command} ")), "{help}");
        }
    }
    let output = run(&["moves", "--help"]);
    let help = good(&output);
    for rule in ["mover-wins", "loses", "3", "200"] {
        assert!(help.contains(&format!("[default: {rule}]")), "{help}");
    }
    assert!(help.contains("LOATUNE_MAX_PLIES"));
}

#[test]
fn completions_name_the_commands() {
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let output = run(&["completions", shell]);
        let script = good(&output);
        for word in [
            "perft",
            "moves",
            "show",
            "man",
            "simultaneous",
            "mover-wins",
        ] {
            // PowerShell and Elvish complete names, not values.
            let values = !["elvish", "powershell"].contains(&shell);
            if values || word != "mover-wins" {
                assert!(script.contains(word), "{word} is not in {shell}'s");
            }
        }
    }
}

#[test]
fn the_manual_is_printed_or_written() {
    let place = Place::new();
    let output = place.run(&["man"]);
    let main = good(&output);
    assert!(main.contains(".TH loatune 1"), "{main}");
    assert!(main.contains("loatune\\-perft(1)"), "{main}");

    assert_eq!(good(&place.run(&["man", "--dir", "share/man1"])), "");
    let dir = place.path().join("share/man1");
    assert_eq!(fs::read_to_string(dir.join("loatune.1")).unwrap(), main);
    let mut files: Vec<_> = fs::read_dir(&dir)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    files.sort();
    assert_eq!(
        files,
        [
            "loatune-analyse.1",
            "loatune-bench.1",
            "loatune-blunders.1",
            "loatune-book-build.1",
            "loatune-book-export.1",
            "loatune-book-merge.1",
            "loatune-book-prune.1",
            "loatune-book-show.1",
            "loatune-book.1",
            "loatune-certify.1",
            "loatune-completions.1",
            "loatune-copy.1",
            "loatune-experiment.1",
            "loatune-export.1",
            "loatune-features.1",
            "loatune-fit.1",
            "loatune-fleet.1",
            "loatune-games.1",
            "loatune-gauntlet.1",
            "loatune-history.1",
            "loatune-import.1",
            "loatune-list.1",
            "loatune-man.1",
            "loatune-match.1",
            "loatune-moves.1",
            "loatune-params-check.1",
            "loatune-params-init.1",
            "loatune-params-show.1",
            "loatune-params.1",
            "loatune-perft.1",
            "loatune-play.1",
            "loatune-rename.1",
            "loatune-repair.1",
            "loatune-run.1",
            "loatune-serve.1",
            "loatune-show.1",
            "loatune-solve.1",
            "loatune-status.1",
            "loatune-stop.1",
            "loatune-suite.1",
            "loatune-systemd.1",
            "loatune-tournament.1",
            "loatune-ugi.1",
            "loatune-verify.1",
            "loatune-weights.1",
            "loatune-worker.1",
            "loatune.1",
        ]
    );
    let page = fs::read_to_string(dir.join("loatune-perft.1")).unwrap();
    assert!(page.contains("\\-\\-divide"), "{page}");
    assert!(page.contains("Examples:"), "{page}");
}

#[test]
fn a_manual_that_cannot_be_written_is_a_failure() {
    let place = Place::with("file", "");
    let output = place.run(&["man", "--dir", "file/man1"]);
    assert!(bad(&output, 1).starts_with("cannot make file/man1: "));
}

#[test]
fn diagnostics_go_to_standard_error_when_asked_for() {
    let place = Place::with("params.toml", "");
    let told = |args: &[&str], log: Option<&str>| {
        let mut command = place.command(&["moves", "--json", START]);
        let output = command
            .args(args)
            .envs(log.map(|level| ("RUST_LOG", level)))
            .output()
            .unwrap();
        assert_eq!(output.status.code(), Some(0));
        assert!(text(&output.stdout).starts_with('{'));
        text(&output.stderr).to_owned()
    };
    assert_eq!(told(&[], None), "");
    assert!(told(&["-v"], None).contains("parameters from params.toml"));
    assert!(!told(&["-v"], None).contains("position text"));
    assert!(told(&["-vv"], None).contains("position text"));
    assert!(told(&[], Some("info")).contains("parameters from params.toml"));
    assert_eq!(told(&["-q"], Some("trace")), "");
}

/// A reader that closes the pipe after the first line, like `head -1`.
#[test]
fn a_closed_pipe_is_no_failure() {
    let place = Place::new();
    for args in [
        &["perft", "4", "--divide"][..],
        &["moves", START],
        &["completions", "bash"],
        &["man"],
        &["help"],
    ] {
        let mut child = Command::new(env!("CARGO_BIN_EXE_loatune"))
            .args(args)
            .current_dir(place.path())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        if args[0] == "perft" {
            let mut line = String::new();
            let mut reader = BufReader::with_capacity(1, child.stdout.take().unwrap());
            reader.read_line(&mut line).unwrap();
            assert!(line.starts_with("depth"));
        }
        drop(child.stdout.take());
        let mut message = String::new();
        let mut stderr = child.stderr.take().unwrap();
        stderr.read_to_string(&mut message).unwrap();
        assert_eq!(message, "", "{args:?}");
        assert_eq!(child.wait().unwrap().code(), Some(0), "{args:?}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_a_failure() {
    let place = Place::new();
    let full = fs::OpenOptions::new()
        .write(true)
        .open("/dev/full")
        .unwrap();
    let output = Command::new(env!("CARGO_BIN_EXE_loatune"))
        .args(["moves", START])
        .current_dir(place.path())
        .stdout(full)
        .stderr(Stdio::piped())
        .output()
        .unwrap();
    assert!(bad(&output, 1).starts_with("cannot write to standard output: "));
}
