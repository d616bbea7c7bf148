//! Stopping in order, verifying and repairing: the real binary, with small
//! populations.

use std::fs;
use std::io::Write;
use std::os::unix::net::UnixDatagram;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use crate::support::binary::Place;
use loatune::genome::GeneTable;
use loatune::search::EngineVersion;
use loatune::store::{Begin, Entry, FrameReader, Population};
use serde_json::json;

const PROGRAM: &str = env!("CARGO_BIN_EXE_loatune");

/// Small and quick.
const SMALL: &str = "\
[player]
depth = 1

[evolution]
budget = 200
population = 8

[final]
certificate_games = 4
hall_games = 2

[run]
window = 4
checkpoint = 10
threads = 2

[http]
enabled = false
";

/// It does not end by itself while a test waits for something.
const LONG: &str = "\
[player]
depth = 3

[http]
enabled = false
";

fn place(params: &str) -> Place {
    Place::new().with("params.toml", params)
}

fn command(place: &Place, args: &[&str]) -> Command {
    let mut command = Command::new(PROGRAM);
    command.args(args).current_dir(place.path()).env_clear();
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

fn start(place: &Place, args: &[&str]) -> Child {
    command(place, &[&["run"], args].concat()).spawn().unwrap()
}

fn population(place: &Place) -> PathBuf {
    place.path().join("populations/default")
}

#[track_caller]
fn until(what: &str, mut is_so: impl FnMut() -> bool) {
    let begin = Instant::now();
    while !is_so() {
        assert!(begin.elapsed() < Duration::from_secs(120), "{what}");
        thread::sleep(Duration::from_millis(5));
    }
}

fn signal(child: &Child, name: &str) {
    let id = child.id().to_string();
    let status = Command::new("kill")
        .args([&format!("-{name}"), &id])
        .status();
    assert!(status.unwrap().success());
}

fn until_it_plays(place: &Place) {
    let journal = population(place).join("journal");
    until("it plays", || {
        let Ok(mut frames) = FrameReader::open(&journal) else {
            return false;
        };
        while let Ok(Some(_)) = frames.next_frame() {}
        frames.position().entries > 3
    });
}

fn stderr(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).unwrap()
}

/// Everything in a directory, but for sockets.
fn contents(dir: &Path) -> Vec<(PathBuf, Vec<u8>)> {
    let mut found = Vec::new();
    for entry in fs::read_dir(dir).unwrap() {
        let path = entry.unwrap().path();
        match path.is_dir() {
            true => found.extend(contents(&path)),
            false => found.push((path.clone(), fs::read(&path).unwrap_or_default())),
        }
    }
    found.sort();
    found
}

/// A population at its end.
fn finished() -> Place {
    let place = place(SMALL);
    let output = place.run(&["run"]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    place
}

fn flip(path: &Path, at: impl Fn(usize) -> usize) {
    let mut bytes = fs::read(path).unwrap();
    let at = at(bytes.len());
    bytes[at] ^= 0x10;
    fs::write(path, bytes).unwrap();
}

#[test]
fn the_first_signal_saves_and_the_command_goes_on() {
    for name in ["INT", "TERM"] {
        let place = place(LONG);
        let child = start(&place, &[]);
        until_it_plays(&place);
        signal(&child, name);
        let output = child.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(3), "{}", stderr(&output));
        assert!(stderr(&output).contains("; to go on: loatune run\n"));
        let verified = place.json(&["verify", "--json", "--replay", "2"]);
        assert_eq!(verified["ok"], true, "{verified}");
        assert!(verified["matches"].as_u64().unwrap() > 0);
        assert_eq!(verified["games_replayed"], 4);
        assert_eq!(verified["notes"], serde_json::json!([]));
    }
}

/// After the first request, by a signal or by `loatune stop`, the process cannot
/// print what it wants to: so it is still there when the second signal comes.
#[test]
fn a_second_signal_ends_it_at_once() {
    for (first, second, code) in [
        ("INT", "INT", 130),
        ("INT", "TERM", 143),
        ("stop", "TERM", 143),
    ] {
        let place = place(LONG);
        let (_reader, mut full) = std::io::pipe().unwrap();
        full.write_all(&[b' '; 1 << 16]).unwrap();
        let mut child = command(&place, &["run", "--json"])
            .stdout(full)
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        until_it_plays(&place);
        let stop = match first {
            "stop" => Some(command(&place, &["stop"]).spawn().unwrap()),
            name => {
                signal(&child, name);
                None
            }
        };
        until("everything is saved", || {
            place.json(&["verify", "--json"])["running"] == false
        });
        assert_eq!(child.try_wait().unwrap(), None, "it has not waited");
        signal(&child, second);
        assert_eq!(child.wait().unwrap().code(), Some(code));
        if let Some(mut stop) = stop {
            assert!(stop.wait().unwrap().success());
        }
        let verified = place.json(&["verify", "--json"]);
        assert_eq!(verified["ok"], true, "{verified}");
    }
}

#[test]
fn stop_ends_a_run_in_order() {
    let place = place(LONG);
    let child = start(&place, &[]);
    until_it_plays(&place);
    assert!(place.good(&["stop"]).contains("to go on: loatune run"));
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(3), "{}", stderr(&output));
}

#[test]
fn the_log_file_is_opened_anew() {
    let place = place(LONG);
    let child = start(&place, &["--log-file", "run.log"]);
    until_it_plays(&place);
    let (log, old) = (place.path().join("run.log"), place.path().join("old.log"));
    fs::rename(&log, &old).unwrap();
    signal(&child, "HUP");
    until("a new file", || {
        fs::read_to_string(&log).is_ok_and(|text| text.contains("opened anew"))
    });
    signal(&child, "TERM");
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(3));
    assert!(fs::read_to_string(old).unwrap().contains("new population"));
    assert!(fs::read_to_string(log).unwrap().contains("stopped after"));
    assert!(!stderr(&output).contains("new population"));
    let failed = place.run(&["run", "--log-file", "no/such/dir"]);
    assert_eq!(failed.status.code(), Some(1));
    let message = String::from_utf8(failed.stderr).unwrap();
    let expected = "loatune: error: cannot write --log-file no/such/dir: ";
    assert!(message.starts_with(expected), "{message}");
}

#[test]
fn systemd_is_told() {
    let place = place(LONG);
    let path = place.path().join("notify");
    let socket = UnixDatagram::bind(&path).unwrap();
    socket
        .set_read_timeout(Some(Duration::from_secs(120)))
        .unwrap();
    let child = command(&place, &["run"])
        .env("NOTIFY_SOCKET", &path)
        .stderr(Stdio::null())
        .stdout(Stdio::null())
        .spawn()
        .unwrap();
    let mut told = Vec::new();
    let mut hear = |word: &str| {
        while !told.iter().any(|text: &String| text.contains(word)) {
            let mut bytes = [0; 4096];
            let size = socket.recv(&mut bytes).unwrap();
            told.push(String::from_utf8(bytes[..size].to_vec()).unwrap());
        }
        told.clone()
    };
    hear("READY=1");
    hear("WATCHDOG=1");
    hear("STATUS=");
    signal(&child, "TERM");
    let told = hear("STOPPING=1");
    assert!(told.iter().any(|text| text.contains(" games ")), "{told:?}");
    assert_eq!(child.wait_with_output().unwrap().status.code(), Some(3));
}

#[test]
fn a_unit_for_systemd() {
    let place = Place::new();
    let unit = place.good(&[
        "systemd",
        "--population",
        "deep",
        "--user",
        "somebody",
        "--directory",
        "/srv/loa",
        "--program",
        "/bin/true",
        "--log-file",
        "log",
        "--",
        "--depth",
        "6",
    ]);
    for line in [
        "Type=notify",
        "WatchdogSec=600",
        "Restart=on-failure",
        "RestartPreventExitStatus=2",
        "SuccessExitStatus=3",
        "ProtectSystem=strict",
        "ReadWritePaths=/srv/loa/populations/deep",
        "NoNewPrivileges=yes",
        "PrivateTmp=yes",
        "MemoryDenyWriteExecute=yes",
        "User=somebody",
        "ExecReload=/bin/kill -HUP $MAINPID",
        "ExecStart=/bin/true run --population /srv/loa/populations/deep \
         --log-file /srv/loa/populations/deep/log --depth 6",
    ] {
        assert!(unit.lines().any(|other| other == line), "{line}\n{unit}");
    }
    let file = place.path().join("loatune.service");
    fs::write(&file, &unit).unwrap();
    let checked = Command::new("systemd-analyze")
        .arg("verify")
        .arg(&file)
        .output();
    if let Ok(checked) = checked {
        let text = stderr(&checked);
        let ours: Vec<&str> = text
            .lines()
            .filter(|line| line.contains("loatune.service"))
            .collect();
        // The manual page need not be installed here.
        let ours: Vec<&&str> = ours.iter().filter(|line| !line.contains("man ")).collect();
        assert!(ours.is_empty(), "{text}");
    }
    let refused = place.refused(&["systemd", "--directory", "here"]);
    assert!(refused.starts_with("--directory here: "), "{refused}");
}

#[test]
fn verify_finds_nothing_wrong_and_changes_nothing() {
    let place = finished();
    let dir = population(&place);
    let before = contents(&dir);
    let found = place.json(&["-q", "verify", "--all", "--json"]);
    assert_eq!(found["ok"], true, "{found}");
    assert_eq!(found["champion"], true);
    // Those of the certificate and of the hall as well.
    let games = found["games"].as_u64().unwrap() + 2 * 4 + 10 * 2;
    assert_eq!(found["games_checked"], games);
    assert_eq!(found["games_replayed"], games);
    assert_eq!(found["differences"], serde_json::json!([]));
    assert!(
        place
            .good(&["verify"])
            .contains("everything is as it should be")
    );
    assert_eq!(contents(&dir), before);
}

/// A population that an earlier version of the engine began goes on with that
/// version, and its games can be searched again.
#[test]
fn a_population_of_an_earlier_engine_goes_on_with_it() {
    let params = SMALL.replace("depth = 1", "depth = 2").replace("200", "60");
    let place = Place::new().with("params.toml", &params);
    let begin = Begin {
        params: place.good(&["params", "show", "--toml"]),
        genes: GeneTable::built_in(),
        seeds: Vec::new(),
    };
    let first = EngineVersion::First.signature();
    let dir = population(&place);
    let mut old = Population::create(&dir, &begin).unwrap();
    old.apply(Entry::Engine(first)).unwrap();
    old.close().unwrap();

    let output = place.run(&["run"]);
    assert!(output.status.success());
    let told = String::from_utf8_lossy(&output.stderr);
    assert!(!told.contains("another engine"), "{told}");
    let champion = fs::read_to_string(dir.join("champion.toml")).unwrap();
    assert!(
        champion.contains(&format!("\nengine = {first}\n")),
        "{champion}"
    );
    let verified = place.json(&["-q", "verify", "--all", "--json"]);
    assert_eq!(verified["ok"], true, "{verified}");
    assert_eq!(verified["games_replayed"], verified["games_checked"]);
    let certified = place.json(&[
        "-q",
        "certify",
        "--json",
        "populations/default/champion.toml",
    ]);
    let engine = &certified["engine"];
    assert_eq!(
        [&engine["claimed"], &engine["same"]],
        [&json!(first), &json!(false)]
    );
    assert_eq!(
        [&engine["known"], &certified["holds"]],
        [&json!(true), &json!(true)]
    );
}

#[test]
fn verify_names_what_is_wrong_and_repair_mends_it() {
    let place = finished();
    let dir = population(&place);
    let champion = fs::read(dir.join("champion.toml")).unwrap();
    let wrong = |what: &str| {
        let before = contents(&dir);
        let output = place.run(&["verify", "--json"]);
        assert_eq!(output.status.code(), Some(1));
        let message = stderr(&output);
        assert!(message.contains(what), "{message}");
        assert!(!message.contains("panicked"), "{message}");
        assert_eq!(contents(&dir), before);
    };
    let mut longer = champion.clone();
    longer.extend(b"# and more\n");
    fs::write(dir.join("champion.toml"), longer).unwrap();
    wrong("champion.toml line ");
    fs::write(dir.join("champion.toml"), &champion).unwrap();

    flip(&dir.join("journal"), |size| size / 4);
    wrong("journal: damaged at byte ");
    let said = place.good(&["repair"]);
    assert!(said.contains("written again from the store"), "{said}");
    assert!(dir.join("journal.broken-1").exists());
    assert_eq!(place.json(&["verify", "--json"])["ok"], true);

    fs::write(dir.join("store/db"), vec![7; 10_000]).unwrap();
    wrong("store: ");
    let said = place.json(&["repair", "--json"]);
    assert!(dir.join("store.broken-1").exists(), "{said}");
    assert_eq!(place.json(&["verify", "--json"])["ok"], true);

    flip(&dir.join("journal"), |size| size / 4);
    fs::remove_dir_all(dir.join("store")).unwrap();
    let output = place.run(&["repair"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(
        stderr(&output).contains("repair --cut"),
        "{}",
        stderr(&output)
    );
    let said = place.json(&["repair", "--cut", "--json"]);
    assert!(said["cut"]["bytes"].as_u64().unwrap() > 0, "{said}");
    let output = place.run(&["run"]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert_eq!(fs::read(dir.join("champion.toml")).unwrap(), champion);
    assert_eq!(place.json(&["verify", "--json"])["ok"], true);
}

#[test]
fn a_population_that_is_gone_is_not_begun_anew() {
    let place = finished();
    let dir = population(&place);
    fs::remove_file(dir.join("journal")).unwrap();
    fs::remove_dir_all(dir.join("store")).unwrap();
    let output = place.run(&["run"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(stderr(&output).contains("none is begun in its place"));
    assert!(place.refused(&["verify"]).contains("no population"));
    assert!(place.refused(&["repair"]).contains("no population"));
}

/// The command that `verify` advises is the one that helps.
#[test]
fn the_advice_of_verify_works() {
    let place = finished();
    let dir = population(&place);
    let whole = place.path().join("whole");
    copy(&dir, &whole);
    let champion = fs::read(dir.join("champion.toml")).unwrap();
    let journal = |dir: &Path| flip(&dir.join("journal"), |size| size * 3 / 5);
    let store = |dir: &Path| fs::write(dir.join("store/db"), vec![7; 10_000]).unwrap();
    type Case<'a> = (&'a str, &'a dyn Fn(&Path));
    let cases: [Case<'_>; 5] = [
        ("repair", &journal),
        ("repair", &store),
        ("repair --cut", &|dir| {
            journal(dir);
            store(dir);
        }),
        ("repair --cut", &|dir| {
            journal(dir);
            fs::remove_dir_all(dir.join("store")).unwrap();
        }),
        ("run", &|dir| {
            fs::write(dir.join("champion.toml"), "name = \"another\"\n").unwrap();
        }),
    ];
    for (advised, damage) in cases {
        fs::remove_dir_all(&dir).unwrap();
        copy(&whole, &dir);
        damage(&dir);
        let output = place.run(&["verify"]);
        assert_eq!(output.status.code(), Some(1));
        let message = stderr(&output);
        let advice = format!("\nWhat to do: `loatune {advised}` ");
        assert!(message.contains(&advice), "{message}");
        // Nothing less is enough.
        if advised == "repair --cut" {
            assert_eq!(place.run(&["repair"]).status.code(), Some(1));
        }
        let helps: Vec<&str> = advised.split(' ').collect();
        for command in [helps, vec!["run"]] {
            let output = place.run(&command);
            assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
        }
        assert_eq!(fs::read(dir.join("champion.toml")).unwrap(), champion);
        assert_eq!(place.json(&["verify", "--json"])["ok"], true);
    }
    // Where nothing is left to repair from, no command is advised.
    journal(&dir);
    fs::write(dir.join("journal"), b"no journal").unwrap();
    fs::remove_dir_all(dir.join("store")).unwrap();
    let message = stderr(&place.run(&["verify"]));
    assert!(
        message.contains("bring the journal and the store back"),
        "{message}"
    );
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let target = to.join(entry.file_name());
        match entry.file_type().unwrap().is_dir() {
            true => copy(&entry.path(), &target),
            false => drop(fs::copy(entry.path(), target).unwrap()),
        }
    }
}
