//! Populations that can be read but not written, and damaged ones: commands that
//! look do not touch them.

use std::fs;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use super::{Files, NAME, contents, directory, place, stderr, stdout};
use crate::support::binary::{Place, address, loatune};
use crate::support::client::get;

/// Everything below a path, itself included, gets the rights of `mode`, and
/// directories may be searched.
fn allow(path: &Path, mode: u32) {
    let is_dir = path.is_dir();
    let search = if is_dir { 0o111 } else { 0 };
    fs::set_permissions(path, fs::Permissions::from_mode(mode | search)).unwrap();
    if is_dir {
        for entry in fs::read_dir(path).unwrap() {
            allow(&entry.unwrap().path(), mode);
        }
    }
}

/// A place whose population nobody but the superuser can write.
pub(super) struct ReadOnly {
    pub(super) place: Place,
    pub(super) is_root: bool,
}

impl ReadOnly {
    /// `None` where the superuser cannot become somebody else.
    pub(super) fn new(place: Place) -> Option<ReadOnly> {
        let is_root = fs::metadata(place.path()).unwrap().uid() == 0;
        if is_root {
            let tool = Command::new("setpriv").arg("--version").output();
            if tool.is_err() {
                let must = std::env::var("LOATUNE_TEST_ALL").is_ok_and(|value| value == "1");
                assert!(!must, "setpriv is not there, and LOATUNE_TEST_ALL wants it");
                eprintln!("SKIPPED: setpriv is not there");
                return None;
            }
            // The program itself may lie where others cannot go.
            let program = place.path().join("loatune");
            fs::copy(env!("CARGO_BIN_EXE_loatune"), &program).unwrap();
            allow(&program, 0o755);
        }
        let temporary = place.path().join("tmp");
        fs::create_dir(&temporary).unwrap();
        allow(&place.path().join("populations"), 0o444);
        allow(&temporary, 0o777);
        let open = fs::Permissions::from_mode(0o755);
        fs::set_permissions(place.path(), open).unwrap();
        Some(ReadOnly { place, is_root })
    }

    pub(super) fn command(&self, args: &[&str]) -> Command {
        let mut command = if self.is_root {
            let mut command = Command::new("setpriv");
            let program = self.place.path().join("loatune");
            command
                .args(["--reuid=65534", "--regid=65534", "--clear-groups"])
                .arg(program)
                .current_dir(self.place.path())
                .env_remove("RUST_LOG");
            command
        } else {
            loatune(self.place.path())
        };
        command
            .args(args)
            .env("TMPDIR", self.place.path().join("tmp"));
        command
    }

    #[track_caller]
    fn good(&self, args: &[&str]) -> String {
        let output = self.command(args).output().unwrap();
        assert_eq!(stderr(&output), "", "{args:?}");
        assert_eq!(output.status.code(), Some(0), "{args:?}");
        stdout(&output)
    }
}

impl Drop for ReadOnly {
    fn drop(&mut self) {
        allow(&self.place.path().join("populations"), 0o755);
    }
}

#[test]
fn a_population_that_cannot_be_written_can_be_looked_at() {
    let place = place();
    let champion = place.good(&["export"]);
    let status = place.good(&["status", "--json"]);
    let history = place.good(&["history", "--csv"]);
    let list = place.good(&["list", "--json"]);
    let before = contents(&directory(&place));
    let Some(read_only) = ReadOnly::new(place) else {
        return;
    };
    assert_eq!(read_only.good(&["export"]), champion);
    assert_eq!(read_only.good(&["status", "--json"]), status);
    assert_eq!(read_only.good(&["history", "--csv"]), history);
    assert_eq!(read_only.good(&["list", "--json"]), list);
    let found = read_only.good(&["verify"]);
    assert!(found.contains("everything is as it should be"), "{found}");

    let serve = ["serve", "--http", "127.0.0.1:0"];
    let mut command = read_only.command(&serve);
    let mut served = command
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let page = address(served.stdout.take().unwrap());
    let answer = get(page, "/api/status");
    served.kill().unwrap();
    served.wait().unwrap();
    assert_eq!(answer.json()["population"], NAME);

    // What would have to write says why it cannot.
    for args in [&["run", "--no-http"][..], &["rename", NAME, "other"]] {
        let output = read_only.command(args).output().unwrap();
        assert_eq!(output.status.code(), Some(1), "{args:?}");
        assert!(stderr(&output).contains("Permission denied"), "{args:?}");
    }
    assert_eq!(contents(&directory(&read_only.place)), before);
    // A copy may be made of it, elsewhere.
    read_only.good(&["copy", NAME, "./tmp/copied"]);
    assert_eq!(read_only.good(&["export", "-p", "./tmp/copied"]), champion);
}

/// The commands that look, and what they print of a healthy population.
fn looks(place: &Place) -> Vec<(&'static [&'static str], String)> {
    let commands: [&[&str]; 4] = [
        &["status", "--json"],
        &["export"],
        &["history", "--csv"],
        &["list", "--json"],
    ];
    let looked = commands.map(|args| (args, place.good(args)));
    looked.into_iter().collect()
}

/// What is said of a damage, and how it is done.
type Damage = (&'static str, fn(&Path));

#[test]
fn a_damaged_population_is_looked_at_and_left_alone() {
    let damages: [Damage; 4] = [
        ("the journal: ", |dir| {
            let mut journal = fs::read(dir.join("journal")).unwrap();
            let middle = journal.len() / 4;
            journal[middle] ^= 0x20;
            fs::write(dir.join("journal"), journal).unwrap();
        }),
        ("the journal: it is missing", |dir| {
            fs::remove_file(dir.join("journal")).unwrap();
        }),
        ("the store: it is missing", |dir| {
            fs::remove_dir_all(dir.join("store")).unwrap();
        }),
        ("the store: ", |dir| {
            fs::write(dir.join("store/db"), vec![7; 10_000]).unwrap();
        }),
    ];
    let healthy = looks(&place());
    for (why, damage) in damages {
        let place = place();
        damage(&directory(&place));
        let before = contents(&directory(&place));
        for (args, expected) in &healthy {
            let output: Output = place.run(args);
            let said = stderr(&output);
            assert_eq!(output.status.code(), Some(0), "{args:?}: {said}");
            assert_eq!(&stdout(&output), expected, "{args:?}");
            assert!(said.contains(why), "{said}");
            assert!(said.contains("Nothing of it was changed"), "{said}");
            // sled may write its own files when it is opened, as it always does.
            let beside = |files: Files| -> Files {
                let store = directory(&place).join("store");
                let lock = directory(&place).join("lock");
                let is_beside = |path: &PathBuf| !path.starts_with(&store) && *path != lock;
                files
                    .into_iter()
                    .filter(|(path, _)| is_beside(path))
                    .collect()
            };
            assert_eq!(beside(contents(&directory(&place))), beside(before.clone()));
        }
    }
}

/// Where neither is whole, the message names the files of the population.
#[test]
fn what_cannot_be_read_is_explained() {
    let place = place();
    let dir = directory(&place);
    fs::write(dir.join("store/db"), vec![7; 10_000]).unwrap();
    fs::remove_file(dir.join("journal")).unwrap();
    let output = place.run(&["status"]);
    let said = stderr(&output);
    assert_eq!(output.status.code(), Some(1), "{said}");
    assert!(said.contains("bring populations/mine/journal"), "{said}");
    assert!(!said.contains("scratch"), "{said}");
}
