//! Games that several tests of this room learn from.

use rand::RngExt;
use rand::rngs::ChaCha8Rng;

use super::{SampledGame, Sampling};
use crate::board::Board;

/// A game of so many random moves at most, whose positions wait for outcomes.
pub(super) fn random_game(rng: &mut ChaCha8Rng, plies: usize) -> SampledGame {
    let mut board = Board::start();
    let mut moves = Vec::new();
    while moves.len() < plies && !board.is_decided() {
        let list = board.moves();
        let mv = list[rng.random_range(0..list.len())];
        moves.push(mv);
        board = board.play(mv);
    }
    SampledGame::from_moves(&Board::start(), &moves, 4, 0.0, &Sampling::default())
}
