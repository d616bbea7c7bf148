//! A population as a thing of its users: copied, renamed, looked at without being
//! touched, and taken apart into games.

mod diagnostics;
mod games;
mod looking;
mod other_genes;
mod other_users;
mod relocation;
mod temporary;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Output;
use std::sync::OnceLock;

use crate::support::binary::Place;

/// The name of the population in every [`place`].
const NAME: &str = "mine";

/// A run of a second, to its champion.
const PARAMS: &str = "\
[player]
depth = 1

[evolution]
population = 8
budget = 200

[final]
certificate_games = 4
hall_games = 2

[run]
seed = 7
";

/// A place with a finished population, which is made once.
fn place() -> Place {
    static MADE: OnceLock<Place> = OnceLock::new();
    let made = MADE.get_or_init(|| {
        let place = Place::new().with("params.toml", PARAMS);
        place.good(&["-q", "run", "--population", NAME, "--no-http"]);
        place
    });
    let place = Place::new();
    copy_dir(&directory(made), &directory(&place));
    place
}

fn directory(place: &Place) -> PathBuf {
    place.path().join("populations").join(NAME)
}

/// What `cp -r` does.
fn copy_dir(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let target = to.join(entry.file_name());
        if entry.file_type().unwrap().is_dir() {
            copy_dir(&entry.path(), &target);
        } else {
            fs::copy(entry.path(), target).unwrap();
        }
    }
}

/// Files with their content.
type Files = BTreeMap<PathBuf, Vec<u8>>;

/// Every file below a directory.
fn contents(dir: &Path) -> Files {
    let mut found = Files::new();
    for entry in fs::read_dir(dir).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.extend(contents(&path));
        } else {
            found.insert(path.clone(), fs::read(&path).unwrap());
        }
    }
    found
}

fn stderr(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).unwrap()
}

fn stdout(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).unwrap()
}
