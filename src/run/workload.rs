//! How much of a run is done: the games of the evolution, of its final and of
//! the proof, counted together.

use crate::evolve::{Plan, State};

/// Games of a run that have been played, and all that there will be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Workload {
    done: u64,
    all: u64,
}

impl Workload {
    /// The workload of a run in this state; `proof` has the games of the proof
    /// that have been played, and all of them.
    pub(super) fn new(state: &State, plan: &Plan, proof: [u64; 2]) -> Workload {
        let evolution = [state.games(), 2 * state.total_matches(plan)];
        Workload::from_parts([evolution, proof])
    }

    /// Adds parts of `[done, all]` games. After a change of the parameters a
    /// part may have more games behind it than it asks for now: these count as
    /// the whole of that part, never as more.
    fn from_parts(parts: [[u64; 2]; 2]) -> Workload {
        let sum = |count: fn(&[u64; 2]) -> u64| parts.iter().map(count).sum();
        Workload {
            done: sum(|[done, all]| *done.min(all)),
            all: sum(|[_, all]| *all),
        }
    }

    /// Games that are left to play.
    pub(super) const fn left(self) -> u64 {
        self.all - self.done
    }

    /// The share that is done, from 0 to 1.
    pub(super) fn share(self) -> f64 {
        if self.all == 0 {
            1.0
        } else {
            self.done as f64 / self.all as f64
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_add_up() {
        let workload = Workload::from_parts([[200, 1000], [0, 600]]);
        assert_eq!((workload.left(), workload.share()), (1400, 0.125));
        let nothing = Workload::from_parts([[0, 0], [0, 0]]);
        assert_eq!((nothing.left(), nothing.share()), (0, 1.0));
    }

    /// With fewer games of the hall asked for than were played, the time that
    /// was left once came out as thousands of millions of hours.
    #[test]
    fn more_than_was_asked_for_is_no_more_than_all() {
        let workload = Workload::from_parts([[1000, 1000], [900, 40]]);
        assert_eq!((workload.left(), workload.share()), (0, 1.0));
        let workload = Workload::from_parts([[500, 1000], [900, 40]]);
        assert_eq!(workload.left(), 500);
        assert!(workload.share() < 1.0);
    }
}
