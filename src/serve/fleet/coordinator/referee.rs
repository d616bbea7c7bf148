//! Whether a result is what its task can lead to: the right opening, legal
//! moves, and an end that follows from them. Whether the players would have
//! chosen these moves is what a check finds out.

use super::dispatcher::PairRecords;
use crate::arena::{EndCause, GameRecord, PairHalf};
use crate::game::Rules;
use crate::run::Task;
use crate::serve::fleet::pair_player::PairPlayer;
use crate::serve::fleet::wire::PlayedPair;

/// Judges results.
pub(super) struct Referee<'a> {
    openings: PairPlayer<'a>,
    rules: Rules,
}

impl<'a> Referee<'a> {
    pub(super) fn new(openings: PairPlayer<'a>, rules: Rules) -> Referee<'a> {
        Referee { openings, rules }
    }

    /// The games of a result.
    ///
    /// # Errors
    /// Why they cannot be those of the task.
    pub(super) fn judge(&mut self, task: &Task, pair: &PlayedPair) -> Result<PairRecords, String> {
        let start = self.openings.start(task);
        let (start, seed, games) = match (start, pair) {
            (Err(none), PlayedPair::NoOpening) => return Ok(Err(none)),
            (Err(_), _) => return Err(String::from("there is no opening for it")),
            (Ok(_), PlayedPair::NoOpening) => return Err(String::from("there is an opening")),
            (Ok(start), PlayedPair::Games { seed, games }) => (start, *seed, games),
        };
        if start.seed != seed {
            return Err(format!("its seed is {seed}, not {}", start.seed));
        }
        let names = match task {
            Task::Match(pairing) => pairing.files.map(|file| file.to_string()),
            Task::Measurement(_) => Default::default(),
        };
        let mut records = Vec::with_capacity(2);
        for (half, game) in PairHalf::BOTH.into_iter().zip(games) {
            let record = game
                .record(half.seats(names.clone()), seed)
                .map_err(|error| error.to_string())?;
            let opening = &start.opening;
            let is_start = record.first.same_position(&opening.first)
                && record.opening_plies as usize == opening.moves.len()
                && record.moves.starts_with(&opening.moves);
            if !is_start {
                return Err(String::from("it has another opening"));
            }
            self.check_end(&record)?;
            records.push(record);
        }
        let records = records.try_into().expect("there are two halves");
        Ok(Ok(records))
    }

    fn check_end(&self, record: &GameRecord) -> Result<(), String> {
        if !matches!(record.outcome.cause, EndCause::Rules(_)) {
            return Err(String::from("its end is none that the rules know"));
        }
        if record.final_value.is_some() && record.winner().is_none() {
            return Err(String::from("a draw has no winner's value"));
        }
        let replayed = record.replay(&self.rules);
        replayed.map(|_| ()).map_err(|error| error.to_string())
    }
}
