//! What several test files share.

pub mod binary;
pub mod client;
pub mod population;
// The benchmarks use all of it.
#[allow(dead_code)]
pub mod slow;
pub mod terminal;

use loatune::board::{Bitboard, Board, Side, Square};
use rand::rngs::ChaCha8Rng;
use rand::{RngExt, SeedableRng};

/// The start, in the notation of every text form.
pub const START: &str = "1xxxxxx1/o6o/o6o/o6o/o6o/o6o/o6o/1xxxxxx1 x";

/// A board from a drawing: eight rows, rank 8 first, `x`, `o` and dots.
pub fn drawn(turn: Side, rows: &str) -> Board {
    let rows: Vec<&str> = rows.split_whitespace().collect();
    assert_eq!(rows.len(), 8, "a drawing has eight rows");
    let mut pieces = [Bitboard::EMPTY; 2];
    for (row, text) in rows.iter().enumerate() {
        assert_eq!(text.len(), 8, "row {text} has eight squares");
        for (file, mark) in text.chars().enumerate() {
            let square = Bitboard::from_square(Square::at(file as u8, 7 - row as u8));
            match mark {
                'x' => pieces[0] |= square,
                'o' => pieces[1] |= square,
                '.' => {}
                other => panic!("{other} in a drawing"),
            }
        }
    }
    Board::new(pieces, turn).unwrap()
}

/// Every position of a game of random moves, until it is decided or `plies`
/// are played.
pub fn random_walk(seed: u64, plies: usize) -> Vec<Board> {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut boards = vec![Board::start()];
    while boards.len() <= plies {
        let now = boards.last().unwrap();
        let moves = now.moves();
        if now.is_decided() || moves.is_empty() {
            break;
        }
        let next = now.play(moves[rng.random_range(0..moves.len())]);
        boards.push(next);
    }
    boards
}

/// The last `plies` positions of each of some random games that are not decided
/// and in which the side to move has a move.
pub fn endings(first_seed: u64, games: u64, plies: usize) -> Vec<Board> {
    let late = |seed| {
        let walk = random_walk(seed, 200);
        let from = walk.len().saturating_sub(plies);
        walk[from..].to_vec()
    };
    let mut boards: Vec<Board> = (0..games)
        .flat_map(|game| late(first_seed + game))
        .collect();
    boards.retain(|board| !board.is_decided() && board.mobility(board.turn()) > 0);
    boards
}

/// The board as the slow implementation sees it.
pub fn slow(board: &Board) -> slow::Slow {
    slow::Slow::from_fn(board.turn().letter(), |file, rank| {
        let square = Square::at(file as u8, rank as u8);
        let here = |side: &Side| board.pieces(*side).has(square);
        Side::BOTH.into_iter().find(here).map_or('.', Side::letter)
    })
}
