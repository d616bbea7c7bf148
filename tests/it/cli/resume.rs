//! `--resume`: games that were stopped or killed go on, and end as if nothing
//! had happened.

use std::fs::{self, OpenOptions};
use std::io::Write;
use std::time::{Duration, Instant};

use super::match_games::without_times;
use crate::support::binary::Place;
use serde_json::Value;

const FILE: &str = "some.games";

/// The commands whose games are resumed; each would take some seconds.
fn commands() -> [Vec<&'static str>; 3] {
    let words = |text: &'static str| text.split(' ').collect();
    [
        words("match default random:2 --depth 1 --games 100"),
        words("gauntlet default --against random:1 random:2 --depth 1 --games 50"),
        words("tournament default random:1 random:2 --depth 1 --games 34"),
    ]
}

/// The result without times and without what was played when.
fn result(place: &Place, args: &[&str]) -> (Value, u64) {
    let output = place.run(&[args, &["--json", "-q"]].concat());
    assert_eq!(output.status.code(), Some(0), "{args:?}");
    let mut found: Value = serde_json::from_slice(&output.stdout).unwrap();
    without_times(&mut found);
    let resumed = found["resumed"].as_u64().unwrap();
    forget_parts(&mut found);
    (found, resumed)
}

fn forget_parts(value: &mut Value) {
    match value {
        Value::Object(map) => {
            map.remove("resumed");
            map.values_mut().for_each(forget_parts);
        }
        Value::Array(values) => values.iter_mut().for_each(forget_parts),
        _ => {}
    }
}

fn lines(place: &Place) -> usize {
    let text = fs::read_to_string(place.path().join(FILE));
    text.map_or(0, |text| text.lines().count())
}

#[test]
fn killed_games_go_on_to_the_same_end() {
    for command in commands() {
        let place = Place::new();
        let (whole, _) = result(&place, &[&command[..], &["--sgf", "whole.sgf"]].concat());
        let kept = [&command[..], &["--resume", FILE]].concat();
        // Killed twice, each time after some more pairs.
        for _ in 0..2 {
            let before = lines(&place);
            let mut child = place.start(&[&kept[..], &["-q"]].concat());
            let begin = Instant::now();
            while lines(&place) < before.max(1) + 2 && child.try_wait().unwrap().is_none() {
                assert!(begin.elapsed() < Duration::from_secs(120));
                std::thread::sleep(Duration::from_millis(5));
            }
            let _ = child.kill();
            child.finish();
        }
        let pairs = lines(&place) - 1;
        // A power cut may leave the beginning of a line.
        let mut file = OpenOptions::new()
            .append(true)
            .open(place.path().join(FILE));
        file.as_mut()
            .unwrap()
            .write_all(b"{\"pair\":99,\"se")
            .unwrap();
        let (found, resumed) = result(&place, &[&kept[..], &["--sgf", "kept.sgf"]].concat());
        assert_eq!(resumed, 2 * pairs as u64);
        assert!(resumed >= 4, "{resumed}");
        assert_eq!(found, whole);
        let sgf = |name: &str| fs::read_to_string(place.path().join(name)).unwrap();
        assert_eq!(sgf("kept.sgf"), sgf("whole.sgf"));
        // Once more there is nothing left to play.
        let (again, resumed) = result(&place, &kept);
        assert_eq!(again, whole);
        assert_eq!(resumed as usize, 2 * (lines(&place) - 1));
    }
}

#[test]
fn a_match_may_become_longer_but_not_another_one() {
    let place = Place::new();
    let with = |more: &[&'static str]| {
        let args = [
            "match", "default", "random:2", "--depth", "1", "--resume", FILE,
        ];
        [&args[..], more].concat()
    };
    result(&place, &with(&["--games", "4"]));
    let (found, resumed) = result(&place, &with(&["--games", "8", "--threads", "3"]));
    assert_eq!((found["games"].as_u64(), resumed), (Some(8), 4));
    let file = fs::read(place.path().join(FILE)).unwrap();

    let message = place.refused(&with(&["--games", "4"]));
    let said = "--resume some.games holds more than the 4 games that are asked for\n";
    assert_eq!(message, said);
    let other = [
        "--games",
        "8",
        "--seed",
        "2",
        "--max-plies",
        "50",
        "--sprt",
        "elo0=0,elo1=9",
    ];
    assert_eq!(
        place.refused(&with(&other)),
        "some.games was made with other settings:\n  openings.seed: 1 there, 2 here\n  \
         rules.max_plies: 200 there, 50 here\n  \
         sprt: null there, \"elo0=0,elo1=9,alpha=0.05,beta=0.05,model=logistic\" here\n\
         Give the same ones, or another file to --resume\n"
    );
    let args = [
        "match",
        "default",
        "random:3@memory",
        "--depth",
        "1",
        "--resume",
        FILE,
    ];
    let message = place.refused(&args);
    for line in [
        "players.1.player: \"random:2\" there, \"random:3@memory\" here",
        "players.1.search: \"mtdf\" there, \"memory\" here",
        "players.1.weights: ",
    ] {
        assert!(message.contains(line), "{message}");
    }
    assert_eq!(fs::read(place.path().join(FILE)).unwrap(), file);
}

#[test]
fn files_that_cannot_be_gone_on_with() {
    let place = Place::new().with("other.toml", "a = 1\n");
    let with = |file: &'static str| {
        let args = [
            "match", "default", "random:2", "--depth", "1", "--games", "8",
        ];
        [&args[..], &["--resume", file]].concat()
    };
    let message = place.refused(&with("other.toml"));
    assert_eq!(message, "--resume other.toml holds no games of --resume\n");
    let message = place.refused(&with("."));
    assert_eq!(message, "--resume . is no regular file\n");
    let message = place.refused(&with("no/such/file"));
    assert!(
        message.starts_with("cannot write no/such/file: "),
        "{message}"
    );

    // Damage in the middle is no torn end.
    result(&place, &with(FILE));
    let text = fs::read_to_string(place.path().join(FILE)).unwrap();
    let damaged = text.replacen("\"pair\":1,", "\"pair\":7,", 1);
    fs::write(place.path().join(FILE), &damaged).unwrap();
    let message = place.refused(&with(FILE));
    let said = "--resume some.games is damaged in line 3: pair 7 stands where 1 should\n";
    assert_eq!(message, said);
    assert_eq!(
        fs::read_to_string(place.path().join(FILE)).unwrap(),
        damaged
    );

    // Two processes must not write into the same file.
    let long = [
        "match", "default", "random:2", "--depth", "3", "--games", "100000",
    ];
    let long = [&long[..], &["--resume", "long.games", "-q"]].concat();
    let first = place.start(&long);
    let begin = Instant::now();
    // Its first line is written under the lock.
    while fs::read(place.path().join("long.games")).map_or(true, |it| it.is_empty()) {
        assert!(begin.elapsed() < Duration::from_secs(60));
        std::thread::sleep(Duration::from_millis(10));
    }
    let message = place.refused(&long);
    assert_eq!(
        message,
        "--resume long.games is in use by another process\n"
    );
    drop(first);
}
