//! The eight symmetries of the square board.
//!
//! Colours stay as they are: of a position only the squares are turned, so that
//! its image is the same position to any player. Owns the images of squares,
//! positions and moves, and the one image that stands for all of them; and what
//! positions have in common whose colours may be exchanged, too.

use super::{Bitboard, Board, Move, Side, Snapshot, Square};

/// A rotation or reflection of the board.
///
/// # Examples
///
/// ```
/// use loatune::board::{Board, Square, Symmetry};
///
/// // The start position keeps its colours under four of the eight.
/// let start = Board::start();
/// let same = |symmetry: &&Symmetry| symmetry.board(&start).same_position(&start);
/// assert_eq!(Symmetry::ALL.iter().filter(same).count(), 4);
/// let b1 = Square::at(1, 0);
/// for symmetry in Symmetry::ALL {
///     assert_eq!(symmetry.inverse().square(symmetry.square(b1)), b1);
/// }
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Symmetry(u8);

/// The bits: files turned round, ranks turned round, then files and ranks
/// exchanged.
const FILES: u8 = 1;
const RANKS: u8 = 2;
const EXCHANGE: u8 = 4;

impl Symmetry {
    /// All of them, the identity first.
    pub const ALL: [Symmetry; 8] = [
        Symmetry(0),
        Symmetry(1),
        Symmetry(2),
        Symmetry(3),
        Symmetry(4),
        Symmetry(5),
        Symmetry(6),
        Symmetry(7),
    ];

    /// The one that undoes this one.
    #[must_use]
    pub const fn inverse(self) -> Symmetry {
        let Symmetry(bits) = self;
        if bits & EXCHANGE == 0 {
            return self;
        }
        // Before the exchange what was after it: files are ranks there.
        Symmetry(EXCHANGE | (bits & FILES) << 1 | (bits & RANKS) >> 1)
    }

    /// The image of a square.
    pub const fn square(self, square: Square) -> Square {
        let flip_files = if self.0 & FILES != 0 { 7 } else { 0 };
        let flip_ranks = if self.0 & RANKS != 0 { 7 } else { 0 };
        let file = square.file() ^ flip_files;
        let rank = square.rank() ^ flip_ranks;
        if self.0 & EXCHANGE == 0 {
            Square::at(file, rank)
        } else {
            Square::at(rank, file)
        }
    }

    /// The image of a set of squares.
    pub fn squares(self, set: Bitboard) -> Bitboard {
        set.into_iter().map(|square| self.square(square)).collect()
    }

    /// The image of a position; the same side is to move.
    pub fn board(self, board: &Board) -> Board {
        let pieces = Side::BOTH.map(|side| self.squares(board.pieces(side)));
        Board::new(pieces, board.turn()).expect("an image has as many pieces")
    }

    /// The image of a move on the image of its position; `None` where that is no
    /// legal move there.
    pub fn move_on(self, image: &Board, mv: Move) -> Option<Move> {
        let (from, to) = (self.square(mv.from()), self.square(mv.to()));
        let is_it = |other: &&Move| other.from() == from && other.to() == to;
        image.moves().iter().find(is_it).copied()
    }
}

/// The image of a position that stands for all eight, and how it is reached.
#[derive(Clone, Debug)]
pub struct Canonical {
    /// The image with the least sets of squares, Black's before White's.
    pub board: Board,
    /// Every symmetry that leads there: several where the position is
    /// symmetrical itself.
    symmetries: Vec<Symmetry>,
}

impl Canonical {
    /// The image that stands for `board`.
    pub fn new(board: &Board) -> Canonical {
        let image =
            |symmetry: Symmetry| Side::BOTH.map(|side| symmetry.squares(board.pieces(side)).0);
        let images = Symmetry::ALL.map(image);
        let least = images.into_iter().min().expect("there are eight");
        let symmetries = Symmetry::ALL.into_iter().zip(images);
        let symmetries = symmetries.filter(|(_, image)| *image == least);
        let symmetries: Vec<Symmetry> = symmetries.map(|(symmetry, _)| symmetry).collect();
        Canonical {
            board: symmetries[0].board(board),
            symmetries,
        }
    }

    /// The move of the canonical position that stands for a legal move of the
    /// position: of its images the least one.
    pub fn move_here(&self, mv: Move) -> Option<Move> {
        let images = self.symmetries.iter();
        let images = images.filter_map(|symmetry| symmetry.move_on(&self.board, mv));
        images.min()
    }

    /// A move of the canonical position on the position itself.
    pub fn move_there(&self, board: &Board, mv: Move) -> Option<Move> {
        self.symmetries[0].inverse().move_on(board, mv)
    }
}

/// What all positions have in common that are the same but for a symmetry of the
/// board and an exchange of the colours, the side to move included.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CanonicalPosition([u64; 2]);

impl Snapshot {
    /// The position without regard to symmetry and colour: of its eight forms,
    /// own pieces and those of the other side, the one with the least numbers.
    pub fn canonical(&self) -> CanonicalPosition {
        let sides = [self.turn(), !self.turn()].map(|side| self.pieces(side));
        let form = |symmetry: Symmetry| sides.map(|pieces| symmetry.squares(pieces).0);
        let forms = Symmetry::ALL.map(form);
        CanonicalPosition(forms.into_iter().min().expect("there are eight"))
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// A position that random moves lead to, and one of its moves.
    fn position(choices: &[usize]) -> (Board, Option<Move>) {
        let mut board = Board::start();
        let mut last = None;
        for &choice in choices {
            let moves = board.moves();
            if moves.is_empty() {
                break;
            }
            last = Some((board, moves[choice % moves.len()]));
            board.make(moves[choice % moves.len()]);
        }
        match last {
            Some((board, mv)) => (board, Some(mv)),
            None => (board, None),
        }
    }

    #[test]
    fn they_are_a_group_of_eight() {
        let images = |symmetry: Symmetry| -> Vec<Square> {
            Square::all()
                .map(|square| symmetry.square(square))
                .collect()
        };
        for symmetry in Symmetry::ALL {
            let same = Symmetry::ALL.map(|other| images(other) == images(symmetry));
            assert_eq!(same.iter().filter(|same| **same).count(), 1);
            for square in Square::all() {
                assert_eq!(symmetry.inverse().square(symmetry.square(square)), square);
            }
        }
        assert_eq!(images(Symmetry::ALL[0]), Square::all().collect::<Vec<_>>());
    }

    proptest! {
        #[test]
        fn images_have_the_images_of_all_moves(choices in prop::collection::vec(0usize..1000, 1..60)) {
            let (board, _) = position(&choices);
            for symmetry in Symmetry::ALL {
                let image = symmetry.board(&board);
                prop_assert_eq!(image.moves().len(), board.moves().len());
                for &mv in board.moves().iter() {
                    let there = symmetry.move_on(&image, mv).unwrap();
                    prop_assert_eq!(there.is_capture(), mv.is_capture());
                    prop_assert!(
                        symmetry.board(&board.play(mv)).same_position(&image.play(there))
                    );
                }
            }
        }

        #[test]
        fn all_images_have_one_canonical_position_and_move(
            choices in prop::collection::vec(0usize..1000, 1..40)
        ) {
            let (board, mv) = position(&choices);
            let mv = mv.unwrap();
            let here = Canonical::new(&board);
            let canonical = here.move_here(mv).unwrap();
            for symmetry in Symmetry::ALL {
                let image = symmetry.board(&board);
                let there = Canonical::new(&image);
                prop_assert!(there.board.same_position(&here.board));
                let moved = symmetry.move_on(&image, mv).unwrap();
                prop_assert_eq!(there.move_here(moved), Some(canonical));
                // And back: a move that the same canonical one stands for.
                let back = there.move_there(&image, canonical).unwrap();
                prop_assert_eq!(there.move_here(back), Some(canonical));
            }
        }
    }

    /// Sixteen forms of a position have one canonical form and the same number of
    /// moves; the other side to move is another position.
    #[test]
    fn forms_of_a_position_are_the_same() {
        let mut board = Board::start();
        for n in [3, 7, 1, 12, 9, 4, 20, 2] {
            let moves = board.moves();
            board = board.play(moves[n % moves.len()]);
            for symmetry in Symmetry::ALL {
                let image = symmetry.board(&board);
                let [black, white] = Side::BOTH.map(|side| image.pieces(side));
                let exchanged = Board::new([white, black], !board.turn()).unwrap();
                for form in [image, exchanged] {
                    assert_eq!(form.canonical(), board.canonical());
                    assert_eq!(form.moves().len(), board.moves().len());
                }
            }
            assert_ne!(board.pass().canonical(), board.canonical());
        }
    }
}
