//! How a game ends: the winner, the reason, and what a single position says
//! about both.

use std::fmt;

use super::rules::{NoMoves, Rules, Simultaneous};
use crate::board::{Side, Snapshot};

/// Who won.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Winner {
    /// This side won.
    Side(Side),
    /// The game is drawn.
    Draw,
}

impl Winner {
    /// `x`, `o` or `draw`, as in every JSON output.
    pub const fn name(self) -> &'static str {
        match self {
            Winner::Side(Side::X) => "x",
            Winner::Side(Side::O) => "o",
            Winner::Draw => "draw",
        }
    }
}

/// Why a game is over.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Reason {
    /// One side's pieces form one group.
    Connected,
    /// A capture left the pieces of both sides in one group each.
    BothConnected,
    /// The side to move has no legal move.
    NoMoves,
    /// The position occurred as often as the rules allow.
    Repetition,
    /// The ply limit is reached.
    MaxPlies,
}

impl Reason {
    /// The name in every JSON output.
    pub const fn name(self) -> &'static str {
        match self {
            Reason::Connected => "connected",
            Reason::BothConnected => "both-connected",
            Reason::NoMoves => "no-moves",
            Reason::Repetition => "repetition",
            Reason::MaxPlies => "max-plies",
        }
    }
}

/// The end of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Outcome {
    /// The side that won, if one did.
    pub winner: Winner,
    /// The rule that ended the game.
    pub reason: Reason,
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.winner {
            Winner::Side(side) => write!(f, "{side} wins: ")?,
            Winner::Draw => write!(f, "draw: ")?,
        }
        f.write_str(match self.reason {
            Reason::Connected => "all its pieces are connected",
            Reason::BothConnected => "both sides are connected",
            Reason::NoMoves => "the side to move has no legal move",
            Reason::Repetition => "the position was repeated",
            Reason::MaxPlies => "the ply limit is reached",
        })
    }
}

/// How the position `now` ends a game, whatever was played before: connection
/// is looked at first, then whether the side to move has a move. Repetition
/// and the ply limit depend on the past and need a [`Game`](super::Game).
///
/// # Examples
///
/// ```
/// use loatune::game::{Reason, Rules, terminal_outcome};
/// use loatune::notation::parse_position;
///
/// let board = parse_position("7o/8/8/8/8/8/1x6/x6o o")?;
/// let outcome = terminal_outcome(&board, &Rules::default());
/// assert_eq!(outcome.map(|outcome| outcome.reason), Some(Reason::Connected));
/// # Ok::<(), loatune::notation::PositionError>(())
/// ```
pub fn terminal_outcome(now: &Snapshot, rules: &Rules) -> Option<Outcome> {
    let mover = !now.turn();
    let connected = match (now.is_connected(mover), now.is_connected(now.turn())) {
        (true, true) => {
            let winner = match rules.simultaneous {
                Simultaneous::MoverWins => Winner::Side(mover),
                Simultaneous::Draw => Winner::Draw,
            };
            Some(Outcome {
                winner,
                reason: Reason::BothConnected,
            })
        }
        (true, false) => Some(Outcome {
            winner: Winner::Side(mover),
            reason: Reason::Connected,
        }),
        (false, true) => Some(Outcome {
            winner: Winner::Side(!mover),
            reason: Reason::Connected,
        }),
        (false, false) => None,
    };
    if connected.is_some() || now.mobility(now.turn()) > 0 {
        return connected;
    }
    let winner = match rules.no_moves {
        NoMoves::Loses => Winner::Side(mover),
        NoMoves::Passes if now.mobility(mover) > 0 => return None,
        NoMoves::Passes => Winner::Draw,
    };
    Some(Outcome {
        winner,
        reason: Reason::NoMoves,
    })
}
