//! The hall's strength while the evolution goes on: each of its files plays the
//! default weights, on openings that the evolution never sees, between the
//! matches of the run.
//!
//! These are the matches of the proof, only earlier: what is not complete when
//! the run stops is played again, with the same result, and what is left at the
//! end is played then. They change nothing in the evolution.

use std::collections::VecDeque;

use super::event_loop::RunError;
use super::proving::{ProofDuel, against_default};
use super::reorder_buffer::Early;
use super::worker_pool::{Crew, Measure, Played};
use crate::arena::Summary;
use crate::evolve::FileId;
use crate::store::{Duel, Population, Purpose, StoreError};

/// Pairs of games that are handed out at the same time: few enough for the
/// matches of the run to go on beside them.
const PAIRS: u64 = 4;

/// The matches of the hall's files.
#[derive(Default)]
pub(super) struct Measuring {
    /// Files that were measured in former sittings; `None` before anybody
    /// looked.
    known: Option<Vec<FileId>>,
    /// Files of the hall that are measured, or waiting for it.
    seen: usize,
    waiting: VecDeque<ProofDuel>,
    current: Option<Current>,
    /// Games of complete matches.
    games: u64,
}

/// A match that is being played.
struct Current {
    duel: ProofDuel,
    /// Pairs that were handed out.
    handed_out: u64,
    early: Early,
    summary: Summary,
}

impl Measuring {
    /// Games that have been played, those of former sittings included.
    pub(super) fn games(&self) -> u64 {
        let current = self.current.as_ref();
        self.games + current.map_or(0, |current| current.summary.tally.games())
    }

    /// Looks for files that have entered the hall, and keeps the crew supplied.
    pub(super) fn look(&mut self, population: &Population, crew: &Crew) -> Result<(), StoreError> {
        self.find(population)?;
        if self.current.is_none() {
            self.current = self.waiting.pop_front().map(|duel| Current {
                duel,
                handed_out: 0,
                early: Early::default(),
                summary: Summary::default(),
            });
        }
        if let Some(current) = &mut self.current {
            current.hand_out(crew);
        }
        Ok(())
    }

    /// Remembers what was measured in former sittings.
    pub(super) fn recall(&mut self, population: &Population) -> Result<(), StoreError> {
        if self.known.is_none() {
            let duels = population.reader().duels()?;
            let hall = duels.iter().filter(|duel| duel.purpose == Purpose::Hall);
            self.known = Some(hall.clone().map(|duel| duel.file).collect());
            self.games = hall.map(|duel| duel.tally.games()).sum();
        }
        Ok(())
    }

    fn find(&mut self, population: &Population) -> Result<(), StoreError> {
        let hall = population.state().hall_of_fame();
        while let Some(&file) = hall.get(self.seen) {
            self.recall(population)?;
            let is_known = self
                .known
                .as_ref()
                .is_some_and(|known| known.contains(&file));
            if !is_known {
                // It is there as soon as its birth is saved.
                let Some(duel) = against_default(population, file)? else {
                    return Ok(());
                };
                self.waiting.extend((duel.games >= 2).then_some(duel));
            }
            self.seen += 1;
        }
        Ok(())
    }

    /// Takes a game that was played; the match, once it is complete.
    pub(super) fn add<E>(&mut self, played: Played) -> Result<Option<Duel>, RunError<E>> {
        let Some(current) = &mut self.current else {
            return Ok(None);
        };
        let number = played.number;
        current.early.add(played)?;
        if let Some(games) = current.early.take(number) {
            current.summary.add(&games);
        }
        if current.summary.tally.games() / 2 < current.duel.games / 2 {
            return Ok(None);
        }
        let complete = self.current.take();
        let complete = complete.map(|current| current.duel.with(current.summary.tally));
        self.games += complete.as_ref().map_or(0, |duel| duel.tally.games());
        Ok(complete)
    }
}

impl Current {
    fn hand_out(&mut self, crew: &Crew) {
        let complete = self.summary.tally.games() / 2;
        while self.handed_out < self.duel.games / 2 && self.handed_out < complete + PAIRS {
            crew.measure(&Measure {
                pair: self.handed_out,
                weights: [self.duel.weights, self.duel.against],
            });
            self.handed_out += 1;
        }
    }
}
