//! When another program that plays the games of a run has failed too often. Each
//! game with a fault was played twice by then, with a new process.

use crate::arena::{Fault, GameRecord};
use crate::params::FaultRule;

/// So many matches with a fault, one after the other, end a run.
const IN_A_ROW: u32 = 3;

/// So many matches with a fault end a run, too, where they are no fewer than one
/// of [`SHARE`] of all matches since the program was started.
const MANY: u64 = 10;
const SHARE: u64 = 4;

/// Counts matches, and those with a fault.
#[derive(Clone, Debug)]
pub(super) struct FaultLimit {
    rule: FaultRule,
    in_a_row: u32,
    faulty: u64,
    matches: u64,
}

/// A program that keeps failing.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "{times}, at last by {fault}; that match was not counted, and nothing is lost: put the engine \
     right and run the same command to go on"
)]
pub struct KeepsFailing {
    times: String,
    /// The last fault.
    pub fault: Fault,
}

impl FaultLimit {
    pub(super) fn new(rule: FaultRule) -> FaultLimit {
        FaultLimit {
            rule,
            in_a_row: 0,
            faulty: 0,
            matches: 0,
        }
    }

    /// Takes the next match.
    ///
    /// # Errors
    /// It is not to be counted: the program has failed too often.
    pub(super) fn add(&mut self, games: &[GameRecord; 2]) -> Result<(), KeepsFailing> {
        let fault = games.iter().find_map(|game| game.outcome.fault());
        self.count(fault)
    }

    fn count(&mut self, fault: Option<&Fault>) -> Result<(), KeepsFailing> {
        self.matches += 1;
        let Some(fault) = fault else {
            self.in_a_row = 0;
            return Ok(());
        };
        self.in_a_row += 1;
        self.faulty += 1;
        let (faulty, matches) = (self.faulty, self.matches);
        let times = if self.rule == FaultRule::Stop {
            String::from("the engine failed, and again when the game was played again")
        } else if self.in_a_row >= IN_A_ROW {
            format!("the engine failed in {IN_A_ROW} matches one after the other")
        } else if faulty >= MANY && faulty * SHARE >= matches {
            format!("the engine failed in {faulty} of {matches} matches")
        } else {
            return Ok(());
        };
        let fault = fault.clone();
        Err(KeepsFailing { times, fault })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ends_at(rule: FaultRule, faulty: impl Fn(usize) -> bool) -> Option<usize> {
        let mut limit = FaultLimit::new(rule);
        let fault = Fault::Hangs(1);
        (0..1000).position(|n| limit.count(faulty(n).then_some(&fault)).is_err())
    }

    #[test]
    fn a_run_ends_after_some_faults_in_a_row_or_many_among_others() {
        assert_eq!(ends_at(FaultRule::Loss, |_| true), Some(2));
        assert_eq!(ends_at(FaultRule::Draw, |n| n >= 5), Some(7));
        assert_eq!(ends_at(FaultRule::Loss, |n| n % 3 == 0), Some(27));
        assert_eq!(ends_at(FaultRule::Loss, |n| n % 5 == 0), None);
    }

    #[test]
    fn or_at_the_first_one_where_that_is_asked_for() {
        assert_eq!(ends_at(FaultRule::Stop, |n| n == 4), Some(4));
    }
}
