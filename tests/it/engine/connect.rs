//! The moves that connect a side, against playing every move.

use loatune::board::{Board, Move, Side};
use loatune::notation::parse_position;

/// Compares what is found from the groups with what playing shows, here and
/// `depth` plies further on.
fn compare(board: &Board, depth: u32, found: &mut usize) {
    for side in Side::BOTH {
        let turned = if side == board.turn() {
            *board
        } else {
            board.pass()
        };
        let mut connecting = Vec::new();
        board.connecting_moves(side, |mv| connecting.push(mv));
        connecting.sort();
        *found += connecting.len();
        let mut played: Vec<Move> = turned.moves().to_vec();
        played.retain(|&mv| turned.play(mv).is_connected(side));
        played.sort();
        assert_eq!(connecting, played, "{side} on {board:?}");
    }
    for &mv in board.moves().iter() {
        let next = board.play(mv);
        let euler4 = [next.euler4(board.turn()), next.euler4(!board.turn())];
        assert_eq!(board.euler4_after(mv), euler4, "{mv} on {board:?}");
        if depth > 0 {
            compare(&next, depth - 1, found);
        }
    }
    let mut captures = board.moves().to_vec();
    captures.retain(|mv| mv.is_capture());
    assert_eq!(board.capturing_moves().to_vec(), captures);
}

#[test]
fn connecting_moves_are_those_that_connect_when_they_are_played() {
    let mut found = 0;
    for position in [
        "1xxxxxx1/o6o/o6o/o6o/o6o/o6o/o6o/1xxxxxx1 x",
        "8/8/2xx4/1xoxox2/oo1xxoo1/1x1xx3/2o5/8 x",
        "2x5/2oo1xx1/o1xxxx2/o1o5/3xxxoo/3x4/8/8 x",
        "8/7o/2x1xx1o/4xx1o/1oxx1xo1/1ooxo1oo/8/2x5 o",
        // Five groups that one move joins: d1 goes to d4.
        "3o4/8/3o4/2x1x3/8/2x1x3/8/3x4 x",
        "8/8/2x5/4o3/1x3x2/3o4/5o2/8 x",
        "8/2oo4/1x6/2x1xo2/2x5/4o3/8/8 o",
        "8/3x4/2oxx3/2o1xx2/3o4/2o2x2/1o6/8 x",
    ] {
        let board = parse_position(position).expect("a valid position");
        compare(&board, 1, &mut found);
    }
    assert!(found > 200, "only {found} moves connect in these positions");
}
