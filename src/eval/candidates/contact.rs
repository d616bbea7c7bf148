//! How the pieces hang together.

use crate::board::{Bitboard, Board, Side, Square};

/// Pairs of pieces side by side, in any of the eight directions.
pub(super) fn pairs(board: &Board, side: Side) -> f64 {
    let pieces = board.pieces(side);
    let neighbours = |square: Square| {
        let here = Bitboard::from_square(square);
        (here.grown() & pieces).len() - 1
    };
    f64::from(pieces.into_iter().map(neighbours).sum::<u32>()) / 2.0
}

/// The mean number of neighbours of a piece.
pub(super) fn links(board: &Board, side: Side) -> f64 {
    2.0 * pairs(board, side) / f64::from(board.pieces(side).len())
}

/// The number of groups.
pub(super) fn groups(board: &Board, side: Side) -> f64 {
    -f64::from(board.pieces(side).groups())
}

/// The empty squares, or those of the other side, that connect the groups: the
/// length of a least spanning tree over them, where two groups are as far apart
/// as a king needs squares between them.
pub(crate) fn gaps(board: &Board, side: Side) -> f64 {
    let mut rest = board.pieces(side);
    let mut tree = rest.first_group();
    rest &= !tree;
    let mut length = 0;
    // Prim's algorithm: the nearest group joins. Growing the tree by a ring at
    // a time, the first group that is touched is the nearest one.
    while !rest.is_empty() {
        let (mut reach, mut between) = (tree, 0);
        let touched = loop {
            reach = reach.grown();
            let touched = reach & rest;
            if !touched.is_empty() {
                break touched;
            }
            between += 1;
        };
        let group = group_of(rest, touched);
        tree |= group;
        rest &= !group;
        length += between;
    }
    -f64::from(length)
}

/// The group of `pieces` that the lowest square of `within` belongs to.
fn group_of(pieces: Bitboard, within: Bitboard) -> Bitboard {
    let lowest = within.into_iter().next();
    let mut group = lowest.map_or(Bitboard::EMPTY, Bitboard::from_square);
    loop {
        let next = group.grown() & pieces;
        if next == group {
            return group;
        }
        group = next;
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::notation::parse_position;

    #[test]
    fn by_hand() {
        // x . . x . . . o
        // x . . . . . . .
        // . . . . . . . .
        // . . . . . . . .
        // . x . . . . . .
        // . . x . . . . .
        // . x . . . . . .
        // . . . . . . . o
        let board = parse_position("x2x3o/x7/8/8/1x6/2x5/1x6/7o x").unwrap();
        let of = |feature: fn(&Board, Side) -> f64| feature(&board, Side::X);
        // a8–a7, b4–c3, c3–b2.
        assert_eq!((of(pairs), of(links), of(groups)), (3.0, 1.0, -3.0));
        // From a8 to d8 two squares, from a7 to b4 two.
        assert_eq!(of(gaps), -4.0);
        assert_eq!(gaps(&board, Side::O), -6.0);
        let one = parse_position("8/8/8/3xx3/8/8/8/o6o x").unwrap();
        assert_eq!(gaps(&one, Side::X), 0.0);
    }
}
