//! Games that came before their turn.

use std::collections::BTreeMap;

use super::worker_pool::Played;
use crate::arena::GameRecord;
use crate::arena::openings::NoOpening;

/// Games of matches that are not complete, or not at their turn.
#[derive(Default)]
pub(super) struct Early(BTreeMap<u64, [Option<GameRecord>; 2]>);

impl Early {
    /// Takes a game.
    pub(super) fn add(&mut self, played: Played) -> Result<(), NoOpening> {
        let games = self.0.entry(played.number).or_default();
        games[played.game] = Some(played.record?);
        Ok(())
    }

    /// Both games of a match, once they are there.
    pub(super) fn take(&mut self, number: u64) -> Option<[GameRecord; 2]> {
        match self.0.remove(&number)? {
            [Some(first), Some(second)] => Some([first, second]),
            some => {
                self.0.insert(number, some);
                None
            }
        }
    }
}
