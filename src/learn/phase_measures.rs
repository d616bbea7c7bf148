//! Measures of how far a game has gone, for weights with an opening and an endgame
//! value: that of the engine, and others that the laboratory compares it with.

use super::sample::Position;
use crate::board::{Board, Side};
use crate::eval::candidates::gaps;
use crate::eval::{PHASES, age_of, phase_of};

/// A way to say how far a game has gone.
pub(super) struct PhaseMeasure {
    /// The name in every output.
    pub(super) name: &'static str,
    /// One sentence for people.
    pub(super) meaning: &'static str,
    /// From 0, the opening, to 1, the endgame.
    pub(super) of: fn(&Position, &Board) -> f64,
}

/// The measures that are compared; the first is the engine's.
pub(super) static PHASE_MEASURES: [PhaseMeasure; 6] = [
    PhaseMeasure {
        name: "pieces_and_plies",
        meaning: "pieces gone and plies played, as the engine has it",
        of: |position, board| {
            let steps = phase_of(board, age_of(position.plies.into()));
            steps as f64 / f64::from(PHASES)
        },
    },
    PhaseMeasure {
        name: "pieces",
        meaning: "pieces gone, up to 14",
        of: |_, board| share(24.0 - pieces(board), 14.0),
    },
    PhaseMeasure {
        name: "plies",
        meaning: "plies played, up to 60",
        of: |position, _| share(position.plies.into(), 60.0),
    },
    PhaseMeasure {
        name: "groups",
        meaning: "how few groups both sides have, from 14 to 2",
        of: |_, board| 1.0 - share(groups(board) - 2.0, 12.0),
    },
    PhaseMeasure {
        name: "nearest",
        meaning: "how few squares the side that is nearer to connecting needs, from 10 to 0",
        of: |_, board| 1.0 - share(needed(board)[0], 10.0),
    },
    PhaseMeasure {
        name: "both",
        meaning: "how few squares both sides need to connect, from 20 to 0",
        of: |_, board| 1.0 - share(needed(board).iter().sum(), 20.0),
    },
];

/// A number as a share of the most, from 0 to 1.
fn share(number: f64, most: f64) -> f64 {
    (number / most).clamp(0.0, 1.0)
}

fn pieces(board: &Board) -> f64 {
    let counts = Side::BOTH.map(|side| board.pieces(side).len());
    f64::from(counts.iter().sum::<u32>())
}

fn groups(board: &Board) -> f64 {
    let counts = Side::BOTH.map(|side| board.pieces(side).groups());
    f64::from(counts.iter().sum::<u32>())
}

/// The squares that each side needs to connect its groups, fewest first.
fn needed(board: &Board) -> [f64; 2] {
    let mut squares = Side::BOTH.map(|side| -gaps(board, side));
    squares.sort_by(f64::total_cmp);
    squares
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::board::Bitboard;
    use crate::notation::parse_position;

    fn phase(name: &str, text: &str, plies: u16) -> f64 {
        let board = parse_position(text).unwrap();
        let pieces: [Bitboard; 2] = Side::BOTH.map(|side| board.pieces(side));
        let position = Position {
            pieces,
            turn: board.turn(),
            plies,
            target: 0.5,
            weight: 1.0,
        };
        let measure = PHASE_MEASURES.iter().find(|one| one.name == name);
        (measure.unwrap().of)(&position, &board)
    }

    #[test]
    fn measures_go_from_the_opening_to_the_endgame() {
        const START: &str = "1xxxxxx1/o6o/o6o/o6o/o6o/o6o/o6o/1xxxxxx1 x";
        const LATE: &str = "8/8/2xx4/3x1o2/5oo1/3x4/8/8 o";
        for measure in &PHASE_MEASURES {
            let (early, late) = (phase(measure.name, START, 0), phase(measure.name, LATE, 60));
            assert!((0.0..0.9).contains(&early), "{}: {early}", measure.name);
            assert!(late > early && late <= 1.0, "{}: {late}", measure.name);
        }
        assert_eq!(phase("pieces", LATE, 60), 1.0);
        assert_eq!(phase("plies", START, 30), 0.5);
        // Black's last piece is one square away, White is connected.
        assert_eq!(phase("nearest", LATE, 60), 1.0);
        assert_eq!(phase("both", LATE, 60), 1.0 - 1.0 / 20.0);
        assert_eq!(phase("groups", LATE, 60), 1.0 - 1.0 / 12.0);
    }
}
