//! Classes of moves: the expertise that simulations are weighted with, and that
//! new nodes are given virtual games for.

use crate::board::{Board, Move, Snapshot};

use super::judge::Judge;
use super::options::Options;

/// What a move does, the most important first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Class {
    /// It wins at once.
    Win,
    /// The opponent could win at once, and cannot after it.
    Block,
    /// It lowers its side's Euler number.
    Connect,
    /// A capture that raises the opponent's Euler number.
    Break,
    /// Anything else.
    Other,
}

impl Class {
    /// The class of a move. `threatened` says whether the opponent could win at
    /// once if it were its turn, which is the same for all moves of a position.
    pub(super) fn of(judge: &Judge<'_>, board: &Board, mv: Move, threatened: bool) -> Class {
        let next = board.after(mv);
        if next.is_connected(board.turn()) && judge.wins(board, mv) {
            return Class::Win;
        }
        if threatened && !judge.can_win(&board.play(mv)) {
            return Class::Block;
        }
        Class::of_quiet(board, &next, mv)
    }

    /// The class of a move that neither wins nor blocks.
    pub(super) fn of_quiet(board: &Board, next: &Snapshot, mv: Move) -> Class {
        let own = board.turn();
        if next.euler4(own) < board.euler4(own) {
            Class::Connect
        } else if mv.is_capture() && next.euler4(!own) > board.euler4(!own) {
            Class::Break
        } else {
            Class::Other
        }
    }

    /// Its weight in a simulation.
    pub(super) fn weight(self, options: &Options) -> f64 {
        match self {
            Class::Win => options.win,
            Class::Block => options.block,
            Class::Connect => options.connect,
            Class::Break => options.breaks,
            Class::Other => 1.0,
        }
    }

    /// The virtual games of a new node that such a move leads to.
    pub(super) fn virtual_games(self, options: &Options) -> f64 {
        match self {
            // A move that wins needs no help: it is proven.
            Class::Win => 0.0,
            Class::Block => options.virtual_block,
            Class::Connect => options.virtual_connect,
            Class::Break => options.virtual_break,
            Class::Other => options.virtual_other,
        }
    }
}

/// Whether the opponent could win at once if it were its turn.
pub(super) fn is_threatened(judge: &Judge<'_>, board: &Board) -> bool {
    board.may_connect_by_move(!board.turn()) && judge.can_win(&board.pass())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::{Evaluator, Weights};
    use crate::game::Rules;
    use crate::notation::{parse_move, parse_position};
    use crate::search::mcts::judge::for_black;
    use crate::search::signature::{POSITIONS, board_of};

    #[test]
    fn moves_have_classes() {
        let evaluator = Evaluator::new(&Weights::source());
        let (rules, options) = (Rules::default(), Options::default());
        let judge = Judge::new(&evaluator, &rules, &options, 0, 1);
        let board = parse_position("7o/8/7o/8/8/x7/8/x6o x").expect("a position");
        let win = parse_move(&board, "a3-b2").expect("a move");
        assert_eq!(Class::of(&judge, &board, win, false), Class::Win);

        let mut counts = [0; 5];
        let firsts = POSITIONS.iter().map(|(text, _)| board_of(text));
        let seconds = firsts.flat_map(|board| {
            let moves = board.moves().to_vec();
            moves.into_iter().map(move |mv| board.play(mv))
        });
        for board in seconds.filter(|board| judge.result(board).is_none()) {
            let threatened = is_threatened(&judge, &board);
            for &mv in board.moves().iter() {
                let class = Class::of(&judge, &board, mv, threatened);
                counts[class as usize] += 1;
                let next = board.play(mv);
                let won = judge.result(&next) == Some(for_black(board.turn(), 1.0));
                match class {
                    Class::Win => assert!(won),
                    Class::Block => assert!(!won && !judge.can_win(&next)),
                    _ => assert!(!threatened || judge.can_win(&next)),
                }
            }
        }
        assert!(counts[1..].iter().all(|&count| count > 10), "{counts:?}");
    }
}
