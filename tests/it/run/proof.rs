//! The proof and the hall's matches through kills: every pair is saved, and none
//! is played or counted twice.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::thread::sleep;
use std::time::{Duration, Instant};

use loatune::store::{Begin, Entry, FrameReader, Journal, MeasuredMatch, decode, encode};
use serde_json::Value;

use crate::support::binary::Place;

/// Games of one match of the certificate, of which there are two.
const CERTIFICATE: u64 = 40;

/// Games of one match of the hall, of which there are ten.
const HALL: u64 = 4;

/// A short evolution with a proof that is longer than itself.
fn args<'a>(population: &'a str, more: &[&'a str]) -> Vec<&'a str> {
    let mut args = vec!["-q", "run", "--population", population, "--no-http"];
    args.extend(["--depth", "1", "--budget", "60"]);
    args.extend(["--hall-games", "4"]);
    if !more.contains(&"--certificate-games") {
        args.extend(["--certificate-games", "40"]);
    }
    args.extend_from_slice(more);
    args
}

fn directory(place: &Place, population: &str) -> PathBuf {
    place.path().join("populations").join(population)
}

/// The champion without its name, which is that of its population.
fn champion(place: &Place, population: &str) -> Option<String> {
    let path = directory(place, population).join("champion.toml");
    let text = fs::read_to_string(path).ok()?;
    let lines = text.lines().filter(|line| !line.starts_with("name = "));
    Some(lines.collect::<Vec<_>>().join("\n"))
}

/// The entries of a journal, as far as they are whole.
fn entries(dir: &Path) -> Vec<Entry> {
    let Ok(mut frames) = FrameReader::open(&dir.join("journal")) else {
        return Vec::new();
    };
    let mut found = Vec::new();
    // The first one is the beginning.
    if frames.next_frame().unwrap().is_some() {
        while let Some(payload) = frames.next_frame().unwrap() {
            found.push(decode(payload).unwrap());
        }
    }
    found
}

/// The match and number of every pair outside of the evolution.
fn pairs(dir: &Path) -> Vec<(String, u64)> {
    let pair = |entry| match entry {
        Entry::MeasuredPair(pair) => Some((
            format!("{:?} {} {}", pair.purpose, pair.file, pair.opponent),
            pair.number,
        )),
        _ => None,
    };
    entries(dir).into_iter().filter_map(pair).collect()
}

#[track_caller]
fn until(what: &str, mut is_so: impl FnMut() -> bool) {
    let begin = Instant::now();
    while !is_so() {
        assert!(begin.elapsed() < Duration::from_secs(120), "{what}");
        sleep(Duration::from_millis(5));
    }
}

/// A run is killed whenever it has saved some pairs more: it gets on with each
/// start, and ends with the champion of a run that nobody disturbed.
#[test]
fn a_run_that_is_killed_during_its_proof_ends_with_the_same_champion() {
    // Where the disk is slow, dozens of pairs are saved at once: there are many
    // more, so that a part of them is always missing at the first kills.
    const LONG: u64 = 200;
    const MORE: [&str; 2] = ["--certificate-games", "200"];
    let place = Place::new();
    place.good(&args("calm", &[&MORE[..], &["--threads", "1"]].concat()));
    let calm = champion(&place, "calm").unwrap();

    let dir = directory(&place, "killed");
    let (mut kills, mut before) = (0, 0);
    while champion(&place, "killed").is_none() {
        let threads = ["1", "2", "3"][kills % 3];
        let more = [&MORE[..], &["--threads", threads]].concat();
        let mut run = place.start(&args("killed", &more));
        until("some pairs are saved, or it ends", || {
            pairs(&dir).len() > before + 20 || run.try_wait().unwrap().is_some()
        });
        run.kill().unwrap();
        run.wait().unwrap();
        let saved = pairs(&dir).len();
        assert!(saved > before || champion(&place, "killed").is_some());
        (kills, before) = (kills + 1, saved);
    }
    assert!(kills >= 2, "only {kills} kills");
    assert_eq!(champion(&place, "killed").unwrap(), calm);

    // Every pair is there, and once.
    for population in ["calm", "killed"] {
        let found = pairs(&directory(&place, population));
        let planned = 2 * LONG / 2 + 10 * HALL / 2;
        assert_eq!(found.len() as u64, planned, "{population}");
        let each: BTreeSet<_> = found.into_iter().collect();
        assert_eq!(each.len() as u64, planned, "{population}");
    }
    let verified = place.run(&["verify", "--population", "killed", "--all", "--json"]);
    let verified: Value = serde_json::from_slice(&verified.stdout).unwrap();
    assert_eq!(verified["ok"], true, "{verified}");
    // All games of the evolution, which are 60 with its final, and of the proof.
    let games = verified["games"].as_u64().unwrap() + 2 * LONG + 10 * HALL;
    assert_eq!(verified["games_checked"], games);
    assert_eq!(verified["games_replayed"], games);
}

/// What was saved before a stop is the beginning of what is there afterwards.
#[test]
fn saved_pairs_are_not_played_again() {
    let place = Place::new();
    let dir = directory(&place, "mine");
    let mut run = place.start(&args("mine", &["--certificate-games", "400"]));
    until("the proof is on", || {
        assert!(run.try_wait().unwrap().is_none(), "it has ended");
        let of_the_proof = |(name, _): &&(String, u64)| name.starts_with("Certificate");
        pairs(&dir).iter().filter(of_the_proof).count() > 4
    });
    place.good(&["stop", "--population", "mine"]);
    let output = run.finish();
    assert_eq!(output.status.code(), Some(3));
    let (journal, saved) = (fs::read(dir.join("journal")).unwrap(), pairs(&dir));
    assert!(champion(&place, "mine").is_none());

    // The status of a population that stands still counts the proof, too.
    let status = place.json(&["status", "--population", "mine", "--json"]);
    assert_eq!(status["state"], "stopped");
    let games = status["games"].as_u64().unwrap();
    let all = games + 2 * 400 + 10 * HALL;
    let done = games + 2 * saved.len() as u64;
    let progress = status["progress"].as_f64().unwrap();
    assert!(
        (progress - done as f64 / all as f64).abs() < 1e-9,
        "{status}"
    );

    let mut run = place.start(&args("mine", &["--certificate-games", "400"]));
    until("it gets on", || pairs(&dir).len() > saved.len() + 4);
    run.kill().unwrap();
    run.wait().unwrap();
    assert!(fs::read(dir.join("journal")).unwrap().starts_with(&journal));
    let later = pairs(&dir);
    assert_eq!(later[..saved.len()], saved);
    let each: BTreeSet<_> = later.iter().collect();
    assert_eq!(each.len(), later.len());
}

/// Earlier programs saved a match of the hall or of the certificate as one entry.
#[test]
fn matches_that_were_saved_as_a_whole_are_gone_on_with() {
    let place = Place::new();
    place.good(&args("now", &[]));
    let dir = directory(&place, "earlier");
    fs::create_dir_all(&dir).unwrap();
    write_earlier_journal(&directory(&place, "now"), &dir, None);

    let output = place.run(&args("earlier", &[]));
    assert_eq!(output.status.code(), Some(0));
    assert_eq!(champion(&place, "earlier"), champion(&place, "now"));
    let verified = place.json(&["-q", "verify", "--population", "earlier", "--json"]);
    assert_eq!(verified["ok"], true, "{verified}");
    // The match against the best of the first population, and nothing else.
    let found = pairs(&dir);
    assert_eq!(found.len() as u64, CERTIFICATE / 2);
    assert!(
        found
            .iter()
            .all(|(name, _)| name.contains("first population's best"))
    );
}

/// A certificate names one engine: where another one goes on with the proof, it
/// plays all of it. What is known of the hall stays.
#[test]
fn another_engine_plays_the_whole_certificate() {
    let place = Place::new();
    place.good(&args("now", &[]));
    let dir = directory(&place, "other");
    fs::create_dir_all(&dir).unwrap();
    write_earlier_journal(&directory(&place, "now"), &dir, Some(1));
    let output = place.run(&args("other", &[]));
    assert_eq!(output.status.code(), Some(0));
    assert_eq!(champion(&place, "other"), champion(&place, "now"));
    let found = pairs(&dir);
    assert_eq!(found.len() as u64, 2 * CERTIFICATE / 2);
    assert!(
        found
            .iter()
            .all(|(name, _)| name.starts_with("Certificate"))
    );
    let verified = place.json(&["-q", "verify", "--population", "other", "--json"]);
    assert_eq!(verified["ok"], true, "{verified}");
}

/// Writes a journal as an earlier program had left it when it was stopped in the
/// second match of the certificate; `engine` is the one that is said to have
/// played.
fn write_earlier_journal(from: &Path, to: &Path, engine: Option<u64>) {
    let mut frames = FrameReader::open(&from.join("journal")).unwrap();
    let begin: Begin = decode(frames.next_frame().unwrap().unwrap()).unwrap();
    let mut journal = Journal::create(&to.join("journal")).unwrap();
    journal.append(&[encode(&begin).unwrap()]).unwrap();
    fs::write(to.join("params.toml"), &begin.params).unwrap();
    let mut open: Vec<MeasuredMatch> = Vec::new();
    for mut entry in entries(from) {
        if let (Entry::Engine(signature), Some(engine)) = (&mut entry, engine) {
            *signature = engine;
        }
        let Entry::MeasuredPair(pair) = &entry else {
            journal.append(&[encode(&entry).unwrap()]).unwrap();
            continue;
        };
        if pair.opponent.starts_with("first population's best") {
            continue;
        }
        let is_it = |one: &MeasuredMatch| (one.file, one.purpose) == (pair.file, pair.purpose);
        let at = open.iter().position(is_it).unwrap_or_else(|| {
            open.push(MeasuredMatch {
                file: pair.file,
                opponent: pair.opponent.clone(),
                weights: pair.weights.clone(),
                purpose: pair.purpose,
                tally: Default::default(),
            });
            open.len() - 1
        });
        let mut summary = loatune::arena::Summary::default();
        summary.add(&pair.game_records().unwrap());
        open[at].tally += summary.tally;
        let games = match pair.purpose {
            loatune::store::Purpose::Hall => HALL,
            loatune::store::Purpose::Certificate => CERTIFICATE,
            loatune::store::Purpose::Panel { .. } => unreachable!("there is no panel"),
        };
        if open[at].tally.games() == games {
            let whole = Entry::Measured(open.swap_remove(at));
            journal.append(&[encode(&whole).unwrap()]).unwrap();
        }
    }
    assert_eq!(open, []);
}

/// Fewer games of the hall than were played are asked for in the middle of a run:
/// the progress stays below the whole, and the time that is left is sane.
#[test]
fn fewer_games_in_the_middle_leave_progress_and_forecast_sane() {
    let place = Place::new();
    let long = [
        "-q",
        "run",
        "--population",
        "mine",
        "--no-http",
        "--depth",
        "1",
        "--school",
        "false",
    ];
    let with = |more: &[&'static str]| [&long[..], more].concat();
    let dir = directory(&place, "mine");
    let budget = ["--budget", "4000", "--certificate-games", "2"];
    let mut run = place.start(&with(&[&budget[..], &["--hall-games", "400"]].concat()));
    until("the hall has played", || pairs(&dir).len() > 30);
    run.kill().unwrap();
    run.wait().unwrap();

    let accepted = ["--accept-changes", "--hall-games", "2"];
    let mut run = place.start(&with(
        &[&budget[..2], &accepted[..], &["--certificate-games", "2"]].concat(),
    ));
    let mut forecasts = 0;
    until("there are forecasts, or it has ended", || {
        let output = place.run(&["status", "--population", "mine", "--json"]);
        if let Ok(status) = serde_json::from_slice::<Value>(&output.stdout) {
            let progress = status["progress"].as_f64().unwrap();
            assert!((0.0..=1.0).contains(&progress), "{status}");
            if let Some(eta) = status["eta_seconds"].as_f64() {
                assert!((0.0..36_000.0).contains(&eta), "{status}");
                forecasts += 1;
            }
        }
        sleep(Duration::from_millis(100));
        forecasts > 3 || run.try_wait().unwrap().is_some()
    });
    assert!(forecasts > 0);
    run.kill().unwrap();
    run.wait().unwrap();
}

/// While the proof goes on, progress and the time that is left move with it.
#[test]
fn the_forecast_moves_during_the_proof() {
    let place = Place::new();
    let mut run = place.start(&args(
        "mine",
        &["--certificate-games", "4000", "--threads", "1"],
    ));
    let mut seen: Vec<(f64, f64)> = Vec::new();
    until("the forecast has moved", || {
        assert!(run.try_wait().unwrap().is_none(), "it has ended");
        let output = place.run(&["status", "--population", "mine", "--json"]);
        let Ok(status) = serde_json::from_slice::<Value>(&output.stdout) else {
            return false;
        };
        if status["state"] == "proving"
            && let Some(eta) = status["eta_seconds"].as_f64()
        {
            seen.push((status["progress"].as_f64().unwrap(), eta));
        }
        sleep(Duration::from_millis(200));
        let first = seen.first();
        first.is_some_and(|first| seen.iter().any(|now| now.0 > first.0 && now.1 != first.1))
    });
    assert!(seen.is_sorted_by(|a, b| a.0 <= b.0), "{seen:?}");
    assert!(seen.iter().all(|now| now.0 < 1.0), "{seen:?}");
    drop(run);
}
