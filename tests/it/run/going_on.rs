//! Going on with a population: the printed command works as it is printed, a
//! population keeps its own parameters, and a finished one says that it is.

use std::fs;
use std::thread::sleep;
use std::time::Duration;

use super::{status, wait_for};
use crate::support::binary::{Place, Process};

/// Flags of a run that does not end by itself within a test.
const LONG: &[&str] = &["--depth", "1", "--budget", "1000000", "--no-http"];

/// Stops a run and gives the command that it prints to go on.
fn stop(place: &Place, population: &str, run: Process) -> String {
    let by_stop = place.good(&["stop", "--population", population]);
    let output = run.finish();
    assert_eq!(output.status.code(), Some(3));
    let message = String::from_utf8(output.stderr).unwrap();
    let (_, command) = message.rsplit_once("to go on: ").expect("it says how");
    let command = command.trim_end().to_owned();
    if !command.contains("--params") {
        assert_eq!(by_stop, format!("stopped; to go on: {command}\n"));
    }
    command
}

/// Starts a population, stops it, and gives the command that was printed.
fn begun(place: &Place, population: &str, args: &[&str]) -> String {
    let mut command = vec!["run"];
    command.extend(args);
    let run = place.shell(&shell_line("loatune", &command));
    wait_for(place, population, 1);
    stop(place, population, run)
}

fn shell_line(program: &str, args: &[&str]) -> String {
    let quoted = args.iter().map(|arg| format!(" '{arg}'"));
    format!("{program}{}", quoted.collect::<String>())
}

/// Runs the printed command, to which nothing is added: the population goes on
/// with the parameters that it has.
#[track_caller]
fn goes_on(place: &Place, population: &str, command: &str) {
    let before = status(place, population);
    let mut run = place.shell(command);
    sleep(Duration::from_millis(50));
    if let Some(ended) = run.try_wait().unwrap() {
        let output = run.finish();
        let message = String::from_utf8_lossy(&output.stderr);
        panic!("{command} ended with {ended}: {message}");
    }
    wait_for(place, population, before["games"].as_u64().unwrap() + 1);
    assert_eq!(stop(place, population, run), command);
    let after = status(place, population);
    assert_eq!(after["params"], before["params"]);
    assert_eq!(after["budget"], before["budget"]);
}

#[test]
fn the_printed_command_works_beside_a_file_of_defaults() {
    let place = Place::new().with("params.toml", include_str!("../../../params.toml"));
    let command = begun(&place, "default", LONG);
    assert_eq!(command, "loatune run");
    goes_on(&place, "default", &command);
}

#[test]
fn the_printed_command_works_after_params_init() {
    let place = Place::new();
    let mut args = vec!["-p", "two words"];
    args.extend(LONG);
    let command = begun(&place, "two words", &args);
    assert_eq!(command, "loatune run --population 'two words'");
    place.good(&["params", "init"]);
    goes_on(&place, "two words", &command);
    let told = place.good(&["status", "-p", "two words"]);
    let advice = format!("stopped; to go on: {command}\n");
    assert!(told.contains(&advice), "{told}");
}

/// A file that a flag overruled from the beginning says nothing new.
#[test]
fn a_file_counts_where_it_was_edited() {
    let file = "[player]\ndepth = 4\n[run]\nwindow = 6\n";
    let place = Place::new().with("params.toml", file);
    let command = begun(&place, "default", LONG);
    goes_on(&place, "default", &command);

    let edit = |from: &str, to: &str| {
        fs::write(place.path().join("params.toml"), file.replace(from, to)).unwrap();
    };
    edit("depth = 4", "depth = 2");
    let refused = place.refused(&["run", "--no-http"]);
    assert!(
        refused.contains("\n  player.depth: 1 -> 2 (params.toml:2)\n"),
        "{refused}"
    );
    assert!(!refused.contains("window"), "{refused}");
    assert!(refused.contains("--accept-changes"), "{refused}");
    // Back to the default is an edit, too.
    edit("window = 6", "window = 8");
    let refused = place.refused(&["run", "--no-http"]);
    assert!(
        refused.contains("\n  run.window: 6 -> 8 (params.toml:4)\n"),
        "{refused}"
    );
    // A key that is gone is no other value.
    edit(file, "");
    goes_on(&place, "default", &command);
    // What was accepted stays, beside a file that still says what it said.
    edit("", "");
    let accept = ["run", "--no-http", "--depth", "2", "--accept-changes"];
    let games = status(&place, "default")["games"].as_u64().unwrap();
    let run = place.shell(&shell_line("loatune", &accept));
    wait_for(&place, "default", games + 1);
    stop(&place, "default", run);
    goes_on(&place, "default", &command);
    for (args, told) in [
        (vec!["--depth", "3"], "player.depth: 2 -> 3 (--depth)"),
        (vec!["--window", "8"], "run.window: 6 -> 8 (--window)"),
    ] {
        let mut all = vec!["run", "--no-http"];
        all.extend(args);
        let refused = place.refused(&all);
        assert!(refused.contains(told), "{refused}");
    }
}

#[test]
fn a_file_that_was_named_is_named_again() {
    let own = "[player]\ndepth = 1\n[evolution]\nbudget = 900000\n[http]\nenabled = false\n";
    let place = Place::new()
        .with("params.toml", "[player]\ndepth = 2\n")
        .with("my own.toml", own);
    let command = begun(&place, "default", &["--params", "my own.toml"]);
    assert_eq!(command, "loatune run --params 'my own.toml'");
    goes_on(&place, "default", &command);
}

/// A preset is for new populations: with its flag and without, the one that
/// exists goes on.
#[test]
fn a_quick_run_goes_on() {
    let place = Place::new();
    let args = ["--quick", "--budget", "500000", "--depth", "1", "--no-http"];
    let command = begun(&place, "quick", &args);
    assert_eq!(command, "loatune run --population quick");
    place.good(&["params", "init"]);
    goes_on(&place, "quick", &command);

    let games = status(&place, "quick")["games"].as_u64().unwrap();
    let run = place.shell("loatune run --quick --no-http");
    wait_for(&place, "quick", games + 1);
    place.good(&["stop", "-p", "quick"]);
    let output = run.finish();
    let message = String::from_utf8(output.stderr).unwrap();
    assert!(
        message.contains(
            "--quick counts only for a new population; this one keeps evolution.budget = 500000"
        ),
        "{message}"
    );
    assert_eq!(output.status.code(), Some(3));
}
