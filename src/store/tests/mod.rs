//! Tests of the store as a whole, and what they share.
#![allow(clippy::unwrap_used)]

mod breakage;
mod genes;
mod journal;
mod population;
mod records;

use std::fs;
use std::path::Path;

use super::*;
use crate::board::Board;
use crate::evolve::{FileId, Pairing, State};
use crate::genome::{GeneTable, Genome};
use crate::stats::{Pentanomial, Tally};

pub(super) fn begin() -> Begin {
    Begin {
        params: String::from("[rules]\nmax_plies = 150\n"),
        genes: GeneTable::first(),
        seeds: vec![Genome::default()],
    }
}

/// Numbers that look random.
pub(super) struct Numbers(pub(super) u64);

impl Numbers {
    pub(super) fn next(&mut self, below: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005);
        self.0 = self.0.wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % below
    }
}

/// A match with random moves and a random result, that follows from its
/// number.
pub(super) fn some_match(pairing: &Pairing) -> MatchRecord {
    let mut numbers = Numbers(pairing.number.wrapping_mul(977) + 5);
    let mut game = || {
        let mut board = Board::start();
        let mut moves = Vec::new();
        for _ in 0..20 + numbers.next(20) {
            let legal = board.moves();
            if legal.is_empty() {
                break;
            }
            let mv = legal[numbers.next(legal.len() as u64) as usize];
            moves.push(mv.to_bits());
            board = board.play(mv);
        }
        let draw = numbers.next(20) == 0;
        let winner = match (draw, numbers.next(2)) {
            (true, _) => StoredWinner::Nobody,
            (_, 0) => StoredWinner::Black,
            _ => StoredWinner::White,
        };
        StoredGame {
            first: None,
            opening_plies: 4,
            moves,
            winner,
            reason: if draw {
                StoredReason::Repetition
            } else {
                StoredReason::Connected
            },
            final_value: (!draw).then(|| 29_000 + numbers.next(1000) as i32),
            loser_groups: (!draw).then(|| 2 + numbers.next(4) as u32),
            nodes: [numbers.next(60_000), numbers.next(60_000)],
        }
    };
    MatchRecord {
        number: pairing.number,
        files: pairing.files,
        is_final: pairing.is_final,
        seed: pairing.number.wrapping_mul(0x9e37_79b9_7f4a_7c15),
        games: [game(), game()],
    }
}

pub(super) fn next_match(state: &State) -> Entry {
    Entry::Match(some_match(state.pending().front().unwrap()))
}

pub(super) fn play(population: &mut Population, matches: usize) {
    for _ in 0..matches {
        let entry = next_match(population.state());
        population.apply(entry).unwrap();
    }
}

pub(super) fn measured_match(file: u64) -> Entry {
    Entry::Measured(MeasuredMatch {
        file: FileId(file),
        opponent: String::from("default"),
        weights: Genome::default(),
        purpose: Purpose::Hall,
        tally: Tally {
            pairs: Pentanomial([0, 0, 1, 1, 0]),
            ..Tally::default()
        },
    })
}

/// A pair of a file of the hall against the reference weights.
pub(super) fn measured_pair(file: u64, number: u64) -> Entry {
    let pairing = Pairing {
        number,
        files: [FileId(file), FileId(0)],
        weights: [Genome::default(), Genome::default()],
        is_final: false,
    };
    let MatchRecord { seed, games, .. } = some_match(&pairing);
    Entry::MeasuredPair(MeasuredPair {
        file: FileId(file),
        opponent: String::from("default"),
        weights: Genome::default(),
        purpose: Purpose::Hall,
        number,
        seed,
        games,
    })
}

/// Every kind of entry, some matches between them.
pub(super) fn play_everything(population: &mut Population) {
    play(population, 40);
    let weights = Genome::default();
    let name = String::from("a friend");
    let immigrant = Entry::Immigrant { name, weights };
    population.apply(immigrant).unwrap();
    play(population, 30);
    population.apply(measured_match(1)).unwrap();
    population.apply(measured_match(2)).unwrap();
    for number in 0..40 {
        population.apply(measured_pair(3, number)).unwrap();
    }
    let changed = Entry::Changed {
        params: String::from("[rules]\nmax_plies = 160\n"),
        keys: vec![String::from("rules.max_plies: 150 -> 160")],
    };
    population.apply(changed).unwrap();
    play(population, 20);
    population.apply(measured_pair(4, 0)).unwrap();
    population.apply(measured_pair(5, 0)).unwrap();
    play(population, 4);
    population.apply(measured_pair(4, 1)).unwrap();
    play(population, 1);
}

/// The state that folding everything in a reader's store again gives.
pub(super) fn told(population: &Population) -> Everything {
    population.flush().unwrap();
    let reader = population.reader();
    Everything {
        state: population.state().clone(),
        counts: reader.counts().unwrap(),
        files: format!("{:?}", reader.files(FileId(0), usize::MAX).unwrap()),
        matches: reader.matches(0, usize::MAX).unwrap(),
        events: reader.events(0, usize::MAX).unwrap(),
        samples: format!("{:?}", reader.samples().unwrap()),
        measurements: population.measurements().clone(),
    }
}

/// All that a population tells.
#[derive(Debug, PartialEq)]
pub(super) struct Everything {
    pub(super) state: State,
    pub(super) counts: Counts,
    files: String,
    pub(super) matches: Vec<MatchRecord>,
    pub(super) events: Vec<SequencedEvent>,
    samples: String,
    pub(super) measurements: Measurements,
}

pub(super) fn copy_dir(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for file in fs::read_dir(from).unwrap() {
        let file = file.unwrap();
        let target = to.join(file.file_name());
        if file.file_type().unwrap().is_dir() {
            copy_dir(&file.path(), &target);
        } else {
            fs::copy(file.path(), target).unwrap();
        }
    }
}

/// The notices as one text.
pub(super) fn text(notices: &[Notice]) -> String {
    let notices: Vec<String> = notices.iter().map(ToString::to_string).collect();
    notices.join("\n")
}
