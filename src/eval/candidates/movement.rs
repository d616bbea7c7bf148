//! Where the pieces can go, and what keeps them from it.

use crate::board::{Bitboard, Board, Move, Side, Square};

/// The squares of the edge.
const EDGE: Bitboard = Bitboard(0xff81_8181_8181_81ff);

/// The moves of a side, or those it would have if it were its turn.
fn moves(board: &Board, side: Side) -> Vec<Move> {
    let own = if board.turn() == side {
        *board
    } else {
        board.pass()
    };
    own.moves().to_vec()
}

fn count(board: &Board, side: Side, is_counted: impl Fn(&Move) -> bool) -> f64 {
    moves(board, side)
        .iter()
        .filter(|mv| is_counted(mv))
        .count() as f64
}

/// Captures after which the other side has more groups.
pub(super) fn splits(board: &Board, side: Side) -> f64 {
    let theirs = board.pieces(!side);
    count(board, side, |mv| {
        let left = theirs & !Bitboard::from_square(mv.to());
        mv.is_capture() && left.groups() > theirs.groups()
    })
}

/// Pieces on the edge of which no move leaves it.
pub(super) fn walled(board: &Board, side: Side) -> f64 {
    let leaving = moves(board, side)
        .into_iter()
        .filter(|mv| !EDGE.has(mv.to()))
        .map(Move::from)
        .collect::<Bitboard>();
    -f64::from((board.pieces(side) & EDGE & !leaving).len())
}

/// Directions in which a piece would reach a square of the board, were there
/// not a piece of the other side to jump over.
pub(super) fn obstructed(board: &Board, side: Side) -> f64 {
    let (own, theirs) = (board.pieces(side), board.pieces(!side));
    let all = own | theirs;
    let at = |file: i32, rank: i32| {
        let inside = (0..8).contains(&file) && (0..8).contains(&rank);
        inside.then(|| Square::at(file as u8, rank as u8))
    };
    let mut found = 0;
    for from in own {
        let (file, rank) = (i32::from(from.file()), i32::from(from.rank()));
        let along = |(dx, dy): (i32, i32), steps: i32| at(file + dx * steps, rank + dy * steps);
        for (dx, dy) in [(1, 0), (0, 1), (1, 1), (1, -1)] {
            let line = (-7..=7).filter_map(|steps| along((dx, dy), steps));
            let distance = line.filter(|&square| all.has(square)).count() as i32;
            for way in [(dx, dy), (-dx, -dy)] {
                let Some(to) = along(way, distance) else {
                    continue;
                };
                let mut between = (1..distance).filter_map(|steps| along(way, steps));
                if !own.has(to) && between.any(|square| theirs.has(square)) {
                    found += 1;
                }
            }
        }
    }
    -f64::from(found)
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::notation::parse_position;

    #[test]
    fn by_hand() {
        // . . . . . . . .
        // . . . . . . . .
        // . . . . . . . .
        // x o . . . . . .
        // . o . . . . . .
        // . . . . . . . .
        // . . . . . . . .
        // . . . . . . . x
        let board = parse_position("8/8/8/xo6/1o6/8/8/7x x").unwrap();
        let of = |feature: fn(&Board, Side) -> f64| feature(&board, Side::X);
        // a5 goes one up and one down and takes nothing; along the rank it is
        // two steps behind b5; down the diagonal (a5, b4) two steps behind b4;
        // up the diagonal one step. h1 goes one step on rank, file and
        // diagonal: its diagonal h1-a8 is empty.
        assert_eq!(of(obstructed), -2.0);
        // Both can leave it: a5-b6 and h1-g2.
        assert_eq!((of(walled), of(splits)), (0.0, 0.0));
        // a5-a6, a5-a4, h1-g1 and h1-h2 stay on the edge, whosever turn it is.
        for board in [board, board.pass()] {
            assert_eq!(board.edge_moves(Side::X), 4);
            assert_eq!(board.centre_moves(Side::X), 0);
        }
    }

    #[test]
    fn walls_and_splits() {
        // The pieces of b2, b3 and a2 keep a1 on the edge.
        let board = parse_position("8/8/8/8/7x/8/oo5x/xo6 x").unwrap();
        let moves = moves(&board, Side::X);
        let inward = moves
            .iter()
            .any(|mv| mv.from() == Square::at(0, 0) && !EDGE.has(mv.to()));
        assert!(!inward);
        assert_eq!(walled(&board, Side::X), -1.0);
        // b4xd4 takes the middle of three.
        let board = parse_position("8/8/8/8/1x1o4/3o4/3o4/8 x").unwrap();
        let middle = parse_position("8/8/8/3o4/1x1o4/3o4/8/8 x").unwrap();
        assert_eq!(
            (splits(&board, Side::X), splits(&middle, Side::X)),
            (0.0, 1.0)
        );
    }

    /// On the positions of a game no class of moves has more than there are.
    #[test]
    fn classes_add_up() {
        let mut board = Board::start();
        for n in 0..60u32 {
            for side in Side::BOTH {
                let all = f64::from(board.mobility(side));
                assert!(splits(&board, side) <= f64::from(board.captures(side)));
                let blocked = -obstructed(&board, side);
                assert!(blocked + all <= 8.0 * f64::from(board.pieces(side).len()));
            }
            let list = board.moves();
            if board.is_decided() || list.is_empty() {
                break;
            }
            board = board.play(list[(n * 7) as usize % list.len()]);
        }
    }
}
