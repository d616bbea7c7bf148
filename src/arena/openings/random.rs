//! Random openings: some random plies from the first position, drawn again
//! until neither side has won or is far ahead.
//!
//! Each position belongs to one [`Stream`], together with its mirror images,
//! by a hash of it. A stream takes only its own, so what is held out from the
//! evolution cannot come up in it by chance.

use rand::RngExt;

use super::Opening;
use crate::board::{Board, Side};
use crate::eval::Weights;
use crate::game::Game;
use crate::game::Rules;
use crate::random::{self, Stream};
use crate::search::{Algorithm, Engine, Limits};

/// How random openings are made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RandomOpenings {
    /// Random plies, at least one.
    pub plies: u32,
    /// The largest value, for either side, that is not lopsided.
    pub bound: i32,
}

/// The source weights judge an opening by a search this deep.
const JUDGE_DEPTH: u32 = 2;

/// Draws before giving up. With usual settings about one in four is good: a
/// quarter of all positions is the stream's, and 95 % of them are level.
const TRIES: u32 = 10_000;

/// No opening was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "no opening of {} random plies is worth at most {} to either side: \
     {TRIES} were tried; allow more plies or a wider bound", .0.plies, .0.bound
)]
pub struct NoOpening(pub RandomOpenings);

impl Default for RandomOpenings {
    fn default() -> RandomOpenings {
        RandomOpenings {
            plies: 4,
            bound: 30,
        }
    }
}

impl RandomOpenings {
    /// The opening of the pair with this seed.
    pub(super) fn draw(
        &self,
        seed: u64,
        stream: Stream,
        judge: &mut Judge,
    ) -> Result<Opening, NoOpening> {
        let rules = judge.rules;
        let mut rng = random::rng(seed, random::Purpose::Opening);
        for _ in 0..TRIES {
            let Some(game) = random_game(&mut rng, self.plies, &rules) else {
                continue;
            };
            if Stream::from_hash(hash(game.board())) != stream {
                continue;
            }
            if judge.value(&game).abs() <= self.bound {
                return Ok(Opening::from(&game));
            }
        }
        Err(NoOpening(*self))
    }
}

/// A game of random moves that is not over after them.
fn random_game(rng: &mut impl rand::Rng, plies: u32, rules: &Rules) -> Option<Game> {
    let mut game = Game::new(*rules);
    for _ in 0..plies {
        let count = game.board().mobility(game.turn());
        // A side that has to pass makes no opening.
        let mv = game.board().nth_move(rng.random_range(0..count.max(1)))?;
        game.play(mv).ok()?;
    }
    game.outcome().is_none().then_some(game)
}

/// What the source weights say about a position: they stay what they are, so that
/// a seed stands for the same opening in every version.
pub(super) struct Judge {
    engine: Engine,
    rules: Rules,
}

impl Judge {
    pub(super) fn new(rules: &Rules) -> Judge {
        // Alpha-beta uses no table, so the smallest one will do.
        let engine = Engine::new(Algorithm::AlphaBeta, &Weights::source(), *rules, 0);
        Judge {
            engine,
            rules: *rules,
        }
    }

    pub(super) fn rules(&self) -> &Rules {
        &self.rules
    }

    fn value(&mut self, game: &Game) -> i32 {
        let limits = Limits {
            depth: Some(JUDGE_DEPTH),
            nodes: None,
            ..Limits::default()
        };
        let plies = game.played().len();
        let report = self
            .engine
            .search(game.board(), plies, limits, &|| false, &mut |_| {});
        report.value()
    }
}

/// The same for a position and its mirror images (files, ranks or both turned
/// round), which are the same to any player.
fn hash(board: &Board) -> u64 {
    let sets = Side::BOTH.map(|side| board.pieces(side).0);
    let images: [fn(u64) -> u64; 4] = [
        |set| set,
        u64::swap_bytes,
        u64::reverse_bits,
        |set| set.reverse_bits().swap_bytes(),
    ];
    let turn = board.turn().index() as u64;
    let of = |image: fn(u64) -> u64| {
        let [black, white] = sets.map(image);
        mix(mix(mix(turn) ^ black) ^ white)
    };
    images.map(of).into_iter().min().unwrap_or(0)
}

/// A good mixer of 64 bits (the finaliser of SplitMix64).
const fn mix(bits: u64) -> u64 {
    let bits = bits.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    bits ^ (bits >> 31)
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use std::collections::HashSet;

    use super::*;
    use crate::notation::parse_position;
    use crate::random::pair_seed;

    fn draw(stream: Stream, number: u64) -> Opening {
        let seed = pair_seed(7, stream, number);
        let random = RandomOpenings::default();
        let mut judge = Judge::new(&Rules::default());
        random.draw(seed, stream, &mut judge).unwrap()
    }

    #[test]
    fn openings_are_legal_level_and_repeatable() {
        let rules = Rules::default();
        let mut judge = Judge::new(&rules);
        for number in 0..50 {
            let opening = draw(Stream::Match, number);
            assert_eq!(opening, draw(Stream::Match, number));
            assert_eq!(opening.moves.len(), 4);
            let game = opening.game(&rules).unwrap();
            assert!(judge.value(&game).abs() <= 30);
        }
    }

    #[test]
    fn lopsided_openings_are_drawn_again() {
        let rules = Rules::default();
        let mut judge = Judge::new(&rules);
        let values = |bound: i32, judge: &mut Judge| -> Vec<i32> {
            let random = RandomOpenings { plies: 6, bound };
            (0..60)
                .map(|seed| {
                    let opening = random.draw(seed, Stream::Match, judge).unwrap();
                    judge.value(&opening.game(&rules).unwrap()).abs()
                })
                .collect()
        };
        let loose = values(100_000, &mut judge);
        let tight = values(10, &mut judge);
        assert!(loose.iter().any(|&value| value > 10));
        assert!(tight.iter().all(|&value| value <= 10));
        // Where the first draw was level, it is the one that is taken.
        let level = loose.iter().zip(&tight).filter(|(loose, _)| **loose <= 10);
        assert!(level.clone().count() > 0);
        assert!(level.clone().all(|(loose, tight)| loose == tight));
    }

    #[test]
    fn streams_have_no_opening_in_common() {
        let mut seen: Vec<HashSet<u64>> = Vec::new();
        for stream in Stream::ALL {
            let hashes: HashSet<u64> = (0..300)
                .map(|number| {
                    hash(
                        draw(stream, number)
                            .game(&Rules::default())
                            .unwrap()
                            .board(),
                    )
                })
                .collect();
            assert!(seen.iter().all(|other| other.is_disjoint(&hashes)));
            seen.push(hashes);
        }
    }

    #[test]
    fn mirror_images_are_one_opening() {
        let images = [
            "xx4o1/8/8/3x4/8/2o5/8/o7 x",
            "o7/8/2o5/8/3x4/8/8/xx4o1 x",
            "1o4xx/8/8/4x3/8/5o2/8/7o x",
            "7o/8/5o2/8/4x3/8/8/1o4xx x",
        ];
        let hashes = images.map(|text| hash(&parse_position(text).unwrap()));
        assert!(hashes.iter().all(|&other| other == hashes[0]));
        let other = parse_position("xx4o1/8/8/3x4/8/2o5/8/o7 o").unwrap();
        assert_ne!(hash(&other), hashes[0]);
    }

    #[test]
    fn where_there_is_no_opening_the_search_for_one_ends() {
        let impossible = RandomOpenings {
            plies: 1,
            bound: -1,
        };
        let mut judge = Judge::new(&Rules::default());
        let error = impossible.draw(1, Stream::Match, &mut judge).unwrap_err();
        assert!(error.to_string().contains("1 random plies"), "{error}");
    }
}
