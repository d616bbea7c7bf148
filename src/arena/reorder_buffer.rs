//! The reorder buffer: games come back in any order, and pairs leave in the
//! order of their numbers.

use std::collections::BTreeMap;

use super::record::GameRecord;

/// Games of pairs that are not complete, or not at their turn.
#[derive(Debug)]
pub struct ReorderBuffer<G = GameRecord>(BTreeMap<u64, [Option<G>; 2]>);

impl<G> Default for ReorderBuffer<G> {
    fn default() -> ReorderBuffer<G> {
        ReorderBuffer(BTreeMap::new())
    }
}

/// Which of the two games of a pair: colours are swapped in the second.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PairHalf {
    /// The first player has Black.
    First,
    /// The second player has Black.
    Second,
}

impl PairHalf {
    /// Both, in the order in which they are counted.
    pub const BOTH: [PairHalf; 2] = [PairHalf::First, PairHalf::Second];

    /// Black and White from the first and the second player.
    pub fn seats<T>(self, [first, second]: [T; 2]) -> [T; 2] {
        match self {
            PairHalf::First => [first, second],
            PairHalf::Second => [second, first],
        }
    }
}

impl<G> ReorderBuffer<G> {
    /// Takes a game of pair `number`.
    pub fn add(&mut self, number: u64, half: PairHalf, game: G) {
        let games = self.0.entry(number).or_insert_with(|| [None, None]);
        games[half as usize] = Some(game);
    }

    /// Both games of pair `number`, once they are there.
    pub fn take(&mut self, number: u64) -> Option<[G; 2]> {
        match self.0.remove(&number)? {
            [Some(first), Some(second)] => Some([first, second]),
            incomplete => {
                self.0.insert(number, incomplete);
                None
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arena::{EndCause, GameOutcome};
    use crate::board::Board;
    use crate::game::{Reason, Winner};

    fn game(seed: u64) -> GameRecord {
        GameRecord {
            players: <[String; 2]>::default(),
            seed,
            first: Board::start(),
            opening_plies: 0,
            moves: Vec::new(),
            outcome: GameOutcome {
                winner: Winner::Draw,
                cause: EndCause::Rules(Reason::MaxPlies),
            },
            loser_groups: None,
            final_value: None,
            nodes: [0; 2],
        }
    }

    #[test]
    fn a_pair_leaves_once_it_is_complete() {
        let mut buffer = ReorderBuffer::default();
        assert_eq!(buffer.take(0), None);
        buffer.add(1, PairHalf::Second, game(12));
        buffer.add(0, PairHalf::Second, game(2));
        assert_eq!(buffer.take(0), None);
        buffer.add(0, PairHalf::First, game(1));
        assert_eq!(buffer.take(0), Some([game(1), game(2)]));
        assert_eq!(buffer.take(0), None);
        buffer.add(1, PairHalf::First, game(11));
        assert_eq!(buffer.take(1), Some([game(11), game(12)]));
    }
}
