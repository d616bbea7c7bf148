//! The engine's signature: the node total of a fixed set of positions, each
//! searched to a fixed depth with three sets of weights. It is the same on every
//! machine, and changes only when what is searched changes.
//!
//! The sets together take every path of the evaluation: plain and powered
//! mobility, mobility near the centre, pieces without a move, one phase and two.
//! Some of the positions are decided within their depth, so that a result which
//! is proven inside the search is signed as well.
//!
//! The exact searches have one signature, counted with `mtdf`; the selective one
//! and the tree search, which change for reasons of their own, have others.

use crate::board::{Board, Move};
use crate::eval::Weights;
use crate::eval::genes::GENES;
use crate::game::Rules;
use crate::notation::parse_position;
use crate::search::{Algorithm, Engine, EngineVersion, Limits, Report};

/// The memory of the transposition table, in KiB.
pub const TABLE_KIB: u32 = 1024;

/// A set of weights that the positions are searched with.
#[derive(Clone, Copy, Debug)]
pub struct WeightSet {
    /// The name in the output of `loatune bench`.
    pub name: &'static str,
    /// The weights; those that are signed are copies, so that no file changes the
    /// signature.
    pub weights: Weights,
    /// Plies played before each position, which move two phases toward the
    /// endgame.
    pub plies: usize,
}

/// The three sets that are signed: the hand-written weights, evolved ones, and some
/// with two phases. None of them is ever learned anew.
pub const WEIGHT_SETS: [WeightSet; 3] = [
    WeightSet {
        name: "source",
        weights: Weights::uniform(first_genes([60, 4, 10, 10, 20, 4, 5, 5, 4, 10, 0])),
        plies: 0,
    },
    // Evolved weights: the champion that was published first.
    WeightSet {
        name: "champion",
        weights: Weights::uniform(first_genes([44, 6, 11, 6, 18, 6, 28, 47, 2, -5, 43])),
        plies: 0,
    },
    WeightSet {
        name: "two-phase",
        weights: Weights {
            opening: first_genes([30, 5, 14, 8, 22, 5, 20, 34, 3, 6, 25]),
            endgame: first_genes([75, 5, 6, 2, 30, 5, 12, 18, 3, 12, 10]),
        },
        plies: 40,
    },
];

/// Values of the first genes; genes that joined later are 0 in all three sets.
const fn first_genes(values: [i32; 11]) -> [i32; GENES] {
    let mut all = [0; GENES];
    let mut n = 0;
    while n < values.len() {
        all[n] = values[n];
        n += 1;
    }
    all
}

/// How many of the positions stand for the signature of
/// [`EngineVersion::First`], with the source weights.
pub const POSITIONS_OF_FIRST: usize = 14;

/// The positions: openings, middle games and endings, with their depths; behind
/// [`POSITIONS_OF_FIRST`] those that are decided.
pub const POSITIONS: [(&str, u32); 18] = [
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
    ("8/8/2xx4/1xoxox2/oo1xxoo1/1x1xx3/2o5/8 x", 6),
    ("8/7o/2x1xx1o/4xx1o/1oxx1xo1/1ooxo1oo/8/2x5 o", 6),
    ("2x5/2oo1xx1/o1xxxx2/o1o5/3xxxoo/3x4/8/8 x", 6),
    ("8/8/2x5/o1ooxxx1/oxox2x1/5xx1/4o3/1x6 o", 7),
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
    /// The depths that were searched: fewer where the result was proven.
    pub depths: u32,
    /// Null-window searches, of all depths together.
    pub passes: u32,
}

/// Searches one of the positions with a set of weights and the default rules,
/// from a clean table.
pub fn run(set: &WeightSet, position: &'static str, depth: u32) -> PositionResult {
    run_as(EngineVersion::PRESENT, set, position, depth)
}

/// [`run`] by a version of the engine.
pub fn run_as(
    version: EngineVersion,
    set: &WeightSet,
    position: &'static str,
    depth: u32,
) -> PositionResult {
    search_position((Algorithm::Mtdf, version), set, position, depth)
}

/// [`run`] by the selective search, [`SELECTIVE_PLIES`] deeper than `depth`.
pub fn run_selective(set: &WeightSet, position: &'static str, depth: u32) -> PositionResult {
    let player = (Algorithm::Selective, EngineVersion::PRESENT);
    search_position(player, set, position, depth + SELECTIVE_PLIES)
}

/// [`run`] by the Monte-Carlo tree search, with [`TREE_SIMULATIONS`].
pub fn run_tree(set: &WeightSet, position: &'static str) -> PositionResult {
    let limits = Limits {
        simulations: Some(TREE_SIMULATIONS),
        ..Limits::default()
    };
    let player = (Algorithm::Mcts, EngineVersion::PRESENT);
    search_within(player, set, position, limits)
}

fn search_position(
    player: (Algorithm, EngineVersion),
    set: &WeightSet,
    position: &'static str,
    depth: u32,
) -> PositionResult {
    let limits = Limits {
        depth: Some(depth),
        ..Limits::default()
    };
    search_within(player, set, position, limits)
}

fn search_within(
    (algorithm, version): (Algorithm, EngineVersion),
    set: &WeightSet,
    position: &'static str,
    limits: Limits,
) -> PositionResult {
    let engine = Engine::new(algorithm, &set.weights, Rules::default(), TABLE_KIB);
    let report = engine.with_version(version).search(
        &board_of(position),
        set.plies,
        limits,
        &|| false,
        &mut |_| {},
    );
    PositionResult {
        position,
        depth: limits.depth.unwrap_or(report.depth()),
        nodes: report.nodes,
        value: report.value(),
        best: report.best.expect("no position of the bench is finished"),
        depths: report.depth(),
        passes: report
            .iterations
            .iter()
            .map(|iteration| iteration.passes)
            .sum(),
    }
}

/// The signature of the engine: the nodes of all positions and sets together.
/// Two engines with the same one play the same games.
///
/// A change here is a change of the engine's behaviour: say why in the commit,
/// and end its message with the new `Bench: N`. A test counts it again.
/// [`EngineVersion`] knows the signatures of earlier versions.
pub const SIGNATURE: u64 = 21_378_436;

/// Plies that the selective search goes deeper than the depths of [`POSITIONS`].
pub const SELECTIVE_PLIES: u32 = 2;

/// The signature of the selective search with its usual constants, counted like
/// [`SIGNATURE`] by [`run_selective`].
pub const SELECTIVE_SIGNATURE: u64 = 3_516_828;

/// The simulations of the tree search for each of the positions.
pub const TREE_SIMULATIONS: u64 = 100;

/// The signature of the Monte-Carlo tree search with its usual options, counted
/// like [`SIGNATURE`] by [`run_tree`].
pub const TREE_SIGNATURE: u64 = 92_842;

/// The number that names the engine in games of these players: the sum of the
/// signatures of the kinds that play, [`SIGNATURE`] for all exact searches,
/// [`SELECTIVE_SIGNATURE`] and [`TREE_SIGNATURE`]; the exact one for nobody.
pub fn of_players(players: impl IntoIterator<Item = Algorithm>) -> u64 {
    let mut plays = [false; 3];
    for player in players {
        plays[match player {
            Algorithm::Selective => 1,
            Algorithm::Mcts => 2,
            _ => 0,
        }] = true;
    }
    let all = [SIGNATURE, SELECTIVE_SIGNATURE, TREE_SIGNATURE];
    let playing = all.into_iter().zip(plays).filter(|(_, plays)| *plays);
    match playing.map(|(signature, _)| signature).sum() {
        0 => SIGNATURE,
        sum => sum,
    }
}

/// The board of one of [`POSITIONS`].
pub fn board_of(position: &str) -> Board {
    parse_position(position).expect("the positions of the bench are valid")
}

/// Searches with the source weights and the default rules, from a clean table.
pub fn search(algorithm: Algorithm, board: &Board, depth: u32, nodes: Option<u64>) -> Report {
    let mut engine = Engine::new(algorithm, &Weights::source(), Rules::default(), TABLE_KIB);
    let limits = Limits {
        depth: Some(depth),
        nodes,
        ..Limits::default()
    };
    engine.search(board, 0, limits, &|| false, &mut |_| {})
}
