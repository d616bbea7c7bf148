//! The hall's strength while the evolution goes on: each of its files plays the
//! reference weights, on openings that the evolution never sees, between the
//! matches of the run.
//!
//! These are the matches of the proof, only earlier: every pair is saved when it
//! is counted, a run that was stopped goes on with the first that was not, and
//! what is left at the end is played then. They change nothing in the evolution.

use std::collections::VecDeque;

use super::event_loop::LoopError;
use super::fault_limit::FaultLimit;
use super::game_source::{GameSource, Task};
use super::proof::planned::{PlannedMatch, against_reference};
use super::worker::{Measurement, Played};
use crate::arena::ReorderBuffer;
use crate::store::{Population, StoreError};

/// Pairs of games that are with the workers at the same time: few enough for the
/// matches of the run to go on beside them.
const PAIRS_AHEAD: u64 = 4;

/// The matches of the hall's files.
#[derive(Default)]
pub(super) struct HallMatches {
    /// Files of the hall that are measured, or waiting for it.
    seen: usize,
    waiting: VecDeque<PlannedMatch>,
    current: Option<Current>,
    faults: Option<FaultLimit>,
}

/// A match that is being played.
struct Current {
    planned: PlannedMatch,
    /// The pair that is counted next.
    next: u64,
    /// Pairs that were given to the workers, those before this process included.
    submitted: u64,
    buffer: ReorderBuffer,
}

impl HallMatches {
    /// Looks for files that have entered the hall, and keeps the workers supplied.
    pub(super) fn tick(
        &mut self,
        population: &Population,
        games: &dyn GameSource,
    ) -> Result<(), StoreError> {
        self.find(population)?;
        if self.current.is_none() {
            self.current = self.waiting.pop_front().map(|planned| {
                let next = population.measurements().pairs(&planned.identity());
                Current {
                    planned,
                    next,
                    submitted: next,
                    buffer: ReorderBuffer::default(),
                }
            });
        }
        if let Some(current) = &mut self.current {
            current.submit(games);
        }
        Ok(())
    }

    fn find(&mut self, population: &Population) -> Result<(), StoreError> {
        let hall = population.state().hall_of_fame();
        while let Some(&file) = hall.get(self.seen) {
            // It is there as soon as its birth is saved.
            let Some(planned) = against_reference(population, file)? else {
                return Ok(());
            };
            if !population.measurements().is_complete(&planned.identity()) {
                self.waiting.extend((planned.pairs > 0).then_some(planned));
            }
            self.seen += 1;
        }
        Ok(())
    }

    /// Takes a game that was played, and saves the pairs whose turn it is.
    pub(super) fn add(
        &mut self,
        population: &mut Population,
        played: Played,
    ) -> Result<(), LoopError<StoreError>> {
        let Some(current) = &mut self.current else {
            return Ok(());
        };
        current
            .buffer
            .add(played.number, played.half, played.record?);
        let rule = population.params().engine.fault;
        let faults = self.faults.get_or_insert_with(|| FaultLimit::new(rule));
        while let Some(games) = current.buffer.take(current.next) {
            faults.add(&games)?;
            let entry = current.planned.entry(current.next, &games)?;
            population.apply(entry).map_err(LoopError::Sink)?;
            current.next += 1;
        }
        if current.next >= current.planned.pairs {
            self.current = None;
        }
        Ok(())
    }
}

impl Current {
    fn submit(&mut self, games: &dyn GameSource) {
        while self.submitted < self.planned.pairs && self.submitted < self.next + PAIRS_AHEAD {
            let measurement = Measurement {
                pair: self.submitted,
                weights: [self.planned.weights.clone(), self.planned.against.clone()],
            };
            games.submit(&Task::Measurement(measurement));
            self.submitted += 1;
        }
    }
}
