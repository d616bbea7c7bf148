//! What lies on the disk: journals and the values of the store.

use std::fs;

use loatune::board::Move;
use loatune::evolve::{Birth, FileId, Sample, State, Totals};
use loatune::genome::GeneTable;
use loatune::params::Params;
use loatune::stats::Tally;
use loatune::store::{
    Begin, Entry, Fold, FrameReader, Journal, JournalTail, MatchRecord, MeasuredMatch, Purpose,
    Stored, StoredGame, StoredReason, StoredWinner, decode, encode,
};
use loatune::weights::random_weights;
use proptest::prelude::*;

use super::mutation::bytes;
use super::{check_message, config, demand};
use crate::support::random_walk;

fn begin() -> Begin {
    let mut params = Params::default();
    params.evolution.population = 4;
    params.run.window = 2;
    Begin {
        params: params.to_toml(),
        genes: GeneTable::built_in(),
        seeds: vec![random_weights(3).into()],
    }
}

/// A game of random moves.
fn game(seed: u64) -> StoredGame {
    let boards = random_walk(seed, 30);
    let moves = boards.windows(2).map(|pair| {
        let played = pair[0].moves();
        let led_here = |mv: &&Move| pair[0].play(**mv).same_position(&pair[1]);
        played.iter().find(led_here).unwrap().to_bits()
    });
    StoredGame {
        first: None,
        opening_plies: 4,
        moves: moves.collect(),
        winner: StoredWinner::Black,
        reason: StoredReason::Connected,
        final_value: Some(12_345),
        loser_groups: Some(3),
        nodes: [1000, 2000],
    }
}

fn entries() -> Vec<Entry> {
    vec![
        Entry::Match(MatchRecord {
            number: 0,
            files: [FileId(0), FileId(1)],
            is_final: false,
            seed: 9,
            games: [game(1), game(2)],
        }),
        Entry::Immigrant {
            name: String::from("mine"),
            weights: random_weights(5).into(),
        },
        Entry::Changed {
            params: begin().params.replace("budget = 150000", "budget = 9000"),
            keys: vec![String::from("evolution.budget: 150000 -> 9000")],
        },
        Entry::Measured(MeasuredMatch {
            file: FileId(3),
            opponent: String::from("default"),
            weights: random_weights(1).into(),
            purpose: Purpose::Hall,
            tally: Tally::default(),
        }),
    ]
}

fn entry_seeds() -> Vec<Vec<u8>> {
    entries()
        .iter()
        .map(|entry| encode(entry).unwrap())
        .collect()
}

/// A journal with all kinds of entries.
fn journal() -> Vec<u8> {
    let place = tempfile::tempdir().unwrap();
    let path = place.path().join("journal");
    let mut journal = Journal::create(&path).unwrap();
    journal.append(&[encode(&begin()).unwrap()]).unwrap();
    journal.append(&entry_seeds()).unwrap();
    fs::read(path).unwrap()
}

/// Other values of the store, each with its type's number.
fn value_seeds() -> Vec<Vec<u8>> {
    let (fold, _) = Fold::begin(&begin()).unwrap();
    vec![
        encode(&begin()).unwrap(),
        encode(&fold.state).unwrap(),
        encode(&Totals::default()).unwrap(),
    ]
}

/// What can be read can be written, and is then the same.
fn read<T>(bytes: &[u8]) -> Result<(), String>
where
    T: Stored + std::fmt::Debug,
{
    match decode::<T>(bytes) {
        Ok(value) => {
            let written = encode(&value).map_err(|error| error.to_string())?;
            let again: T = decode(&written).map_err(|error| error.to_string())?;
            // Not by `==`: a number may be NaN.
            match encode(&again).is_ok_and(|twice| twice == written) {
                true => Ok(()),
                false => Err(format!("{again:?} is not {value:?}")),
            }
        }
        Err(error) => check_message(&error.to_string()),
    }
}

proptest! {
    #![proptest_config(config(256))]

    #[test]
    fn stored_entries(bytes in bytes(entry_seeds())) {
        demand!(read::<Entry>(&bytes));
        let Ok(entry) = decode::<Entry>(&bytes) else {
            return Ok(());
        };
        if let Entry::Match(record) = &entry
            && let Err(error) = record.game_records()
        {
            demand!(check_message(&error.to_string()));
        }
        let (mut fold, _) = Fold::begin(&begin()).unwrap();
        let before = fold.clone();
        if let Err(error) = fold.apply(&entry) {
            demand!(check_message(&error.to_string()));
            prop_assert_eq!(fold, before);
        }
    }

    #[test]
    fn stored_values(bytes in bytes(value_seeds())) {
        demand!(read::<Begin>(&bytes));
        demand!(read::<State>(&bytes));
        demand!(read::<Birth>(&bytes));
        demand!(read::<Totals>(&bytes));
        demand!(read::<Sample>(&bytes));
        demand!(read::<MatchRecord>(&bytes));
    }
}

proptest! {
    #![proptest_config(config(64))]

    /// A journal is read to its last good frame, and can then be gone on with,
    /// unless there is something good behind the damage.
    #[test]
    fn journals(bytes in bytes(vec![journal()])) {
        let place = tempfile::tempdir().unwrap();
        let path = place.path().join("journal");
        fs::write(&path, &bytes).unwrap();
        let mut frames = match FrameReader::open(&path) {
            Ok(frames) => frames,
            Err(error) => {
                demand!(check_message(&error.to_string()));
                return Ok(());
            }
        };
        let mut good = 0;
        while let Some(payload) = frames.next_frame().unwrap() {
            demand!(read::<Begin>(payload));
            demand!(read::<Entry>(payload));
            good += 1;
        }
        let tail = frames.tail().unwrap();
        match Journal::open(&path) {
            Ok((mut journal, found)) => {
                prop_assert_eq!(found, tail);
                prop_assert_eq!(journal.position().entries, good);
                journal.append(&["more"]).unwrap();
                let (journal, tail) = Journal::open(&path).unwrap();
                prop_assert_eq!((journal.position().entries, tail), (good + 1, JournalTail::Clean));
            }
            Err(error) => {
                demand!(check_message(&error.to_string()));
                prop_assert!(matches!(tail, JournalTail::Damaged(_)));
                prop_assert_eq!(fs::read(&path).unwrap(), bytes);
            }
        }
    }
}
