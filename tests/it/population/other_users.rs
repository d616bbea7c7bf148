//! What is said where a population is open in another process: of another user,
//! or one that only shows it.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::time::{Duration, Instant};

use serde_json::Value;

use super::looking::ReadOnly;
use super::{NAME, directory, place, stderr, stdout};
use crate::support::binary::{Place, address};

/// A run that goes on for as long as a test needs it.
const LONG: &str = "[player]\ndepth = 1\n[evolution]\nbudget = 100000000\n";

#[test]
fn another_user_is_told_who_has_the_population() {
    let place = Place::new().with("params.toml", LONG);
    let run = place.start(&["run", "-p", NAME, "--no-http", "--threads", "1"]);
    let begin = Instant::now();
    while !place.run(&["status", "-p", NAME]).status.success() {
        assert!(begin.elapsed() < Duration::from_secs(60));
        std::thread::sleep(Duration::from_millis(50));
    }
    let Some(other) = ReadOnly::new(place) else {
        return;
    };
    if !other.is_root {
        eprintln!("SKIPPED: only the superuser can be another user as well");
        return;
    }
    let process = format!("process {}", run.id());
    let ask = |args: &[&str]| {
        let output = other.command(args).output().unwrap();
        (output.status.code(), stdout(&output), stderr(&output))
    };

    // It is not taken for one that is stopped, and who has it is said.
    let (code, out, said) = ask(&["status", "-p", NAME, "--json"]);
    let status: Value = serde_json::from_str(&out).unwrap();
    assert_eq!((code, &status["running"]), (Some(0), &Value::Bool(true)));
    assert!(said.contains(&process), "{said}");
    assert!(said.contains("may not ask"), "{said}");
    let (_, out, _) = ask(&["status", "-p", NAME]);
    assert!(!out.contains("to go on"), "{out}");
    let (_, out, _) = ask(&["list", "--json"]);
    let list: Value = serde_json::from_str(&out).unwrap();
    assert_eq!(list[0]["running"], true);

    for (args, words) in [
        (
            &["run", "-p", NAME, "--no-http"][..],
            "only its owner can go on",
        ),
        (&["stop", "-p", NAME], "of another user, who alone can"),
    ] {
        let (code, _, said) = ask(args);
        assert_eq!(code, Some(1), "{args:?}: {said}");
        assert!(said.contains(words), "{args:?}: {said}");
    }

    // Where not even the directory is open, nothing is claimed about what is in it.
    fs::set_permissions(directory(&other.place), fs::Permissions::from_mode(0o700)).unwrap();
    for args in [&["status"][..], &["stop"], &["serve"], &["export"]] {
        let (code, _, said) = ask(&[args, &["-p", NAME]].concat());
        assert_eq!(code, Some(1), "{args:?}: {said}");
        assert!(said.contains("belongs to another user"), "{args:?}: {said}");
    }
}

#[test]
fn a_population_that_is_shown_names_its_page() {
    let place = place();
    let mut shown = place.start(&["serve", "-p", NAME, "--http", "127.0.0.1:0"]);
    let page = format!("http://{}/", address(shown.stdout.take().unwrap()));
    let other = ["serve", "-p", NAME, "--http", "127.0.0.1:0"];
    for (args, code, words) in [
        (
            &other[..],
            2,
            "another process shows the population mine already",
        ),
        (
            &["run", "-p", NAME, "--no-http", "--budget", "999"],
            1,
            "end that process first",
        ),
        (&["stop", "-p", NAME], 2, "another process only shows it"),
    ] {
        let output = place.run(args);
        let said = stderr(&output);
        assert_eq!(output.status.code(), Some(code), "{args:?}: {said}");
        assert!(said.contains(words), "{args:?}: {said}");
        assert!(said.contains(&page), "{args:?}: {said}");
    }
    // The address of the page is taken, and that is said.
    let taken = page.trim_start_matches("http://").trim_end_matches('/');
    let output = place.run(&["run", "-p", "second", "--http", taken]);
    let said = stderr(&output);
    assert_eq!(output.status.code(), Some(1), "{said}");
    assert!(
        said.contains(&format!("cannot serve the page on {taken}")),
        "{said}"
    );
    assert!(said.contains("--no-http goes without"), "{said}");
}
