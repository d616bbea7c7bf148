//! When a player is too broken for its match to go on. A program that cannot be
//! started again, or fails in one game after the other, says nothing of
//! strength however many games it loses.

use super::contender::Fault;
use super::match_runner::PlayedPair;
use super::record::GameRecord;

/// Games in a row after which a player that died or hung in all of them is
/// given up: it was started anew for each.
const LOST_IN_A_ROW: u64 = 3;

/// A player that lost so many games by faults of any kind, and no fewer than one
/// of [`SHARE`] of all its games, is given up, too.
const MANY_FAULTS: u64 = 10;
const SHARE: u64 = 4;

/// Counts the faults of every player, in the order of the pairs.
#[derive(Clone, Debug)]
pub struct FaultWatch(Vec<Counts>);

#[derive(Clone, Copy, Debug, Default)]
struct Counts {
    games: u64,
    faults: u64,
    /// Games up to now in which it died or hung, without one in between that it
    /// survived.
    lost_in_a_row: u64,
}

/// A player that is given up.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Broken {
    /// Its number in the list of players.
    pub player: usize,
    /// Its last fault.
    pub fault: Fault,
    /// Games that it lost by faults, and games that it played.
    pub faults: u64,
    /// Games that it played.
    pub games: u64,
}

impl FaultWatch {
    /// Without any game yet.
    pub fn new(players: usize) -> FaultWatch {
        FaultWatch(vec![Counts::default(); players])
    }

    /// Counts a pair; returns the player that is to be given up after it.
    pub fn add(&mut self, pair: &PlayedPair) -> Option<Broken> {
        let [a, b] = pair.pair.players;
        let mut broken = None;
        for (record, seats) in pair.games.iter().zip([[a, b], [b, a]]) {
            for (player, side) in seats.into_iter().zip(crate::board::Side::BOTH) {
                let fault = fault_of(record, side);
                let counts = &mut self.0[player];
                counts.add(fault);
                if let Some(fault) = fault
                    && counts.is_broken()
                {
                    broken = Some(Broken {
                        player,
                        fault: fault.clone(),
                        faults: counts.faults,
                        games: counts.games,
                    });
                }
            }
        }
        broken
    }
}

impl Counts {
    fn add(&mut self, fault: Option<&Fault>) {
        self.games += 1;
        self.faults += u64::from(fault.is_some());
        if fault.is_some_and(Fault::ends_player) {
            self.lost_in_a_row += 1;
        } else {
            self.lost_in_a_row = 0;
        }
    }

    fn is_broken(&self) -> bool {
        self.lost_in_a_row >= LOST_IN_A_ROW
            || (self.faults >= MANY_FAULTS && self.faults * SHARE >= self.games)
    }
}

/// The fault by which `side` lost, if it did.
fn fault_of(record: &GameRecord, side: crate::board::Side) -> Option<&Fault> {
    let fault = record.outcome.fault()?;
    (record.winner() == Some(!side)).then_some(fault)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn counts(faults: &[Option<Fault>]) -> Option<usize> {
        let mut counts = Counts::default();
        faults.iter().position(|fault| {
            counts.add(fault.as_ref());
            counts.is_broken()
        })
    }

    #[test]
    fn a_player_that_dies_every_time_is_given_up() {
        let dies = || Some(Fault::Dies(String::new()));
        assert_eq!(counts(&[dies(), dies(), Some(Fault::Hangs(1))]), Some(2));
        // One game that it survives, and it is given another chance.
        assert_eq!(counts(&[dies(), dies(), None, dies(), dies()]), None);
        let late = Some(Fault::Overtime(3));
        assert_eq!(counts(&[dies(), late, dies(), dies()]), None);
    }

    #[test]
    fn so_is_one_that_fails_often() {
        let illegal = || Some(Fault::Illegal(String::new()));
        let all: Vec<_> = (0..20).map(|_| illegal()).collect();
        assert_eq!(counts(&all), Some(9));
        let every = |n: usize| -> Vec<_> {
            let fault = |game: usize| game.is_multiple_of(n).then(illegal).flatten();
            (0..1000).map(fault).collect()
        };
        assert_eq!(counts(&every(2)), Some(18));
        assert_eq!(counts(&every(100)), None);
    }
}
