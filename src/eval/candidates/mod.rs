//! Candidates: features that the evaluation might have, one function and one
//! row each.
//!
//! A candidate is a function of a board and a side, written to be obviously
//! right and not to be fast. `loatune features` shows what each is worth and
//! what it costs. Those that are chosen become genes: a row in the gene table
//! and a form that reads what each move updates. Nothing here is seen by a
//! search.
//!
//! | file | purpose |
//! |---|---|
//! | `place` | where the pieces stand: number, box, centre of mass, table |
//! | `contact` | how the pieces hang together |
//! | `movement` | where the pieces can go, and what keeps them from it |

mod contact;
mod movement;
mod place;

pub(crate) use contact::gaps;

use crate::board::{Board, Side};

/// One feature that might join the evaluation.
#[derive(Clone, Copy, Debug)]
pub struct Candidate {
    /// Its name in every output.
    pub name: &'static str,
    /// What joins the evaluation together: the same for several rows that make
    /// no sense alone, else the name.
    pub set: &'static str,
    /// One sentence for people.
    pub meaning: &'static str,
    /// The feature of one side.
    pub of: fn(&Board, Side) -> f64,
}

/// A row whose feature joins alone.
const fn row(name: &'static str, meaning: &'static str, of: fn(&Board, Side) -> f64) -> Candidate {
    Candidate {
        name,
        set: name,
        meaning,
        of,
    }
}

/// A class of the square table.
const fn class(
    name: &'static str,
    meaning: &'static str,
    of: fn(&Board, Side) -> f64,
) -> Candidate {
    Candidate {
        name,
        set: "square_table",
        meaning,
        of,
    }
}

/// Every candidate. To add one, write its function and its row; the laboratory
/// and its tests take it from here.
pub static CANDIDATES: [Candidate; 22] = [
    row(
        "pieces_squared",
        "the square of the number of pieces",
        place::pieces_squared,
    ),
    row(
        "area",
        "the area of the box around the pieces, less is better",
        place::area,
    ),
    row(
        "spread_per_piece",
        "the mean distance of a piece from the centre of mass, less is better",
        place::spread_per_piece,
    ),
    row(
        "farthest",
        "king's steps of the piece that is farthest from the centre of mass, less is better",
        place::farthest,
    ),
    row(
        "obstructed",
        "directions in which the other side's pieces are in the way, less is better",
        movement::obstructed,
    ),
    row(
        "walled",
        "pieces on the edge that cannot leave it, less is better",
        movement::walled,
    ),
    row("pairs", "pairs of pieces side by side", contact::pairs),
    class("class_a1", "pieces on a corner", place::class::<0>),
    class("class_b1", "pieces on b1 and its images", place::class::<1>),
    class("class_c1", "pieces on c1 and its images", place::class::<2>),
    class("class_d1", "pieces on d1 and its images", place::class::<3>),
    class("class_b2", "pieces on b2 and its images", place::class::<4>),
    class("class_c2", "pieces on c2 and its images", place::class::<5>),
    class("class_d2", "pieces on d2 and its images", place::class::<6>),
    class("class_c3", "pieces on c3 and its images", place::class::<7>),
    class("class_d3", "pieces on d3 and its images", place::class::<8>),
    class(
        "class_d4",
        "pieces on the four squares in the middle",
        place::class::<9>,
    ),
    row(
        "rings",
        "the mean distance of a piece from the edge",
        place::rings,
    ),
    row(
        "links",
        "the mean number of neighbours of a piece",
        contact::links,
    ),
    row(
        "splits",
        "captures that leave the other side in more groups",
        movement::splits,
    ),
    row(
        "gaps",
        "empty squares that connect the groups: a spanning tree, less is better",
        gaps,
    ),
    row(
        "groups",
        "the number of groups, less is better",
        contact::groups,
    ),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_unique_and_like_those_of_genes() {
        for (n, one) in CANDIDATES.iter().enumerate() {
            let is_good = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_';
            assert!(one.name.chars().all(is_good), "{}", one.name);
            assert!(!one.meaning.is_empty());
            for other in &CANDIDATES[..n] {
                assert_ne!(one.name, other.name);
            }
        }
    }

    /// The start is the same for both sides, turned by a quarter.
    #[test]
    fn at_the_start_both_sides_have_the_same() {
        let board = Board::start();
        for candidate in &CANDIDATES {
            let [black, white] = Side::BOTH.map(|side| (candidate.of)(&board, side));
            assert_eq!(black, white, "{}", candidate.name);
        }
    }

    /// What a candidate reads of a board that moves have led to is what it reads of
    /// the same pieces, set up anew.
    #[test]
    fn after_moves_they_are_those_of_the_position_set_up_anew() {
        fn check(board: &Board, depth: u32) -> u32 {
            let pieces = Side::BOTH.map(|side| board.pieces(side));
            let anew = Board::new(pieces, board.turn()).expect("a position");
            for candidate in &CANDIDATES {
                for side in Side::BOTH {
                    let [kept, recomputed] = [board, &anew].map(|at| (candidate.of)(at, side));
                    assert_eq!(kept, recomputed, "{} {side:?} {board:?}", candidate.name);
                }
            }
            if depth == 0 || board.is_decided() {
                return 1;
            }
            let below = board.moves();
            let below = below.iter().map(|&mv| check(&board.play(mv), depth - 1));
            1 + below.sum::<u32>()
        }
        assert_eq!(check(&Board::start(), 2), 1 + 36 + 1244);
        let ending = "8/6x1/2o5/5x2/3o2x1/1o2o3/8/x7 o";
        let ending = crate::notation::parse_position(ending).expect("a position");
        assert!(check(&ending, 2) > 500);
    }
}
