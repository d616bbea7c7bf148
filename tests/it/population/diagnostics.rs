//! What a command says beside its data, and how it ends where the data cannot be
//! written.

use std::fs::File;

use super::{NAME, PARAMS, place, stderr};
use crate::support::binary::{Place, loatune};

/// sled's lines come only where `RUST_LOG` names it.
#[test]
fn sled_says_nothing_unless_it_is_asked() {
    let place = place();
    let said = |log: &str, args: &[&str]| {
        let mut command = loatune(place.path());
        let output = command.env("RUST_LOG", log).args(args).output().unwrap();
        assert!(output.status.success());
        stderr(&output)
    };
    let of_sled = |text: &str| text.contains("pagecache");
    for quiet in [said("trace", &["status"]), said("", &["status", "-vvv"])] {
        assert!(!of_sled(&quiet), "{quiet}");
    }
    let asked = said("warn,sled=trace", &["status"]);
    assert!(of_sled(&asked), "{asked}");
}

/// A run whose output cannot be written fails alike, whether it has just been
/// played or was finished before.
#[test]
fn a_full_output_ends_every_run_the_same_way() {
    let place = Place::new().with("params.toml", PARAMS);
    let run = || {
        let full = File::options().write(true).open("/dev/full").unwrap();
        let mut command = loatune(place.path());
        command.args(["-q", "run", "-p", NAME, "--no-http"]);
        let output = command.stdout(full).output().unwrap();
        (output.status.code(), stderr(&output))
    };
    let new = run();
    assert_eq!(new.0, Some(1));
    assert_eq!(
        new.1,
        "loatune: error: cannot write to standard output: No space left on device (os error 28)\n"
    );
    assert_eq!(run(), new);
}
