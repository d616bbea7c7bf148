//! What the arena asks of any player.
//!
//! Owns the contract only: our own engine fulfils it in [`super::builtin`],
//! another program in `super::external`. Rules are kept by
//! [`super::game::play_game`], which trusts no contender's move.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::clock::{Clocks, TimeControl};
use crate::board::{Board, Move};
use crate::game::Game;
use crate::game::Rules;
use crate::params::PlayerParams;
use crate::search::Algorithm;
use crate::search::mcts::SIMULATIONS_A_PLY;

/// A player: our own engine, or another program.
pub trait Contender: Send {
    /// The name in reports.
    fn name(&self) -> &str;

    /// A new game begins: forget the last one.
    ///
    /// # Errors
    /// A fault loses the game before its first move.
    fn new_game(&mut self, rules: &Rules, first: &Board) -> Result<(), Fault>;

    /// A move for the side to move of an unfinished game, whose players have
    /// these clocks.
    ///
    /// # Errors
    /// A fault loses the game.
    fn choose(&mut self, game: &Game, clocks: &Clocks) -> Result<Choice, Fault>;
}

/// A move, and what the search found about it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Choice {
    /// The move to play.
    pub mv: Move,
    /// What the position is worth to the side that moves, where it is known.
    pub value: Option<i32>,
    /// Positions visited; 0 where that is not known.
    pub nodes: u64,
    /// Whether an opening book chose it, without a search.
    pub from_book: bool,
}

/// Why a player could not go on; it loses that game.
#[derive(Clone, Debug, PartialEq, Eq, Hash, thiserror::Error, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", tag = "kind", content = "detail")]
pub enum Fault {
    /// It did not answer within so many milliseconds.
    #[error("no answer within {:.1} s", *.0 as f64 / 1000.0)]
    Hangs(u64),
    /// It is gone, or talks nonsense.
    #[error("died: {0}")]
    Dies(String),
    /// It chose a move that cannot be played.
    #[error("illegal move: {0}")]
    Illegal(String),
    /// It answered so many milliseconds after its time was over.
    #[error("lost on time: {:.3} s too late", *.0 as f64 / 1000.0)]
    Overtime(u64),
}

impl Fault {
    /// The name in every JSON output, beside those of
    /// [`Reason`](crate::game::Reason).
    pub const fn name(&self) -> &'static str {
        match self {
            Fault::Hangs(_) => "hangs",
            Fault::Dies(_) => "dies",
            Fault::Illegal(_) => "illegal-move",
            Fault::Overtime(_) => "time",
        }
    }

    /// Whether the player is gone, so that its next game needs a new one.
    pub const fn ends_player(&self) -> bool {
        matches!(self, Fault::Hangs(_) | Fault::Dies(_))
    }
}

/// The limits of one move; the first one that is reached counts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct MoveLimits {
    /// Search depth, in plies.
    pub depth: Option<u32>,
    /// Positions visited.
    pub nodes: Option<u64>,
    /// Simulations of a Monte-Carlo tree search; no limit to any other search.
    pub simulations: Option<u64>,
    /// Time for the move. Games with such a limit are not repeatable.
    pub time: Option<Duration>,
    /// A clock for the whole game. Such games are not repeatable, either.
    pub clock: Option<TimeControl>,
}

/// The limits of a run's player; 0 means that there is none.
impl From<&PlayerParams> for MoveLimits {
    fn from(player: &PlayerParams) -> MoveLimits {
        MoveLimits {
            depth: (player.depth > 0).then_some(player.depth),
            nodes: (player.nodes > 0).then_some(player.nodes),
            ..MoveLimits::default()
        }
    }
}

impl MoveLimits {
    /// The depth where nothing else is said.
    pub const DEFAULT_DEPTH: u32 = 4;

    /// The least time of a move: other programs are told milliseconds.
    pub const LEAST_TIME: Duration = Duration::from_millis(1);

    /// Whether there is no limit at all.
    pub const fn is_open(&self) -> bool {
        self.depth.is_none()
            && self.nodes.is_none()
            && self.simulations.is_none()
            && !self.is_timed()
    }

    /// Whether the time decides how deep a search gets.
    pub const fn is_timed(&self) -> bool {
        self.time.is_some() || self.clock.is_some()
    }

    /// These limits as a search of this kind keeps them; another program where
    /// there is none. Simulations are no limit to a search that makes none, a depth
    /// is none to one that does: it stands for [`SIMULATIONS_A_PLY`] a ply.
    #[must_use]
    pub fn for_search(self, algorithm: Option<Algorithm>) -> MoveLimits {
        if algorithm == Some(Algorithm::Mcts) {
            let plies = |depth: u32| u64::from(depth) * SIMULATIONS_A_PLY;
            return MoveLimits {
                depth: None,
                simulations: self.simulations.or(self.depth.map(plies)),
                ..self
            };
        }
        if self.simulations.is_none() {
            return self;
        }
        let simulations = None;
        MoveLimits {
            simulations,
            ..self
        }
        .or_default()
    }

    /// These limits, or the default depth where there are none.
    #[must_use]
    pub const fn or_default(self) -> MoveLimits {
        if self.is_open() {
            MoveLimits {
                depth: Some(MoveLimits::DEFAULT_DEPTH),
                ..self
            }
        } else {
            self
        }
    }
}
