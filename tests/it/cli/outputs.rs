//! Where commands write what `-o`, `--sgf`, `--svg` and the like name: through
//! links, into FIFOs and devices, and never over a file without being told to.

use std::fs::{self, File};
use std::io::Read;
use std::os::unix::fs::{FileTypeExt, symlink};
use std::path::Path;
use std::process::{Command, Output};

use crate::support::binary::{Place, loatune, output_of};

const MATCH: [&str; 7] = [
    "match", "default", "random:1", "--games", "2", "--depth", "1",
];

/// A place with a population whose champion was found quickly.
fn place_with_champion() -> Place {
    let place = Place::new();
    let limits = ["--depth", "1", "--budget", "100", "--certificate-games"];
    let run = ["-q", "run", "--population", "mine", "--no-http"];
    place.good(&[&run[..], &limits, &["2", "--hall-games", "2"]].concat());
    place
}

fn match_into(file: &str) -> Vec<&str> {
    [&MATCH[..], &["--sgf", file]].concat()
}

fn make_fifo(path: &Path) {
    assert!(Command::new("mkfifo").arg(path).status().unwrap().success());
}

fn is_link(path: &Path) -> bool {
    path.symlink_metadata().unwrap().is_symlink()
}

#[track_caller]
fn assert_no_space_left(output: &Output, name: &str) {
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{said}");
    assert!(said.contains(&format!("cannot write {name}")), "{said}");
    assert!(said.contains("No space left on device"), "{said}");
}

#[test]
fn export_writes_what_a_path_leads_to() {
    let place = place_with_champion();
    let at = |name: &str| place.path().join(name);
    let champion = place.good(&["export"]);

    // A dangling link gets its target; with --force that is overwritten.
    symlink("target.toml", at("link.toml")).unwrap();
    place.good(&["export", "-o", "link.toml"]);
    assert!(is_link(&at("link.toml")));
    assert_eq!(fs::read_to_string(at("target.toml")).unwrap(), champion);
    fs::write(at("target.toml"), "old").unwrap();
    let message = place.refused(&["export", "-o", "link.toml"]);
    assert_eq!(
        message,
        "link.toml exists and is left alone; --force overwrites it\n"
    );
    assert_eq!(fs::read_to_string(at("target.toml")).unwrap(), "old");
    place.good(&["export", "-o", "link.toml", "--force"]);
    assert!(is_link(&at("link.toml")));
    assert_eq!(fs::read_to_string(at("target.toml")).unwrap(), champion);

    // Opened for both, a FIFO keeps what is written until it is read here.
    make_fifo(&at("fifo"));
    let both = File::options().read(true).write(true).open(at("fifo"));
    place.good(&["export", "-o", "fifo"]);
    assert!(fs::metadata(at("fifo")).unwrap().file_type().is_fifo());
    let mut read = vec![0; champion.len()];
    both.unwrap().read_exact(&mut read).unwrap();
    assert_eq!(String::from_utf8(read).unwrap(), champion);

    symlink("/dev/full", at("full")).unwrap();
    assert_no_space_left(&place.run(&["export", "-o", "full", "--force"]), "full");
    assert_eq!(fs::read_link(at("full")).unwrap(), Path::new("/dev/full"));
    let device = fs::metadata("/dev/full").unwrap().file_type();
    assert!(device.is_char_device());

    // The descriptor that the shell has opened, not a new file of its name.
    assert_eq!(place.good(&["export", "-o", "/dev/stdout"]), champion);
    let out = File::create(at("out.toml")).unwrap();
    let mut export = loatune(place.path());
    let export = export.args(["export", "-o", "/dev/stdout"]).stdout(out);
    assert!(export.status().unwrap().success());
    assert_eq!(fs::read_to_string(at("out.toml")).unwrap(), champion);

    // Pictures go the same way.
    fs::write(at("run.svg"), "old").unwrap();
    symlink("run.svg", at("svg")).unwrap();
    place.good(&["history", "--svg", "svg"]);
    assert!(is_link(&at("svg")));
    let picture = fs::read_to_string(at("run.svg")).unwrap();
    assert!(picture.starts_with("<svg "), "{picture}");
    assert_no_space_left(&place.run(&["history", "--png", "full"]), "full");

    let message = place.refused(&["export", "--force"]);
    assert!(message.contains("--output <PATH>"), "{message}");
}

#[test]
fn games_are_written_where_a_path_leads_to() {
    let place = Place::new();
    let at = |name: &str| place.path().join(name);
    symlink("games.sgf", at("link")).unwrap();
    place.good(&match_into("link"));
    assert!(is_link(&at("link")));
    let text = fs::read_to_string(at("games.sgf")).unwrap();
    assert!(text.starts_with("(;"), "{text}");

    make_fifo(&at("fifo"));
    let both = File::options().read(true).write(true).open(at("fifo"));
    place.good(&match_into("fifo"));
    assert!(fs::metadata(at("fifo")).unwrap().file_type().is_fifo());
    let mut read = vec![0; text.len()];
    both.unwrap().read_exact(&mut read).unwrap();
    assert_eq!(String::from_utf8(read).unwrap(), text);

    symlink("/dev/full", at("full")).unwrap();
    assert_no_space_left(&place.run(&match_into("full")), "full");
    assert!(is_link(&at("full")));
    let left = fs::read_dir(place.path()).unwrap().count();
    assert_eq!(left, 4, "no drafts are left");
}

#[test]
fn games_overwrite_no_file_without_force() {
    let place = Place::new().with("g.sgf", "mine");
    let file = place.path().join("g.sgf");
    let rest = ["--games", "2", "--depth", "1", "--sgf", "g.sgf"];
    let commands = [
        &["match", "default", "random:1"][..],
        &["gauntlet", "default", "--against", "random:1"],
        &["tournament", "default", "random:1"],
    ];
    for command in commands {
        let args = [command, &rest].concat();
        assert_eq!(
            place.refused(&args),
            "g.sgf exists and is left alone; --force overwrites it\n"
        );
        assert_eq!(fs::read_to_string(&file).unwrap(), "mine");
        place.good(&[&args[..], &["--force"]].concat());
        let text = fs::read_to_string(&file).unwrap();
        assert!(text.starts_with("(;"), "{text}");
        fs::write(&file, "mine").unwrap();
    }
    let message = place.refused(&[&MATCH[..], &["--force"]].concat());
    assert!(message.contains("--sgf <FILE>"), "{message}");
}

#[test]
fn parameters_and_saved_games_follow_links() {
    let place = Place::new();
    let at = |name: &str| place.path().join(name);
    symlink("mine.toml", at("link.toml")).unwrap();
    place.good(&["params", "init", "link.toml"]);
    assert!(is_link(&at("link.toml")));
    let text = fs::read_to_string(at("mine.toml")).unwrap();
    assert!(text.contains("[evolution]"), "{text}");
    place.refused(&["params", "init", "link.toml"]);
    symlink("/dev/full", at("full")).unwrap();
    assert_no_space_left(&place.run(&["params", "init", "full"]), "full");

    symlink("game.sgf", at("link.sgf")).unwrap();
    let mut play = loatune(place.path());
    let output = output_of(
        play.args(["play"]),
        "save link.sgf\nsave link.sgf\nsave! link.sgf\nsave full\nquit\n",
    );
    let said = String::from_utf8(output.stdout).unwrap();
    assert!(said.contains("link.sgf exists already"), "{said}");
    assert_eq!(said.matches("Saved to link.sgf.").count(), 2, "{said}");
    assert!(said.contains("Cannot write full: No space left"), "{said}");
    assert!(is_link(&at("link.sgf")) && is_link(&at("full")));
    let text = fs::read_to_string(at("game.sgf")).unwrap();
    assert!(text.starts_with("(;"), "{text}");
}
