//! The rule switches of a game: where the source document and the Computer
//! Olympiad differ. Owns their names, defaults and ranges.

use std::ops::RangeInclusive;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// What a capture that leaves both sides connected means.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Simultaneous {
    /// The side that made the capture wins.
    #[default]
    MoverWins,
    /// The game is drawn.
    Draw,
}

/// What happens to a side that is to move and has no legal move.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub enum NoMoves {
    /// It loses.
    #[default]
    Loses,
    /// It passes; if the other side has no move either, the game is drawn.
    Passes,
}

/// The switches that decide when and how a game ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct Rules {
    /// Decides a capture that leaves both sides connected.
    pub simultaneous: Simultaneous,
    /// Decides what a side to move without a legal move does.
    pub no_moves: NoMoves,
    /// How often the same board with the same side to move must occur for a
    /// draw: 0 for never, else at least 2.
    pub repetition: u32,
    /// Plies after which an undecided game is drawn, from 20 to 2000.
    pub max_plies: u32,
}

impl Rules {
    /// The smallest `repetition` other than 0.
    pub const MIN_REPETITION: u32 = 2;

    /// Allowed values of `max_plies`.
    pub const MAX_PLIES: RangeInclusive<u32> = 20..=2000;
}

impl Default for Rules {
    fn default() -> Rules {
        Rules {
            simultaneous: Simultaneous::default(),
            no_moves: NoMoves::default(),
            repetition: 3,
            max_plies: 200,
        }
    }
}

impl Simultaneous {
    /// Every value, in order, with its name in `params.toml` and on the command line.
    pub const NAMES: [(&'static str, Simultaneous); 2] = [
        ("mover-wins", Simultaneous::MoverWins),
        ("draw", Simultaneous::Draw),
    ];

    /// Its name in `params.toml` and on the command line.
    pub const fn name(self) -> &'static str {
        Simultaneous::NAMES[self as usize].0
    }
}

impl NoMoves {
    /// Every value, in order, with its name in `params.toml` and on the command line.
    pub const NAMES: [(&'static str, NoMoves); 2] =
        [("loses", NoMoves::Loses), ("passes", NoMoves::Passes)];

    /// Its name in `params.toml` and on the command line.
    pub const fn name(self) -> &'static str {
        NoMoves::NAMES[self as usize].0
    }
}
