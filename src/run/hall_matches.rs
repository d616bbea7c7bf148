//! The hall's strength while the evolution goes on: each of its files plays the
//! default weights, on openings that the evolution never sees, between the
//! matches of the run.
//!
//! These are the matches of the proof, only earlier: what is not complete when
//! the run stops is played again, with the same result, and what is left at the
//! end is played then. They change nothing in the evolution.

use std::collections::VecDeque;

use super::event_loop::LoopError;
use super::proof::planned::{PlannedMatch, against_default};
use super::worker::{Measurement, Played, RunPool, submit_measurement};
use crate::arena::{ReorderBuffer, Summary};
use crate::evolve::FileId;
use crate::store::{MeasuredMatch, Population, Purpose, StoreError};

/// Pairs of games that are with the workers at the same time: few enough for the
/// matches of the run to go on beside them.
const PAIRS_AHEAD: u64 = 4;

/// The matches of the hall's files.
#[derive(Default)]
pub(super) struct HallMatches {
    /// Files that were measured before this process; `None` until the store was
    /// asked.
    known: Option<Vec<FileId>>,
    /// Files of the hall that are measured, or waiting for it.
    seen: usize,
    waiting: VecDeque<PlannedMatch>,
    current: Option<Current>,
    /// Games of complete matches.
    games: u64,
}

/// A match that is being played.
struct Current {
    planned: PlannedMatch,
    /// Pairs that were given to the workers.
    submitted: u64,
    buffer: ReorderBuffer,
    summary: Summary,
}

impl HallMatches {
    /// Games that have been played, those before this process included.
    pub(super) fn games(&self) -> u64 {
        let current = self.current.as_ref();
        self.games + current.map_or(0, |current| current.summary.tally.games())
    }

    /// Looks for files that have entered the hall, and keeps the workers supplied.
    pub(super) fn tick(
        &mut self,
        population: &Population,
        pool: &RunPool,
    ) -> Result<(), StoreError> {
        self.find(population)?;
        if self.current.is_none() {
            self.current = self.waiting.pop_front().map(|planned| Current {
                planned,
                submitted: 0,
                buffer: ReorderBuffer::default(),
                summary: Summary::default(),
            });
        }
        if let Some(current) = &mut self.current {
            current.submit(pool);
        }
        Ok(())
    }

    /// Reads once what was measured before this process.
    pub(super) fn recall(&mut self, population: &Population) -> Result<(), StoreError> {
        if self.known.is_none() {
            let measured = population.reader().measured_matches()?;
            let hall = measured.iter().filter(|one| one.purpose == Purpose::Hall);
            self.known = Some(hall.clone().map(|one| one.file).collect());
            self.games = hall.map(|one| one.tally.games()).sum();
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
                let Some(planned) = against_default(population, file)? else {
                    return Ok(());
                };
                self.waiting.extend((planned.games >= 2).then_some(planned));
            }
            self.seen += 1;
        }
        Ok(())
    }

    /// Takes a game that was played; the match, once it is complete.
    pub(super) fn add<E>(&mut self, played: Played) -> Result<Option<MeasuredMatch>, LoopError<E>> {
        let Some(current) = &mut self.current else {
            return Ok(None);
        };
        let number = played.number;
        current.buffer.add(number, played.half, played.record?);
        if let Some(games) = current.buffer.take(number) {
            current.summary.add(&games);
        }
        if current.summary.tally.games() / 2 < current.planned.games / 2 {
            return Ok(None);
        }
        let complete = self.current.take();
        let complete = complete.map(|current| current.planned.with(current.summary.tally));
        self.games += complete
            .as_ref()
            .map_or(0, |measured| measured.tally.games());
        Ok(complete)
    }
}

impl Current {
    fn submit(&mut self, pool: &RunPool) {
        let complete = self.summary.tally.games() / 2;
        while self.submitted < self.planned.games / 2 && self.submitted < complete + PAIRS_AHEAD {
            let measurement = Measurement {
                pair: self.submitted,
                weights: [self.planned.weights, self.planned.against],
            };
            submit_measurement(pool, &measurement);
            self.submitted += 1;
        }
    }
}
