//! Values of finished positions, and the scale they share with evaluations.

use crate::board::{Side, Snapshot};
use crate::game::Rules;
use crate::game::{Winner, terminal_outcome};

/// The value of a win at the root.
pub const WIN: i32 = 30_000;

/// Values above this are wins, values below its negative are losses; larger
/// than any evaluation.
pub const WIN_THRESHOLD: i32 = 21_000;

/// More than any value.
pub const INFINITY: i32 = 32_000;

/// What each ply further away takes off a win: more than a side can have
/// groups, so that groups only decide between wins of the same length.
pub const PER_PLY: i32 = 16;

/// The largest depth of a search, in plies; keeps wins above
/// [`WIN_THRESHOLD`].
pub const MAX_DEPTH: u32 = 250;

/// The value of a win `plies` away that leaves the loser `groups` groups.
#[inline(always)]
pub const fn win_in(plies: u32, groups: u32) -> i32 {
    WIN - PER_PLY * plies as i32 + groups as i32
}

/// The plies to the end of the game where the value is a win or a loss.
pub fn plies_to_end(value: i32) -> Option<u32> {
    let rest = WIN + PER_PLY - 1 - value.abs();
    (value.abs() > WIN_THRESHOLD).then_some((rest.max(0) / PER_PLY) as u32)
}

/// Whether the value of a search `depth` plies deep is a win or a loss that no
/// deeper search changes.
pub fn is_proven(value: i32, depth: u32) -> bool {
    plies_to_end(value).is_some_and(|plies| plies <= depth)
}

/// The value for the side to move of a finished position, `ply` plies from the
/// root; `None` if it is not finished. Repetition and the ply limit belong to
/// the game, not to the search.
#[inline]
pub fn terminal_value(now: &Snapshot, rules: &Rules, ply: u32) -> Option<i32> {
    if !now.is_decided() && now.mobility(now.turn()) > 0 {
        return None;
    }
    terminal_outcome(now, rules).map(|outcome| match outcome.winner {
        Winner::Draw => 0,
        Winner::Side(winner) => {
            let value = win_in(ply, groups(now, !winner));
            if winner == now.turn() { value } else { -value }
        }
    })
}

#[cold]
fn groups(now: &Snapshot, side: Side) -> u32 {
    now.pieces(side).groups()
}
