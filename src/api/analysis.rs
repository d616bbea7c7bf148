//! What a position is worth and what to play in it: what
//! `loatune analyse --json` prints.

use serde::Serialize;
use serde_json::{Map, Value};
use utoipa::ToSchema;

use super::listing::Listing;
use super::schema::{AlgorithmName, MoveText};
use crate::board::Move;
use crate::eval::trace::{FeatureCounts, Trace};
use crate::game::Game;
use crate::search::value;
use crate::search::{Iteration, Report, SearchSetup};

/// A search that has ended, and how long it took.
pub struct TimedReport {
    /// What the search found.
    pub report: Report,
    /// The time that it took, in seconds.
    pub seconds: f64,
}

impl TimedReport {
    /// Positions visited in a second.
    pub fn rate(&self) -> f64 {
        self.report.nodes as f64 / self.seconds.max(1e-9)
    }
}

/// A position's evaluation, feature by feature, and a search;
/// `loatune analyse --json` prints the same. Values are points for the side to
/// move.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct Analysis {
    /// The position and what may be played in it.
    #[serde(flatten)]
    pub listing: Listing,
    /// The name of the weights.
    pub weights: String,
    /// The search algorithm; on the command line with its options.
    #[schema(value_type = AlgorithmName)]
    pub player: String,
    /// What each side has, counted without weights.
    pub features: BothSides,
    /// The weighted features by the name of their gene, in points for the side
    /// to move.
    #[schema(value_type = BTreeMap<String, f64>)]
    pub terms: Map<String, Value>,
    /// The sum of the terms, rounded toward zero, in points for the side to
    /// move.
    pub static_value: i32,
    /// The value that the search found, in points for the side to move; null
    /// where not even depth 1 was finished.
    pub value: Option<i32>,
    /// Plies until the game is decided; null where the search sees no end.
    pub plies_to_end: Option<u32>,
    /// The best move; null where the game is over.
    #[schema(value_type = Option<MoveText>)]
    pub best: Option<String>,
    /// The principal variation.
    #[schema(value_type = Vec<MoveText>)]
    pub pv: Vec<String>,
    /// The last finished depth, in plies.
    pub depth: u32,
    /// Positions visited.
    pub nodes: u64,
    /// The time that the search took, in seconds.
    pub seconds: f64,
    /// Positions visited in a second.
    pub nodes_per_second: u64,
    /// Every finished depth, in order.
    pub iterations: Vec<DepthView>,
    /// Whether a limit of nodes or time, or a signal, cut the search short.
    pub stopped: bool,
}

/// What Black and White have.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, ToSchema)]
#[schema(as = Features)]
pub struct BothSides {
    /// What Black has.
    pub x: FeatureCounts,
    /// What White has.
    pub o: FeatureCounts,
}

/// A finished depth of a search.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[schema(as = Depth)]
pub struct DepthView {
    /// The depth, in plies.
    pub depth: u32,
    /// The value, in points for the side to move.
    pub value: i32,
    /// Null-window searches that found the value.
    pub passes: u32,
    /// Positions visited since the search began.
    pub nodes: u64,
    /// The principal variation.
    #[schema(value_type = Vec<MoveText>)]
    pub pv: Vec<String>,
}

impl Analysis {
    /// An analysis of a game's present position from its evaluation and a
    /// search.
    pub fn new(
        game: &Game,
        weights: &str,
        search: &SearchSetup,
        trace: &Trace,
        timed: &TimedReport,
    ) -> Self {
        let report = &timed.report;
        let value = match report.iterations.last() {
            Some(last) => Some(last.value),
            None => value::terminal_value(game.board(), game.rules(), 0),
        };
        let [x, o] = trace.counts;
        let terms = trace.terms.iter();
        Analysis {
            listing: Listing::new(game),
            weights: weights.to_owned(),
            player: search.to_string(),
            features: BothSides { x, o },
            terms: terms
                .map(|term| (term.gene.name.to_owned(), term.points.into()))
                .collect(),
            static_value: trace.value,
            value,
            plies_to_end: value.and_then(value::plies_to_end),
            best: report.best.map(|mv| mv.to_string()),
            pv: move_names(report.pv()),
            depth: report.depth(),
            nodes: report.nodes,
            seconds: timed.seconds,
            nodes_per_second: timed.rate() as u64,
            iterations: report.iterations.iter().map(DepthView::from).collect(),
            stopped: report.stopped,
        }
    }
}

impl From<&Iteration> for DepthView {
    fn from(iteration: &Iteration) -> DepthView {
        DepthView {
            depth: iteration.depth,
            value: iteration.value,
            passes: iteration.passes,
            nodes: iteration.nodes,
            pv: move_names(&iteration.pv),
        }
    }
}

/// Moves as texts.
pub fn move_names(moves: &[Move]) -> Vec<String> {
    moves.iter().map(ToString::to_string).collect()
}
