//! Populations under another name: renamed, copied, moved, by hand and by the
//! commands for it.

use std::fs;
use std::os::unix::fs::MetadataExt;
use std::process::Stdio;

use super::{NAME, contents, copy_dir, directory, place, stderr, stdout};
use crate::support::binary::{Place, loatune};

/// Everything that people do with a population works on it.
#[track_caller]
fn works(place: &Place, name: &str, champion: &str) {
    let listed = place.json(&["list", "--json"]);
    let row = listed.as_array().unwrap().iter();
    let row = row.clone().find(|row| row["population"] == name).unwrap();
    assert_eq!(row["problem"], serde_json::Value::Null, "{row}");
    let found = place.json(&["verify", "-p", name, "--json"]);
    assert_eq!(found["ok"], true, "{found}");
    assert_eq!(found["champion"], true);
    let status = place.json(&["status", "-p", name, "--json"]);
    assert_eq!(status["population"], name);
    assert_eq!(status["state"], "finished");
    assert_eq!(place.good(&["export", "-p", name]), champion);
    let output = place.run(&["run", "-p", name, "--no-http"]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let written = place.path().join("populations").join(name);
    let written = fs::read_to_string(written.join("champion.toml")).unwrap();
    assert_eq!(written, champion, "equal champions have equal files");
}

#[test]
fn a_population_that_was_copied_or_moved_by_hand_works() {
    let place = place();
    let champion = place.good(&["export"]);
    let at = |name: &str| place.path().join("populations").join(name);
    copy_dir(&at(NAME), &at("by hand"));
    works(&place, "by hand", &champion);
    fs::rename(at(NAME), at("moved")).unwrap();
    works(&place, "moved", &champion);

    // A repair leaves what is good where it is.
    let before = contents(&at("moved").join("store"));
    let said = place.good(&["repair", "-p", "moved"]);
    assert!(said.contains("Nothing had to be put right"), "{said}");
    let names = |of: &std::collections::BTreeMap<_, _>| -> Vec<std::path::PathBuf> {
        of.keys().cloned().collect()
    };
    let after = contents(&at("moved").join("store"));
    assert_eq!(names(&after), names(&before));
    assert!(!at("moved").join("store.broken-1").exists());
    works(&place, "moved", &champion);
}

#[test]
fn repair_sets_a_wrong_champion_aside() {
    let place = place();
    let path = directory(&place).join("champion.toml");
    let good = fs::read_to_string(&path).unwrap();
    fs::write(&path, good.replace("euler = ", "euler = 1")).unwrap();
    assert_eq!(place.run(&["verify"]).status.code(), Some(1));
    let said = place.good(&["repair"]);
    assert!(said.contains("champion.toml.broken-1"), "{said}");
    assert_eq!(
        place.run(&["run", "-p", NAME, "--no-http"]).status.code(),
        Some(0)
    );
    assert_eq!(fs::read_to_string(&path).unwrap(), good);
    assert_eq!(place.json(&["verify", "--json"])["ok"], true);
}

#[test]
fn copy_makes_a_whole_population() {
    let place = place();
    let champion = place.good(&["export"]);
    let at = |name: &str| place.path().join("populations").join(name);
    for secret in ["token", "page.html", "store.broken-1"] {
        fs::write(at(NAME).join(secret), "not for everybody").unwrap();
    }
    // The remains of a copy whose process was killed.
    fs::create_dir(at(".other.1.copy")).unwrap();
    fs::write(at(".other.1.copy").join("lock"), "1\n").unwrap();
    fs::write(at(".other.1.copy").join("journal"), "half").unwrap();
    assert_eq!(place.json(&["list", "--json"]).as_array().unwrap().len(), 1);

    let before = contents(&at(NAME));
    let said = place.json(&["copy", NAME, "other", "--json"]);
    assert_eq!(
        said,
        serde_json::json!({"from": NAME, "to": "other", "directory": "populations/other"})
    );
    let mut after = contents(&at(NAME));
    after.insert(
        at(NAME).join("lock"),
        before[&at(NAME).join("lock")].clone(),
    );
    assert_eq!(after, before);
    let mut names: Vec<_> = fs::read_dir(at("other"))
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    let expected = ["champion.toml", "journal", "lock", "params.toml", "store"];
    assert_eq!(names, expected);
    assert!(!at(".other.1.copy").exists());
    works(&place, "other", &champion);

    let message = place.refused(&["copy", NAME, "other"]);
    assert_eq!(
        message,
        "cannot copy mine: populations/other exists already: choose another name\n"
    );
    fs::write(place.path().join("a-file"), "").unwrap();
    let message = place.refused(&["copy", NAME, "./a-file"]);
    assert!(message.contains("./a-file exists already"), "{message}");
    let message = place.refused(&["copy", "nobody", "new"]);
    assert!(message.contains("there are: mine, other"), "{message}");
    let message = place.refused(&["copy", NAME, "published"]);
    assert!(message.starts_with("TO \"published\": "), "{message}");
    let inside = place.run(&["copy", NAME, "populations/mine/inside"]);
    assert_eq!(inside.status.code(), Some(1));
    assert!(stderr(&inside).contains("lies inside of it"));
    assert!(!at(NAME).join("inside").exists());
}

/// A copy of a run that is not over comes to the same champion.
#[test]
fn a_copy_goes_on_to_the_same_champion() {
    let place = Place::new().with("params.toml", super::PARAMS);
    let mut run = place.start(&["run", "-p", NAME, "--no-http"]);
    let socket = directory(&place).join("control.sock");
    while !socket.exists() {
        assert!(run.try_wait().unwrap().is_none(), "it runs");
        std::thread::sleep(std::time::Duration::from_millis(1));
    }
    let id = run.id().to_string();
    let send = |signal: &str| {
        let mut kill = std::process::Command::new("kill");
        assert!(kill.args([signal, &id]).status().unwrap().success());
    };
    // It stands still, so that it is not over too soon.
    send("-STOP");
    // While it is worked on nothing is done.
    for command in ["copy", "rename"] {
        let output = place.run(&[command, NAME, "other"]);
        let said = stderr(&output);
        assert_eq!(output.status.code(), Some(1), "{said}");
        let expected = format!("cannot {command} mine: population mine is in use by process ");
        assert!(said.contains(&expected), "{said}");
        assert!(!place.path().join("populations/other").exists());
    }
    send("-TERM");
    send("-CONT");
    assert_eq!(run.wait().unwrap().code(), Some(3));
    place.good(&["copy", NAME, "other"]);
    place.good(&["rename", NAME, "./elsewhere/mine"]);
    let champion = |directory: &str| {
        let output = place.run(&["-q", "run", "-p", directory, "--no-http"]);
        assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
        let text = fs::read_to_string(place.path().join(directory).join("champion.toml")).unwrap();
        assert!(!stdout(&output).is_empty());
        text
    };
    let [one, other] = ["./elsewhere/mine", "./populations/other"].map(champion);
    assert_eq!(one, other.replace("other-champion", "mine-champion"));
}

#[test]
fn rename_keeps_everything() {
    let place = place();
    let champion = place.good(&["export"]);
    let at = |name: &str| place.path().join("populations").join(name);
    let inode = fs::metadata(at(NAME)).unwrap().ino();
    let said = place.good(&["rename", NAME, "new name"]);
    assert_eq!(said, "renamed mine to new name: populations/new name\n");
    assert_eq!(fs::metadata(at("new name")).unwrap().ino(), inode);
    assert!(!at(NAME).exists());
    works(&place, "new name", &champion);
    place.good(&["copy", "new name", "third"]);
    let message = place.refused(&["rename", "third", "new name"]);
    assert!(message.contains("exists already"), "{message}");
    let message = place.refused(&["rename", NAME, "fourth"]);
    assert!(message.contains("no population in populations/mine"));

    // Another command that looks at it for a moment is waited for.
    let mut look = loatune(place.path());
    look.args(["status", "-p", "third"]);
    let mut look = look
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    place.good(&["rename", "third", "fourth"]);
    look.wait().unwrap();
}
