//! A population whose process is killed, again and again, at any moment.

use std::env;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::Duration;

use loatune::evolve::State;
use loatune::genome::GeneTable;
use loatune::store::{
    Begin, Entry, Fold, MatchRecord, Population, StoredGame, StoredReason, StoredWinner,
};

use crate::support::population::reopen;

/// Where the process that is to be killed finds its population.
const PLACE: &str = "LOATUNE_TEST_STORE";

fn begin() -> Begin {
    Begin {
        params: String::new(),
        genes: GeneTable::built_in(),
        seeds: Vec::new(),
    }
}

/// The next match, with a result that follows from its number.
fn next(state: &State) -> Entry {
    let pairing = state.pending().front().unwrap();
    let mixed = pairing.number.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 60;
    let game = |bit: u64| StoredGame {
        first: None,
        opening_plies: 0,
        moves: Vec::new(),
        winner: if mixed & bit == 0 {
            StoredWinner::Black
        } else {
            StoredWinner::White
        },
        reason: StoredReason::Dies(String::from("made up")),
        final_value: Some(20_000 + mixed as i32),
        loser_groups: None,
        nodes: [0, 0],
    };
    Entry::Match(MatchRecord {
        number: pairing.number,
        files: pairing.files,
        is_final: pairing.is_final,
        seed: 0,
        games: [game(1), game(2)],
    })
}

/// How many matches are written between two flushes.
const GROUP: u64 = 7;

/// Writes a group of matches, and says how many are safe then.
fn write_group(population: &mut Population) -> u64 {
    for _ in 0..GROUP {
        let entry = next(population.state());
        population.apply(entry).unwrap();
    }
    population.flush().unwrap();
    population.state().matches()
}

fn open(dir: &Path) -> Population {
    if Population::exists(dir).unwrap() {
        reopen(dir)
    } else {
        Population::create(dir, &begin()).unwrap()
    }
}

/// Where a place is given, this is the process that is killed: it writes without
/// end and tells how many matches are safe. Elsewhere nothing kills it, and what
/// it wrote is found again.
#[test]
fn groups_are_found_again() {
    if let Some(dir) = env::var_os(PLACE) {
        let mut population = open(Path::new(&dir));
        loop {
            println!("\nsafe {}", write_group(&mut population));
        }
    }
    let place = tempfile::tempdir().unwrap();
    let dir = place.path().join("whole");
    for rounds in 1..=3 {
        let mut population = open(&dir);
        assert_eq!(write_group(&mut population), rounds * GROUP);
        population.close().unwrap();
    }
    assert_eq!(open(&dir).reader().counts().unwrap().matches, 3 * GROUP);
}

fn start(dir: &Path) -> Child {
    Command::new(env::current_exe().unwrap())
        .args([
            "--exact",
            "run::kills::groups_are_found_again",
            "--nocapture",
        ])
        .env(PLACE, dir)
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap()
}

/// What was told to be safe, after so many tellings.
fn safe(child: &mut Child, tellings: usize) -> u64 {
    let lines = BufReader::new(child.stdout.as_mut().unwrap()).lines();
    let numbers = lines.filter_map(|line| line.unwrap().strip_prefix("safe ")?.parse().ok());
    numbers.take(tellings).last().unwrap_or(0)
}

#[test]
fn no_kill_loses_what_was_safe() {
    let place = tempfile::tempdir().unwrap();
    let dir = place.path().join("victim");
    let (mut fold, _) = Fold::begin(&begin()).unwrap();
    for round in 0..12_u64 {
        let mut child = start(&dir);
        let told = if round % 3 == 2 {
            // While it opens, perhaps; what comes of it may not depend on it.
            thread::sleep(Duration::from_millis(round));
            0
        } else {
            safe(&mut child, 1 + (round as usize * 5) % 7)
        };
        child.kill().unwrap();
        child.wait().unwrap();
        if !Population::exists(&dir).unwrap() {
            continue;
        }
        let population = reopen(&dir);
        let found = population.state().matches();
        assert!(found >= told, "{told} were safe, {found} are there");
        assert!(found >= fold.state.matches(), "round {round}");
        while fold.state.matches() < found {
            fold.apply(&next(&fold.state)).unwrap();
        }
        assert_eq!(*population.state(), fold.state, "round {round}");
        let counts = population.reader().counts().unwrap();
        assert_eq!((counts.matches, counts.games), (found, 2 * found));
        assert_eq!(counts.births, fold.state.births());
        assert_eq!(counts.deaths, fold.state.deaths());
        if round % 2 == 0 {
            population.close().unwrap();
        }
    }
    assert!(fold.state.matches() > 50);
}
