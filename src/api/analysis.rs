//! What a position is worth and what to play in it: what
//! `loatune analyse --json` prints.

use serde::Serialize;
use serde_json::{Map, Value};

use super::listing::Listing;
use crate::board::Move;
use crate::eval::trace::{FeatureCounts, Trace};
use crate::game::Game;
use crate::search::value;
use crate::search::{Algorithm, Iteration, Report};

/// A search that has ended, and how long it took.
pub struct Timed {
    /// What it found.
    pub report: Report,
    /// By the clock.
    pub seconds: f64,
}

impl Timed {
    /// Nodes in a second.
    pub fn rate(&self) -> f64 {
        self.report.nodes as f64 / self.seconds.max(1e-9)
    }
}

/// A position taken apart and searched.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Analysis {
    /// The position and what may be played in it.
    #[serde(flatten)]
    pub listing: Listing,
    /// The weights' name.
    pub weights: String,
    /// The search's.
    pub player: &'static str,
    /// What each side has, counted plainly.
    pub features: BothSides,
    /// Points for the side to move, by gene.
    pub terms: Map<String, Value>,
    /// Their sum, rounded toward zero.
    pub static_value: i32,
    /// What the search made of it; `None` where not even depth 1 was finished.
    pub value: Option<i32>,
    /// In how many plies the game is decided.
    pub plies_to_end: Option<u32>,
    /// The move to play.
    pub best: Option<String>,
    /// The best line.
    pub pv: Vec<String>,
    /// The last finished depth.
    pub depth: u32,
    /// Positions visited.
    pub nodes: u64,
    /// By the clock.
    pub seconds: f64,
    /// Positions visited in a second.
    pub nodes_per_second: u64,
    /// Every finished depth.
    pub iterations: Vec<Depth>,
    /// Whether a limit of nodes or time, or a signal, cut it short.
    pub stopped: bool,
}

/// What Black and White have.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct BothSides {
    /// Black.
    pub x: FeatureCounts,
    /// White.
    pub o: FeatureCounts,
}

/// A finished depth.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Depth {
    /// Plies searched.
    pub depth: u32,
    /// For the side to move.
    pub value: i32,
    /// Empty-window searches.
    pub passes: u32,
    /// Positions visited since the search began.
    pub nodes: u64,
    /// The best line.
    pub pv: Vec<String>,
}

impl Analysis {
    /// Puts together what was found about a game's present position.
    pub fn of(
        game: &Game,
        weights: &str,
        algorithm: Algorithm,
        trace: &Trace,
        timed: &Timed,
    ) -> Self {
        let report = &timed.report;
        let value = match report.iterations.last() {
            Some(last) => Some(last.value),
            None => value::terminal_value(game.board(), game.rules(), 0),
        };
        let [x, o] = trace.counts;
        let terms = trace.terms.iter();
        Analysis {
            listing: Listing::of(game),
            weights: weights.to_owned(),
            player: algorithm.name(),
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
            iterations: report.iterations.iter().map(Depth::of).collect(),
            stopped: report.stopped,
        }
    }
}

impl Depth {
    fn of(iteration: &Iteration) -> Depth {
        Depth {
            depth: iteration.depth,
            value: iteration.value,
            passes: iteration.passes,
            nodes: iteration.nodes,
            pv: move_names(&iteration.pv),
        }
    }
}

/// Moves as text.
pub fn move_names(moves: &[Move]) -> Vec<String> {
    moves.iter().map(ToString::to_string).collect()
}
