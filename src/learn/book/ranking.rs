//! The order in which the moves of a position join a book: by a shallow search
//! with the player's weights, so that hopeless moves come last.

use crate::board::{Board, Move};
use crate::eval::Weights;
use crate::game::Rules;
use crate::search::value::terminal_value;
use crate::search::{Algorithm, Engine, Limits};

/// Plies that are searched after each move.
const DEPTH: u32 = 1;

/// Judges moves.
pub(super) struct Ranking {
    engine: Engine,
    rules: Rules,
}

impl Ranking {
    pub(super) fn new(weights: &Weights, rules: &Rules) -> Ranking {
        Ranking {
            // Alpha-beta uses no table, so the smallest one will do.
            engine: Engine::new(Algorithm::AlphaBeta, weights, *rules, 0),
            rules: *rules,
        }
    }

    /// The legal moves, the most promising one first; of equal ones in their own
    /// order.
    pub(super) fn moves(&mut self, board: &Board) -> Vec<Move> {
        let mut moves: Vec<(i32, Move)> = board
            .moves()
            .iter()
            .map(|&mv| (-self.value(&board.play(mv)), mv))
            .collect();
        moves.sort_by_key(|&(value, mv)| (std::cmp::Reverse(value), mv));
        moves.into_iter().map(|(_, mv)| mv).collect()
    }

    /// What a position is worth to its side to move.
    fn value(&mut self, board: &Board) -> i32 {
        if let Some(value) = terminal_value(board, &self.rules, 0) {
            return value;
        }
        let limits = Limits {
            depth: Some(DEPTH),
            ..Limits::default()
        };
        let report = self.engine.search(board, 0, limits, &|| false, &mut |_| {});
        report.value()
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::notation::parse_position;

    #[test]
    fn a_winning_move_comes_first_and_none_is_left_out() {
        let mut ranking = Ranking::new(&Weights::source(), &Rules::default());
        let board = parse_position("7o/8/7o/8/8/x7/8/x6o x").unwrap();
        let moves = ranking.moves(&board);
        assert!(board.play(moves[0]).is_connected(board.turn()));
        assert_eq!(moves.len(), board.moves().len());
    }
}
