//! A book as trees of moves: one from each position that no move of the book
//! leads to, as SGF games with variations.

use std::collections::BTreeSet;

use super::entry::BookMove;
use super::table::{Book, BookPosition, PositionKey};
use crate::board::{Board, Canonical};
use crate::notation::{SgfBranch, write_sgf_tree};

/// The deepest tree; what lies deeper begins a tree of its own.
const DEEPEST: usize = 100;

impl Book {
    /// The book as SGF: a game tree from each position that no other leads to,
    /// the initial position first. The best move of a position comes first, so
    /// that the main line is the best one. A position that several moves lead to
    /// is followed once.
    pub fn sgf(&self) -> String {
        let mut seen = BTreeSet::new();
        let mut text = String::new();
        for board in self.roots() {
            if !seen.insert(PositionKey::new(&Canonical::new(&board).board)) {
                continue;
            }
            let comment = format!("opening book, {} games", self.games());
            let branches = self.branches(&board, &mut seen, 0);
            text += &write_sgf_tree(&board, &comment, &branches);
        }
        text
    }

    /// The initial position where it is known, positions that no move of the
    /// book leads to, then all others, for what is left.
    fn roots(&self) -> Vec<Board> {
        let mut reached = BTreeSet::new();
        for position in self.positions() {
            for known in &position.moves {
                let next = Canonical::new(&position.board.play(known.mv)).board;
                reached.insert(PositionKey::new(&next));
            }
        }
        let start = Board::start();
        let start_key = PositionKey::new(&Canonical::new(&start).board);
        let mut roots = Vec::new();
        if self.positions.contains_key(&start_key) {
            roots.push(start);
        }
        let (inner, outer): (Vec<_>, Vec<_>) =
            self.positions.keys().partition(|key| reached.contains(key));
        let upright = |key: &PositionKey| {
            let position = BookPosition {
                board: key.board(),
                moves: Vec::new(),
            };
            position.upright().board
        };
        roots.extend(outer.into_iter().chain(inner).map(upright));
        roots
    }

    fn branches(
        &self,
        board: &Board,
        seen: &mut BTreeSet<PositionKey>,
        depth: usize,
    ) -> Vec<SgfBranch> {
        let Some(position) = self.look_up(board).filter(|_| depth < DEEPEST) else {
            return Vec::new();
        };
        let mut branches = Vec::new();
        for known in position.moves {
            let next = board.play(known.mv);
            let key = PositionKey::new(&Canonical::new(&next).board);
            let mut comment = comment(&known);
            let mut below = Vec::new();
            if self.positions.contains_key(&key) && depth + 1 < DEEPEST {
                if seen.insert(key) {
                    below = self.branches(&next, seen, depth + 1);
                } else {
                    comment += "; another line has what follows";
                }
            }
            branches.push(SgfBranch {
                mv: known.mv,
                comment,
                branches: below,
            });
        }
        branches
    }
}

/// `24 games, 62.5 % ± 18.2`.
fn comment(known: &BookMove) -> String {
    let games = known.games();
    let plural = if games == 1 { "" } else { "s" };
    let (score, error) = (100.0 * known.score(), 100.0 * known.error());
    format!("{games} game{plural}, {score:.1} % ± {error:.1}")
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::game::{Game, Rules};
    use crate::notation::{parse_moves, parse_sgf};
    use crate::stats::Points;

    #[test]
    fn the_main_line_is_the_best_one() {
        let mut book = Book::new(Rules::default());
        let mut add = |text: &str, points| {
            let mut game = Game::new(Rules::default());
            parse_moves(&mut game, text).unwrap();
            for (&mv, board) in game.played().iter().zip(game.boards()) {
                book.add(board, mv, points);
            }
        };
        add("b1-b3 a2-c2", Points::Win);
        add("b1-b3 a2-c2", Points::Win);
        add("b1-b3 a5-c5 c1-c4", Points::Win);
        add("c1-c3", Points::Loss);
        let text = book.sgf();
        let games = parse_sgf(&text, &Rules::default()).unwrap();
        assert_eq!(games.len(), 1, "{text}");
        let moves: Vec<String> = games[0]
            .game
            .played()
            .iter()
            .map(ToString::to_string)
            .collect();
        assert_eq!(moves.len(), 2, "{text}");
        assert!(text.contains("C[3 games, 100.0 % ±"), "{text}");
        assert_eq!(text.matches("(;").count(), 5, "{text}");
    }
}
