//! Every stream of random numbers, by purpose and number.
//!
//! ChaCha8 is specified to the bit, so the same seed gives the same numbers on
//! every platform. Its key holds the seed and a tag of the `Purpose`, its
//! stream number counts the uses of one purpose, so that no two streams share
//! anything:
//!
//! | purpose | seed | stream number |
//! |---|---|---|
//! | seeds of game pairs, by [`Stream`] | of the run or match | number of the pair |
//! | opening of a pair | of the pair | 0 |
//! | random weights | of the weights | 0 |
//! | founders of a run | of the run | 0 |
//! | pairing of a match | of the run | number of the draw |
//! | births after a match | of the run | number of the match |
//! | simulation of a tree search | of the search | number of the simulation |
//! | births of a run that is taken further | of the run | matches before them |
//! | games drawn again for an error | of the measurement | number of the draw |
//! | players of a pair that is learned from | of the fit | number of the pair |
//! | seed of the openings of a book | of the book | 0 |
//!
//! Everything random about a pair follows from the pair's own seed, so pairs
//! can be played in any order on any number of threads. Nothing here reads a
//! clock or asks the system for entropy. The keys are part of the stored
//! format: a changed key would change how a stored run goes on.

use rand::rngs::ChaCha8Rng;
use rand::{Rng, SeedableRng};

/// What games are played for. Openings of different streams never meet, because
/// every position belongs to one stream: see `Stream::from_hash`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Stream {
    /// The games that the evolution learns from.
    Evolution,
    /// The games that decide among the last survivors.
    Final,
    /// The games that prove the champion's strength.
    Certificate,
    /// The games of matches, gauntlets and tournaments.
    Match,
}

impl Stream {
    /// All streams, in the order that `Stream::from_hash` counts them.
    pub const ALL: [Stream; 4] = [
        Stream::Evolution,
        Stream::Final,
        Stream::Certificate,
        Stream::Match,
    ];

    /// The stream to which the openings that end in a position belong, from a
    /// hash of the position.
    pub(super) const fn from_hash(hash: u64) -> Stream {
        Stream::ALL[(hash % Stream::ALL.len() as u64) as usize]
    }

    const fn tag(self) -> [u8; 8] {
        match self {
            Stream::Evolution => *b"evolve..",
            Stream::Final => *b"final...",
            Stream::Certificate => *b"certify.",
            Stream::Match => *b"match...",
        }
    }
}

/// What random numbers are drawn for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Purpose {
    /// The seed of a stream's pair of this number.
    Pair(Stream, u64),
    /// The opening of a pair, from the pair's seed.
    Opening,
    /// The genes of random weights.
    Weights,
    /// The first population of an evolution.
    Founders,
    /// The players of a match of an evolution, by the number of the draw.
    Pairing(u64),
    /// The births that follow the match of this number of an evolution.
    Breeding(u64),
    /// The moves of a simulation of this number in a Monte-Carlo tree search,
    /// from the search's seed.
    Simulation(u64),
    /// The births with which an evolution goes on that was over after this
    /// number of matches.
    Extension(u64),
    /// The weights of both players of a pair that is played to learn from it.
    Learning(u64),
    /// The games that a bootstrap draws, by the number of the draw.
    Bootstrap(u64),
    /// The seed of the openings that a book is made from.
    Book,
}

impl Purpose {
    /// The part of the key that no other purpose has, and the stream number.
    const fn tag_and_number(self) -> ([u8; 8], u64) {
        match self {
            Purpose::Pair(stream, number) => (stream.tag(), number),
            Purpose::Opening => (*b"opening.", 0),
            Purpose::Weights => (*b"weights.", 0),
            Purpose::Founders => (*b"founders", 0),
            Purpose::Pairing(number) => (*b"pairing.", number),
            Purpose::Breeding(number) => (*b"breeding", number),
            Purpose::Simulation(number) => (*b"simulate", number),
            Purpose::Extension(number) => (*b"extend..", number),
            Purpose::Learning(number) => (*b"learning", number),
            Purpose::Bootstrap(number) => (*b"drawing.", number),
            Purpose::Book => (*b"book....", 0),
        }
    }
}

/// The generator for one purpose of a seed.
pub(crate) fn rng(seed: u64, purpose: Purpose) -> ChaCha8Rng {
    let (tag, number) = purpose.tag_and_number();
    let mut key = *b"????????--------loatune 1 arena ";
    key[..8].copy_from_slice(&seed.to_le_bytes());
    key[8..16].copy_from_slice(&tag);
    let mut rng = ChaCha8Rng::from_seed(key);
    rng.set_stream(number);
    rng
}

/// The seed of pair `number` of a stream.
///
/// # Examples
///
/// ```
/// use loatune::random::{Stream, pair_seed};
///
/// assert_eq!(pair_seed(1, Stream::Match, 7), pair_seed(1, Stream::Match, 7));
/// assert_ne!(pair_seed(1, Stream::Match, 7), pair_seed(1, Stream::Final, 7));
/// ```
pub fn pair_seed(seed: u64, stream: Stream, number: u64) -> u64 {
    rng(seed, Purpose::Pair(stream, number)).next_u64()
}

/// The seed of the openings that a book is made from, so that no match has the
/// openings of a book with its number.
pub(crate) fn book_seed(seed: u64) -> u64 {
    rng(seed, Purpose::Book).next_u64()
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn all_pairs_of_all_streams_differ() {
        let mut seen = HashSet::new();
        for stream in Stream::ALL {
            for seed in 0..10 {
                for number in 0..1000 {
                    assert!(seen.insert(pair_seed(seed, stream, number)));
                }
            }
        }
    }

    #[test]
    fn seeds_stay_what_they_are() {
        let golden = [
            (Stream::Evolution, 0, 8_518_635_230_993_551_193),
            (Stream::Match, 0, 12_581_525_688_466_934_046),
            (Stream::Match, u64::MAX, 18_063_224_461_208_445_257),
        ];
        for (stream, number, expected) in golden {
            assert_eq!(
                pair_seed(1, stream, number),
                expected,
                "{stream:?} {number}"
            );
        }
    }
}
