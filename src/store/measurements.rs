//! The matches outside of the evolution: the champion's certificate, its panel and
//! the hall's strength, as far as their pairs were saved. A pure fold, like the
//! evolution itself; nothing here touches the disk or plays a game.
//!
//! The pairs of a match are saved in the order of their numbers, so its tally
//! tells which comes next: a pair that was counted before, or that leaves one
//! out, is refused. A match is complete when it has as many pairs as the
//! parameters ask for, and stays so.
//!
//! All pairs of a match are played under the same conditions by the same
//! engine. Where these change, a match that is not complete begins anew; with
//! another engine so do those of the certificate and the panel: a certificate
//! names one engine of the champion. An engine of the panel is part of its match.

use super::record::{MeasuredMatch, MeasuredPair, Purpose};
use crate::evolve::FileId;
use crate::genome::Genome;
use crate::params::Params;
use crate::weights::Conditions;

/// Every match outside of the evolution, in the order in which they began.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Measurements {
    matches: Vec<Measurement>,
    /// The signature of the engine that plays.
    engine: Option<u64>,
}

/// A match, and whether anything is left of it to play.
#[derive(Clone, Debug, PartialEq)]
struct Measurement {
    so_far: MeasuredMatch,
    is_complete: bool,
}

/// What tells a match outside of the evolution from the others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MatchIdentity<'a> {
    /// The file whose strength is measured.
    pub file: FileId,
    /// What for.
    pub purpose: Purpose,
    /// The opponent's name.
    pub opponent: &'a str,
    /// The opponent's weights.
    pub weights: &'a Genome,
}

/// A pair that does not follow from those before it.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PairRefused {
    /// It was counted before.
    #[error("pair {number} of {file} against {opponent} is there twice")]
    Twice {
        /// The pair.
        number: u64,
        /// The file that was measured.
        file: FileId,
        /// Its opponent.
        opponent: String,
    },
    /// Pairs before it were not counted.
    #[error("pair {number} of {file} against {opponent} comes where pair {next} should")]
    Gap {
        /// The pair.
        number: u64,
        /// The file that was measured.
        file: FileId,
        /// Its opponent.
        opponent: String,
        /// The pair that should come next.
        next: u64,
    },
}

impl Measurements {
    /// The matches that are complete, the first one first.
    pub fn complete(&self) -> impl Iterator<Item = &MeasuredMatch> {
        let complete = self.matches.iter().filter(|found| found.is_complete);
        complete.map(|found| &found.so_far)
    }

    /// Whether a match of this file, purpose and opponent's name is complete. One
    /// of a panel is, whichever engine its opponent had: it is recorded with it.
    pub fn is_complete(&self, wanted: &MatchIdentity<'_>) -> bool {
        let is_same = |one: Purpose, other: Purpose| {
            let are_panels = matches!((one, other), (Purpose::Panel { .. }, Purpose::Panel { .. }));
            are_panels || one == other
        };
        self.complete().any(|found| {
            (found.file, found.opponent.as_str()) == (wanted.file, wanted.opponent)
                && is_same(found.purpose, wanted.purpose)
        })
    }

    /// The weights of a player of the panel in the newest match that a file has
    /// begun with it.
    pub fn panel_weights(&self, file: FileId, opponent: &str) -> Option<&Genome> {
        let mut matches = self.matches.iter().rev().map(|found| &found.so_far);
        let found = matches.find(|found| {
            (found.file, found.opponent.as_str()) == (file, opponent)
                && matches!(found.purpose, Purpose::Panel { .. })
        });
        found.map(|found| &found.weights)
    }

    /// The pairs of a match that were counted so far, which is the number of the
    /// next one.
    pub fn pairs(&self, wanted: &MatchIdentity<'_>) -> u64 {
        let found = self.matches.iter().find(|found| found.is(wanted));
        found.map_or(0, Measurement::pairs)
    }

    /// The games of all matches.
    pub fn games(&self) -> u64 {
        let games = self.matches.iter().map(|found| found.so_far.tally.games());
        games.sum()
    }

    /// Counts a pair.
    pub(super) fn add_pair(
        &mut self,
        pair: &MeasuredPair,
        params: &Params,
    ) -> Result<(), PairRefused> {
        let identity = pair.identity();
        let place = self.matches.iter().position(|found| found.is(&identity));
        let next = place.map_or(0, |at| self.matches[at].pairs());
        let is_complete = place.is_some_and(|at| self.matches[at].is_complete);
        let (number, file, opponent) = (pair.number, pair.file, pair.opponent.clone());
        if number < next || is_complete {
            return Err(PairRefused::Twice {
                number,
                file,
                opponent,
            });
        }
        if number > next {
            return Err(PairRefused::Gap {
                number,
                file,
                opponent,
                next,
            });
        }
        let at = place.unwrap_or_else(|| {
            self.matches.push(Measurement {
                so_far: MeasuredMatch {
                    file,
                    opponent,
                    weights: pair.weights.clone(),
                    purpose: pair.purpose,
                    tally: Default::default(),
                },
                is_complete: false,
            });
            self.matches.len() - 1
        });
        let [first, second] = pair.scores();
        self.matches[at].so_far.tally.add_pair(first, second);
        self.matches[at].close_if_full(params);
        Ok(())
    }

    /// Takes a match that was saved as a whole.
    pub(super) fn add_match(&mut self, measured: &MeasuredMatch) {
        self.matches.push(Measurement {
            so_far: measured.clone(),
            is_complete: true,
        });
    }

    /// Other parameters are valid from here on.
    pub(super) fn change_params(&mut self, before: &Params, now: &Params) {
        for found in &mut self.matches {
            found.close_if_full(now);
        }
        if Conditions::from(before) != Conditions::from(now) {
            self.matches.retain(|found| found.is_complete);
        }
    }

    /// Another engine plays from here on, unless it is the same.
    pub(super) fn change_engine(&mut self, signature: u64) {
        if self.engine.replace(signature) != Some(signature) {
            self.matches
                .retain(|found| found.is_complete && found.so_far.purpose == Purpose::Hall);
        }
    }
}

impl Measurement {
    fn is(&self, wanted: &MatchIdentity<'_>) -> bool {
        let MeasuredMatch {
            file,
            purpose,
            opponent,
            weights,
            ..
        } = &self.so_far;
        (*file, *purpose, opponent.as_str(), weights)
            == (wanted.file, wanted.purpose, wanted.opponent, wanted.weights)
    }

    fn pairs(&self) -> u64 {
        self.so_far.tally.games() / 2
    }

    fn close_if_full(&mut self, params: &Params) {
        let last = &params.final_stage;
        let games = match self.so_far.purpose {
            Purpose::Certificate => last.certificate_games,
            Purpose::Hall => last.hall_games,
            Purpose::Panel { .. } => last.panel_games,
        };
        self.is_complete |= self.pairs() >= games / 2;
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::store::{StoredGame, StoredReason, StoredWinner};

    /// A pair that the file wins as Black and loses as White.
    fn pair(purpose: Purpose, opponent: &str, number: u64) -> MeasuredPair {
        let game = StoredGame {
            first: None,
            opening_plies: 0,
            moves: vec![0; 30],
            winner: StoredWinner::Black,
            reason: StoredReason::Connected,
            final_value: None,
            loser_groups: None,
            nodes: [0; 2],
        };
        MeasuredPair {
            file: FileId(7),
            opponent: opponent.to_owned(),
            weights: Genome::default(),
            purpose,
            number,
            seed: 1,
            games: [game.clone(), game],
        }
    }

    fn params(hall_games: u64) -> Params {
        let mut params = Params::default();
        params.final_stage.certificate_games = 4;
        params.final_stage.hall_games = hall_games;
        params
    }

    #[test]
    fn a_match_is_the_sum_of_its_pairs() {
        let mut found = Measurements::default();
        let hall = |number| pair(Purpose::Hall, "default", number);
        for number in 0..3 {
            assert_eq!(found.pairs(&hall(0).identity()), number);
            assert!(!found.is_complete(&hall(0).identity()));
            found.add_pair(&hall(number), &params(6)).unwrap();
        }
        assert!(found.is_complete(&hall(0).identity()));
        let complete: Vec<_> = found.complete().collect();
        assert_eq!(complete.len(), 1);
        let tally = complete[0].tally;
        assert_eq!((tally.as_black.wins, tally.as_white.losses), (3, 3));
        assert_eq!((tally.pairs.0, tally.plies), ([0, 0, 3, 0, 0], 180));
        assert_eq!(found.games(), 6);
    }

    #[test]
    fn no_pair_counts_twice_and_none_is_left_out() {
        let mut found = Measurements::default();
        let (params, hall) = (params(4), |number| pair(Purpose::Hall, "default", number));
        found.add_pair(&hall(0), &params).unwrap();
        let before = found.clone();
        let twice = found.add_pair(&hall(0), &params).unwrap_err();
        assert_eq!(
            twice.to_string(),
            "pair 0 of #7 against default is there twice"
        );
        let gap = found.add_pair(&hall(2), &params).unwrap_err();
        assert_eq!(
            gap.to_string(),
            "pair 2 of #7 against default comes where pair 1 should"
        );
        assert_eq!(found, before);
        // Another purpose or opponent is another match.
        let other = pair(Purpose::Hall, "other", 0);
        found.add_pair(&other, &params).unwrap();
        let other = pair(Purpose::Certificate, "default", 0);
        found.add_pair(&other, &params).unwrap();
        // What is complete takes no further pair.
        found.add_pair(&hall(1), &params).unwrap();
        assert!(found.add_pair(&hall(2), &params).is_err());
    }

    /// Pairs of another engine are another match, until one is complete.
    #[test]
    fn a_panel_match_has_one_engine() {
        let mut params = params(2);
        params.final_stage.panel_games = 4;
        let name = "default@mcts:s500";
        let panel = |engine, number| pair(Purpose::Panel { engine }, name, number);
        let mut found = Measurements::default();
        found.add_pair(&panel(1, 0), &params).unwrap();
        assert_eq!(found.pairs(&panel(1, 0).identity()), 1);
        assert_eq!(found.pairs(&panel(2, 0).identity()), 0);
        assert!(found.panel_weights(FileId(7), name).is_some());
        assert!(found.panel_weights(FileId(8), name).is_none());
        found.add_pair(&panel(2, 0), &params).unwrap();
        found.add_pair(&panel(2, 1), &params).unwrap();
        assert!(found.is_complete(&panel(2, 0).identity()));
        assert!(found.is_complete(&panel(3, 0).identity()));
        assert_eq!(found.complete().count(), 1);
        // The champion's engine is part of the result, too.
        found.change_engine(9);
        assert_eq!(found.complete().count(), 0);
    }

    #[test]
    fn a_match_that_is_not_complete_is_of_one_piece() {
        let (hall, whole) = (
            |number| pair(Purpose::Hall, "default", number),
            pair(Purpose::Hall, "other", 0),
        );
        let begun = || {
            let mut found = Measurements::default();
            found.change_engine(1);
            found.add_pair(&whole, &params(2)).unwrap();
            found.add_pair(&hall(0), &params(6)).unwrap();
            found.add_pair(&hall(1), &params(6)).unwrap();
            found
        };
        // More or fewer games are the same match.
        let mut found = begun();
        found.change_params(&params(6), &params(8));
        assert_eq!(found.pairs(&hall(0).identity()), 2);
        found.change_params(&params(8), &params(2));
        assert!(found.is_complete(&hall(0).identity()));
        // With another depth it begins anew, and what is complete stays.
        let mut deeper = params(6);
        deeper.player.depth += 1;
        let mut found = begun();
        found.change_params(&params(6), &deeper);
        assert_eq!(found.pairs(&hall(0).identity()), 0);
        assert!(found.is_complete(&whole.identity()));
        // With another engine, too, and all of the certificate.
        let certificate = |number| pair(Purpose::Certificate, "default", number);
        let mut found = begun();
        found.add_pair(&certificate(0), &params(6)).unwrap();
        found.add_pair(&certificate(1), &params(6)).unwrap();
        found.change_engine(1);
        assert!(found.is_complete(&certificate(0).identity()));
        assert_eq!(found.pairs(&hall(0).identity()), 2);
        found.change_engine(2);
        assert_eq!(found.pairs(&certificate(0).identity()), 0);
        assert_eq!(found.pairs(&hall(0).identity()), 0);
        assert!(found.is_complete(&whole.identity()));
    }
}
