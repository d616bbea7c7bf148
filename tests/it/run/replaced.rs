//! A population or a journal that is deleted, moved or replaced under a running
//! process, with the real binary.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Output;
use std::thread::sleep;
use std::time::{Duration, Instant};

use loatune::store::{Entry, FrameReader, decode};

use crate::support::binary::{Place, Process};

/// It does not end by itself.
const LONG: &[&str] = &["run", "--population", "mine", "--no-http", "--depth", "2"];

fn directory(place: &Place) -> PathBuf {
    place.path().join("populations/mine")
}

/// How many weights were imported, by the journal that has the name.
fn immigrants(journal: &Path) -> usize {
    let Ok(mut frames) = FrameReader::open(journal) else {
        return 0;
    };
    let mut found = 0;
    frames.next_frame().unwrap();
    while let Some(payload) = frames.next_frame().unwrap() {
        let entry: Entry = decode(payload).unwrap();
        found += usize::from(matches!(entry, Entry::Immigrant { .. }));
    }
    found
}

/// A run that has saved some matches since it was started.
fn running(place: &Place) -> Process {
    let journal = directory(place).join("journal");
    let size = || fs::metadata(&journal).map_or(0, |found| found.len());
    let (before, begin) = (size(), Instant::now());
    let mut run = place.start(LONG);
    while size() < before + 4_000 {
        assert!(run.try_wait().unwrap().is_none(), "it has ended");
        assert!(
            begin.elapsed() < Duration::from_secs(120),
            "it does not play"
        );
        sleep(Duration::from_millis(10));
    }
    run
}

/// The run has ended within some seconds, with one message.
#[track_caller]
fn ends(mut run: Process, what: &str) {
    let begin = Instant::now();
    while run.try_wait().unwrap().is_none() {
        assert!(begin.elapsed() < Duration::from_secs(120), "it goes on");
        sleep(Duration::from_millis(20));
    }
    let Output { status, stderr, .. } = run.finish();
    let message = String::from_utf8(stderr).unwrap();
    assert_eq!(status.code(), Some(1), "{message}");
    assert_eq!(message.matches("journal was ").count(), 1, "{message}");
    assert!(message.contains(what), "{message}");
    assert!(!message.contains("panicked"), "{message}");
}

#[test]
fn a_population_that_is_deleted_ends_its_run() {
    let place = Place::new();
    let run = running(&place);
    // The run may write a file meanwhile, so that a directory is not empty.
    while fs::remove_dir_all(directory(&place)).is_err() {}
    ends(run, "journal was deleted or moved away");
    assert!(!directory(&place).exists(), "nothing is made anew");
}

#[test]
fn a_population_that_is_moved_ends_its_run_and_goes_on_elsewhere() {
    let place = Place::new();
    let run = running(&place);
    let there = place.path().join("populations/yours");
    fs::rename(directory(&place), &there).unwrap();
    ends(run, "journal was deleted or moved away");
    assert!(!directory(&place).exists(), "nothing is made anew");
    let verified = place.json(&["-q", "verify", "--population", "yours", "--json"]);
    assert_eq!(verified["ok"], true, "{verified}");
}

#[test]
fn no_import_is_acknowledged_that_is_not_in_the_file() {
    let place = Place::new();
    let journal = directory(&place).join("journal");
    for times in 0..3 {
        let run = running(&place);
        let import = ["-q", "import", "default", "--population", "mine"];
        assert_eq!(place.run(&import).status.code(), Some(0));
        let before = immigrants(&journal);
        assert!(before > 0);
        // An editor or a restored backup takes the journal's place.
        let copy = place.path().join("copy");
        fs::copy(&journal, &copy).unwrap();
        fs::rename(&copy, &journal).unwrap();
        // The daemon answers, or has ended and the command opens the population.
        let acknowledged = place.run(&import).status.success();
        let expected = before + usize::from(acknowledged);
        assert_eq!(immigrants(&journal), expected, "time {times}");
        ends(run, "journal was replaced by another file");
        assert_eq!(immigrants(&journal), expected, "time {times}");
    }
}
