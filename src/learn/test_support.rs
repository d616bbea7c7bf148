//! Games that several tests of this room learn from.

use rand::RngExt;
use rand::rngs::ChaCha8Rng;

use super::{SampledGame, Sampling};
use crate::board::{Board, Side};
use crate::random::{self, Purpose};
use crate::stats::regression::logistic;

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

/// Random games in which the side with more pieces on dark squares wins more often,
/// which no feature of the evaluation knows.
pub(super) fn games_of_dark_pieces(count: u64) -> Vec<SampledGame> {
    let game = |n: u64| {
        let mut rng = random::rng(n, Purpose::Opening);
        let mut game = random_game(&mut rng, 20);
        for position in &mut game.positions {
            let board = position.board();
            let more = dark_pieces(&board, Side::X) - dark_pieces(&board, Side::O);
            let is_won = rng.random_bool(logistic(0.7 * more));
            position.target = f32::from(u8::from(is_won));
        }
        game
    };
    (0..count).map(game).collect()
}

/// A side's pieces on dark squares.
pub(super) fn dark_pieces(board: &Board, side: Side) -> f64 {
    let squares = board.pieces(side).into_iter();
    squares
        .filter(|square| (square.file() + square.rank()).is_multiple_of(2))
        .count() as f64
}
