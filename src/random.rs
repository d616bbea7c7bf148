//! Seeds: which random numbers belong to which purpose.
//!
//! A pair's seed follows from the seed of the whole, the purpose and the pair's
//! number, and everything random about the pair follows from its seed. So
//! pairs can be played in any order, on any number of threads. ChaCha8 is
//! specified to the bit; its key holds the seed and the use, so that two uses
//! have nothing in common.

use rand::rngs::ChaCha8Rng;
use rand::{Rng, SeedableRng};

/// What games are played for. Openings of different streams never meet: see
/// `Stream::from_hash`.
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
    /// All streams.
    pub const ALL: [Stream; 4] = [
        Stream::Evolution,
        Stream::Final,
        Stream::Certificate,
        Stream::Match,
    ];

    /// The stream to which a position belongs, by a hash of it.
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
    /// The seeds of a stream's pairs.
    Pairs(Stream),
    /// The opening of a pair.
    Opening,
    /// The genes of random weights.
    Weights,
    /// The first population of an evolution.
    Founders,
    /// Who plays a match of an evolution.
    Pairing,
    /// The births that follow a match of an evolution.
    Breeding,
}

/// The generator for one use of a seed.
pub(crate) fn rng(seed: u64, purpose: Purpose) -> ChaCha8Rng {
    let tag = match purpose {
        Purpose::Pairs(stream) => stream.tag(),
        Purpose::Opening => *b"opening.",
        Purpose::Weights => *b"weights.",
        Purpose::Founders => *b"founders",
        Purpose::Pairing => *b"pairing.",
        Purpose::Breeding => *b"breeding",
    };
    let mut key = *b"????????--------loatune 1 arena ";
    key[..8].copy_from_slice(&seed.to_le_bytes());
    key[8..16].copy_from_slice(&tag);
    ChaCha8Rng::from_seed(key)
}

/// The seed of pair `number` of a stream.
pub fn pair_seed(seed: u64, stream: Stream, number: u64) -> u64 {
    let mut rng = rng(seed, Purpose::Pairs(stream));
    rng.set_stream(number);
    rng.next_u64()
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
        let of = |stream, number| pair_seed(1, stream, number);
        assert_eq!(of(Stream::Evolution, 0), GOLDEN[0]);
        assert_eq!(of(Stream::Match, 0), GOLDEN[1]);
        assert_eq!(of(Stream::Match, u64::MAX), GOLDEN[2]);
    }

    const GOLDEN: [u64; 3] = [
        8_518_635_230_993_551_193,
        12_581_525_688_466_934_046,
        18_063_224_461_208_445_257,
    ];
}
