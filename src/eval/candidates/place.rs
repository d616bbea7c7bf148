//! Where the pieces stand.

use crate::board::{Board, Side, Square};

/// The square of the number of pieces.
pub(super) fn pieces_squared(board: &Board, side: Side) -> f64 {
    let pieces = f64::from(board.pieces(side).len());
    pieces * pieces
}

/// The king's steps of the piece that is farthest from the centre of mass.
pub(super) fn farthest(board: &Board, side: Side) -> f64 {
    let steps = steps_to_centre(board, side);
    -f64::from(steps.into_iter().max().unwrap_or(0))
}

/// The files and ranks that the pieces span.
fn span(board: &Board, side: Side) -> [i32; 2] {
    let along = |of: fn(Square) -> u8| {
        let places = || board.pieces(side).into_iter().map(of).map(i32::from);
        places().max().unwrap_or(0) - places().min().unwrap_or(0) + 1
    };
    [along(Square::file), along(Square::rank)]
}

/// The area of the box around the pieces.
pub(super) fn area(board: &Board, side: Side) -> f64 {
    let [width, height] = span(board, side);
    -f64::from(width * height)
}

/// The distances from the centre of mass, along files and along ranks, a piece.
pub(super) fn spread_per_piece(board: &Board, side: Side) -> f64 {
    let pieces = board.pieces(side);
    let count = f64::from(pieces.len());
    let along = |of: fn(Square) -> u8| -> f64 {
        let places = || pieces.into_iter().map(of).map(f64::from);
        let mean = places().sum::<f64>() / count;
        places().map(|place| (place - mean).abs()).sum()
    };
    -(along(Square::file) + along(Square::rank)) / count
}

/// The mean distance from the edge, from 0 to 3.
pub(super) fn rings(board: &Board, side: Side) -> f64 {
    let pieces = board.pieces(side);
    let from_edge = |place: u8| place.min(7 - place);
    let sum: u32 = pieces
        .into_iter()
        .map(|square| u32::from(from_edge(square.file()).min(from_edge(square.rank()))))
        .sum();
    f64::from(sum) / f64::from(pieces.len())
}

/// The pieces in a class of squares that the symmetries of the board make one:
/// a1, b1, c1, d1, b2, c2, d2, c3, d3, d4.
pub(super) fn class<const N: usize>(board: &Board, side: Side) -> f64 {
    const CLASSES: [[u8; 2]; 10] = [
        [0, 0],
        [0, 1],
        [0, 2],
        [0, 3],
        [1, 1],
        [1, 2],
        [1, 3],
        [2, 2],
        [2, 3],
        [3, 3],
    ];
    let is_in = |square: &Square| {
        let mut place = [square.file(), square.rank()].map(|place| place.min(7 - place));
        place.sort_unstable();
        place == CLASSES[N]
    };
    board.pieces(side).into_iter().filter(is_in).count() as f64
}

/// The king's steps from every piece to the square that is nearest to the
/// centre of mass; halfway between two it is the one with the higher number.
fn steps_to_centre(board: &Board, side: Side) -> Vec<i32> {
    let pieces = board.pieces(side);
    let count = pieces.len().cast_signed();
    let centre = |of: fn(Square) -> u8| {
        let sum: i32 = pieces.into_iter().map(|square| i32::from(of(square))).sum();
        (2 * sum + count) / (2 * count)
    };
    let (file, rank) = (centre(Square::file), centre(Square::rank));
    let steps = |square: Square| {
        let across = (i32::from(square.file()) - file).abs();
        across.max((i32::from(square.rank()) - rank).abs())
    };
    pieces.into_iter().map(steps).collect()
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::notation::parse_position;

    #[test]
    fn by_hand() {
        // . . . . . . . o
        // . . . . . . . .
        // . . . . . . . .
        // . . . . . . . .
        // . x . . . . . .
        // . x x . . . . .
        // . . . . . . . .
        // . . . . . x . o
        let board = parse_position("7o/8/8/8/1x6/1xx5/8/5x1o x").unwrap();
        let of = |feature: fn(&Board, Side) -> f64| feature(&board, Side::X);
        assert_eq!(of(pieces_squared), 16.0);
        // Files 1 1 2 5, ranks 3 2 2 0: the centre is (2.25, 1.75), so c3, and f1 is
        // three steps away.
        assert_eq!(of(farthest), -3.0);
        // Five files and four ranks.
        assert_eq!(of(area), -20.0);
        // 1.25 + 1.25 + 0.25 + 2.75 and 1.25 + 0.25 + 0.25 + 1.75, by four.
        assert_eq!(of(spread_per_piece), -(5.5 + 3.5) / 4.0);
        // b4, b3 and f1 are 1, 1 and 0 from the edge, c3 is 2.
        assert_eq!(of(rings), 1.0);
        // b4 is an image of d2, b3 of c2, c3 of itself, f1 of c1.
        let classes = [
            of(class::<0>),
            of(class::<1>),
            of(class::<2>),
            of(class::<3>),
            of(class::<4>),
            of(class::<5>),
            of(class::<6>),
            of(class::<7>),
            of(class::<8>),
            of(class::<9>),
        ];
        assert_eq!(classes, [0.0, 0.0, 1.0, 0.0, 0.0, 1.0, 1.0, 1.0, 0.0, 0.0]);
        assert_eq!(class::<0>(&board, Side::O), 2.0);
    }
}
