//! The engine's signature: the node total of a fixed set of positions, each
//! searched to a fixed depth. It is the same on every machine, and changes only
//! when what is searched changes.

use crate::board::{Board, Move};
use crate::eval::Weights;
use crate::game::Rules;
use crate::notation::parse_position;
use crate::search::{Algorithm, Engine, Limits, Report};

/// The memory of the transposition table, in KiB.
pub const TABLE_KIB: u32 = 1024;

/// The positions: openings, middle games and endings, with their depths.
pub const POSITIONS: [(&str, u32); 14] = [
    ("1xxxxxx1/o6o/o6o/o6o/o6o/o6o/o6o/1xxxxxx1 x", 7),
    ("1xxxx1x1/o6o/o4x1o/o6o/o6o/o6o/2o4o/1xxxxxx1 x", 7),
    ("1xx2xx1/o7/ox2o1xo/o4o1o/o6o/o4x2/o6o/1xx1xxx1 o", 7),
    ("xxxx1x2/o1o2o2/2o1o3/7o/2o4o/o2xx2o/o6o/2xx2xx x", 7),
    ("2xxxx2/o7/o4o2/ox2o3/o6o/3ox2o/o1o4o/xx1xxx2 x", 7),
    ("1xxx2x1/o3x1oo/x1x4x/5o2/oo2x3/o1o4o/o3x2o/6x1 o", 6),
    ("2xx1x1o/o4o1o/2o1x3/xx1o4/5x2/8/1x3oxo/4xxx1 o", 6),
    ("oo1x1xx1/4o3/4xoxo/1xo2x2/o4o1x/3o4/x6o/7x o", 6),
    ("2o5/3o1x2/8/4o1xo/o2x2x1/o2x1x2/xo1oo1x1/5x1o x", 6),
    ("6o1/x7/2o4o/1xx2x2/3x3o/x5x1/2xx1oo1/1o3o1x o", 6),
    ("8/1x2x1o1/1x4o1/o1x4x/o2x4/5o2/2x1o3/xo3o2 x", 6),
    ("o3x3/1x2o3/3xx2x/3o3x/3o1x2/3o1x2/o7/x4oo1 x", 6),
    ("3x4/4o3/x7/2ox2o1/1oo1x3/x3o3/2ox1o2/1x6 o", 6),
    ("o3x3/8/3x4/5o2/1x6/2x2o2/o5o1/2x5 x", 7),
];

/// The search of one position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PositionResult {
    /// The position, in the notation's text.
    pub position: &'static str,
    /// The depth in plies.
    pub depth: u32,
    /// The positions visited.
    pub nodes: u64,
    /// The value for the side to move.
    pub value: i32,
    /// The move to play.
    pub best: Move,
    /// Null-window searches, of all depths together.
    pub passes: u32,
}

/// Searches one of the positions with the default weights and rules, from a
/// clean table.
pub fn run(position: &'static str, depth: u32) -> PositionResult {
    let board = board_of(position);
    let report = search(Algorithm::Mtdf, &board, depth, None);
    PositionResult {
        position,
        depth,
        nodes: report.nodes,
        value: report.value(),
        best: report.best.expect("no position of the bench is finished"),
        passes: report
            .iterations
            .iter()
            .map(|iteration| iteration.passes)
            .sum(),
    }
}

/// The signature of the engine: the nodes of all positions together. Two
/// engines with the same one play the same games.
///
/// A change here is a change of the engine's behaviour: say why in the commit,
/// and end its message with the new `Bench: N`. A test counts it again.
pub const SIGNATURE: u64 = 7_287_305;

/// The board of one of [`POSITIONS`].
pub fn board_of(position: &str) -> Board {
    parse_position(position).expect("the positions of the bench are valid")
}

/// Searches with the default weights and rules, from a clean table.
pub fn search(algorithm: Algorithm, board: &Board, depth: u32, nodes: Option<u64>) -> Report {
    let mut engine = Engine::new(algorithm, &Weights::default(), Rules::default(), TABLE_KIB);
    let limits = Limits {
        depth: Some(depth),
        nodes,
    };
    engine.search(board, 0, limits, &|| false, &mut |_| {})
}
