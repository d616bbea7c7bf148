//! What a book knows: positions, their moves and the results of their games.

use std::collections::BTreeMap;

use super::entry::BookMove;
use super::making::Making;
use crate::board::{Bitboard, Board, Canonical, Move, Side, Symmetry};
use crate::game::Rules;
use crate::stats::{Points, Record};

/// The games that a move must have before a player follows it, where nothing
/// else is said.
pub const LEAST_GAMES: u64 = 8;

/// An opening book.
///
/// # Examples
///
/// ```
/// use loatune::board::{Board, Symmetry};
/// use loatune::book::Book;
/// use loatune::game::Rules;
/// use loatune::notation::parse_move;
/// use loatune::stats::Points;
///
/// let mut book = Book::new(Rules::default());
/// let start = Board::start();
/// let mv = parse_move(&start, "b1-b3")?;
/// book.add(&start, mv, Points::Win);
/// // The same move of the mirrored board.
/// let mirrored = Symmetry::ALL[1].board(&start);
/// assert_eq!(book.choose(&mirrored, 1).map(|mv| mv.to_string()), Some("b1-b3".into()));
/// assert_eq!(book.choose(&start, 2), None);
/// # Ok::<(), loatune::notation::MoveError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Book {
    /// The rules of the games that it was made from.
    pub rules: Rules,
    /// The conditions under which it was made, one for each part.
    pub makings: Vec<Making>,
    /// How it was pruned, in words, the first pruning first.
    pub prunings: Vec<String>,
    /// The moves of each position, in their order; no position is without any.
    pub(super) positions: BTreeMap<PositionKey, Vec<BookMove>>,
}

/// A canonical position; in this order they stand in a book.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct PositionKey {
    pieces: [u64; 2],
    turn: Side,
}

impl PositionKey {
    /// The key of a position that is canonical.
    pub(crate) fn new(board: &Board) -> PositionKey {
        PositionKey {
            pieces: Side::BOTH.map(|side| board.pieces(side).0),
            turn: board.turn(),
        }
    }

    /// The position.
    pub(crate) fn board(&self) -> Board {
        Board::new(self.pieces.map(Bitboard), self.turn)
            .expect("a book has keys of positions alone")
    }
}

/// A position of a book and its moves.
#[derive(Clone, Debug)]
pub struct BookPosition {
    /// The position, canonical where it comes from the whole book.
    pub board: Board,
    /// Its moves, the one that is most surely good first.
    pub moves: Vec<BookMove>,
}

impl BookPosition {
    /// The same position as people know it: of its images the one whose sets of
    /// squares are greatest, which is how the initial position is drawn.
    #[must_use]
    pub fn upright(&self) -> BookPosition {
        let sets = |symmetry: &Symmetry| {
            Side::BOTH.map(|side| symmetry.squares(self.board.pieces(side)).0)
        };
        let symmetry = Symmetry::ALL.into_iter().max_by_key(sets);
        let symmetry = symmetry.expect("there are eight");
        let board = symmetry.board(&self.board);
        let image = |known: &BookMove| {
            let mv = symmetry.move_on(&board, known.mv)?;
            Some(BookMove { mv, ..*known })
        };
        BookPosition {
            moves: self.moves.iter().filter_map(image).collect(),
            board,
        }
    }
}

impl Book {
    /// A book without positions.
    pub fn new(rules: Rules) -> Book {
        Book {
            rules,
            makings: Vec::new(),
            prunings: Vec::new(),
            positions: BTreeMap::new(),
        }
    }

    /// How many positions it knows.
    pub fn len(&self) -> usize {
        self.positions.len()
    }

    /// Whether it knows no position.
    pub fn is_empty(&self) -> bool {
        self.positions.is_empty()
    }

    /// Every position in canonical form, in a fixed order.
    pub fn positions(&self) -> impl Iterator<Item = BookPosition> {
        self.positions.iter().map(|(key, moves)| BookPosition {
            board: key.board(),
            moves: ranked(moves.clone()),
        })
    }

    /// Counts a game in which a legal move of a position was played, and what it
    /// brought the side that moved. A move that is not legal counts nothing.
    pub fn add(&mut self, board: &Board, mv: Move, points: Points) {
        let canonical = Canonical::new(board);
        if let Some(mv) = canonical.move_here(mv) {
            let mut record = Record::default();
            record.count(points);
            self.add_record(PositionKey::new(&canonical.board), mv, record);
        }
    }

    /// Counts games of a move of a canonical position.
    pub(super) fn add_record(&mut self, key: PositionKey, mv: Move, record: Record) {
        let moves = self.positions.entry(key).or_default();
        match moves.binary_search_by_key(&mv, |known| known.mv) {
            Ok(at) => moves[at].record += record,
            Err(at) => moves.insert(at, BookMove { mv, record }),
        }
    }

    /// What is known of a canonical position, in the order of the moves.
    pub(crate) fn known(&self, key: &PositionKey) -> &[BookMove] {
        self.positions.get(key).map_or(&[], Vec::as_slice)
    }

    /// What is known of a position, turned as the position is; `None` where it
    /// is not in the book.
    pub fn look_up(&self, board: &Board) -> Option<BookPosition> {
        let canonical = Canonical::new(board);
        let known = self.positions.get(&PositionKey::new(&canonical.board))?;
        let there = |known: &BookMove| {
            let mv = canonical.move_there(board, known.mv)?;
            Some(BookMove { mv, ..*known })
        };
        Some(BookPosition {
            board: *board,
            moves: ranked(known.clone()).iter().filter_map(there).collect(),
        })
    }

    /// The move to play in a position: of those with at least so many games the
    /// one that is most surely good. It is legal there.
    pub fn choose(&self, board: &Board, least_games: u64) -> Option<Move> {
        let moves = self.look_up(board)?.moves;
        let chosen = moves.iter().find(|known| known.games() >= least_games)?;
        board.is_legal(chosen.mv).then_some(chosen.mv)
    }
}

/// Moves with the one that is most surely good first; of equal ones that with
/// more games, then the first one.
fn ranked(mut moves: Vec<BookMove>) -> Vec<BookMove> {
    moves.sort_by(|a, b| {
        let by_bound = b.lower_bound().total_cmp(&a.lower_bound());
        by_bound
            .then(b.games().cmp(&a.games()))
            .then(a.mv.cmp(&b.mv))
    });
    moves
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::notation::parse_move;

    fn after(choices: &[usize]) -> Board {
        let mut board = Board::start();
        for &choice in choices {
            let moves = board.moves();
            if !moves.is_empty() {
                board.make(moves[choice % moves.len()]);
            }
        }
        board
    }

    proptest! {
        /// All eight images of a position give the image of the same move; where
        /// the position is symmetrical itself, a move that leads to an image of
        /// the same position.
        #[test]
        fn all_images_give_the_image_of_the_same_move(
            choices in prop::collection::vec(0usize..1000, 0..30),
            picked in 0usize..1000,
            other in 0usize..1000,
        ) {
            let board = after(&choices);
            let moves = board.moves();
            prop_assume!(!moves.is_empty());
            let (good, bad) = (moves[picked % moves.len()], moves[other % moves.len()]);
            let mut book = Book::new(Rules::default());
            book.add(&board, bad, Points::Loss);
            for _ in 0..3 {
                book.add(&board, good, Points::Win);
            }
            let is_symmetrical = Symmetry::ALL[1..]
                .iter()
                .any(|symmetry| symmetry.board(&board).same_position(&board));
            for symmetry in Symmetry::ALL {
                let image = symmetry.board(&board);
                let chosen = book.choose(&image, 1).unwrap();
                let expected = symmetry.move_on(&image, good).unwrap();
                if is_symmetrical {
                    let [a, b] = [chosen, expected].map(|mv| Canonical::new(&image.play(mv)).board);
                    prop_assert!(a.same_position(&b));
                } else {
                    prop_assert_eq!(chosen, expected);
                }
                prop_assert_eq!(book.len(), 1);
            }
        }
    }

    #[test]
    fn the_surest_move_is_chosen() {
        let start = Board::start();
        let mv = |text| parse_move(&start, text).unwrap();
        let mut book = Book::new(Rules::default());
        let mut games = |text, wins, losses| {
            for _ in 0..wins {
                book.add(&start, mv(text), Points::Win);
            }
            for _ in 0..losses {
                book.add(&start, mv(text), Points::Loss);
            }
        };
        games("b1-b3", 12, 8);
        games("c1-c3", 2, 0);
        games("d1-d3", 20, 30);
        assert_eq!(book.choose(&start, 1), Some(mv("b1-b3")));
        assert_eq!(book.choose(&start, 30), Some(mv("d1-d3")));
        assert_eq!(book.choose(&start, 51), None);
        let upright = book.positions().next().unwrap().upright();
        assert!(upright.board.same_position(&start));
        assert_eq!(upright.moves.len(), 3);
        // Mirrored moves of the start position are one move.
        book.add(&start, mv("g8-g6"), Points::Win);
        let found = book.look_up(&start).unwrap();
        assert_eq!(found.moves.len(), 3);
        assert_eq!(found.moves[0].games(), 21);
    }
}
