//! What is left in the directory for temporary files: nothing, also by commands
//! that are killed.

use std::fs::{self, File};
use std::path::Path;
use std::process::Stdio;
use std::time::{Duration, Instant};

use super::{place, stderr};
use crate::support::binary::loatune;

fn names_in(dir: &Path) -> Vec<String> {
    let entries = fs::read_dir(dir).unwrap();
    let names = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap());
    names.collect()
}

/// Waits until `done`, or fails with what there is.
#[track_caller]
fn wait_until(dir: &Path, done: impl Fn(&[String]) -> bool) {
    let begin = Instant::now();
    while !done(&names_in(dir)) {
        let left = names_in(dir);
        assert!(begin.elapsed() < Duration::from_secs(60), "left: {left:?}");
        std::thread::sleep(Duration::from_millis(1));
    }
}

#[test]
fn a_killed_verify_leaves_no_directory_behind() {
    let place = place();
    let temporary = place.path().join("tmp");
    fs::create_dir(&temporary).unwrap();
    for kill in 0..5 {
        let mut verify = loatune(place.path())
            .args(["verify", "--all", "--threads", "1"])
            .env("TMPDIR", &temporary)
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        // It is killed when its directory is there: sooner or later after that.
        wait_until(&temporary, |names| !names.is_empty());
        std::thread::sleep(Duration::from_millis(5 * kill));
        verify.kill().unwrap();
        verify.wait().unwrap();
        wait_until(&temporary, <[String]>::is_empty);
    }
}

#[test]
fn what_killed_commands_left_is_removed_by_the_next_one() {
    let place = place();
    let temporary = place.path().join("tmp");
    let at = |name: &str| temporary.join(name);
    for name in ["dead", "alive", "new", "loatune-other"] {
        let name = match name {
            "loatune-other" => name.to_owned(),
            name => format!("loatune-scratch-{name}"),
        };
        fs::create_dir_all(at(&name).join("store")).unwrap();
    }
    File::create(at("loatune-scratch-dead").join("lock")).unwrap();
    let lock = File::create(at("loatune-scratch-alive").join("lock")).unwrap();
    lock.try_lock().unwrap();
    let mut command = loatune(place.path());
    let output = command.arg("verify").env("TMPDIR", &temporary).output();
    let output = output.unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let mut left = names_in(&temporary);
    left.sort();
    let expected = [
        "loatune-other",
        "loatune-scratch-alive",
        "loatune-scratch-new",
    ];
    assert_eq!(left, expected);
}
