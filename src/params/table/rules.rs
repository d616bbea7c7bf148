//! `[rules]`: when a game ends.

use super::whole;
use crate::game::{NoMoves, Rules, Simultaneous};
use crate::params::key::{Key, Kind};

pub(super) const RULES: &[Key] = &[
    Key {
        group: "rules",
        name: "simultaneous",
        flag: None,
        doc: "The result when a capture leaves both sides connected",
        affects_result: true,
        kind: Kind::Choice {
            names: &names(&Simultaneous::NAMES),
            get: |params| params.rules.simultaneous.name(),
            set: |params, chosen| params.rules.simultaneous = Simultaneous::NAMES[chosen].1,
        },
    },
    Key {
        group: "rules",
        name: "no_moves",
        flag: None,
        doc: "What happens to a side that has no legal move on its turn",
        affects_result: true,
        kind: Kind::Choice {
            names: &names(&NoMoves::NAMES),
            get: |params| params.rules.no_moves.name(),
            set: |params, chosen| params.rules.no_moves = NoMoves::NAMES[chosen].1,
        },
    },
    Key {
        group: "rules",
        name: "repetition",
        flag: None,
        doc: "The occurrence of a board and side to move that draws the game, 0 for none",
        affects_result: true,
        kind: whole!(Rules::MIN_REPETITION, u32::MAX, OrZero, rules.repetition),
    },
    Key {
        group: "rules",
        name: "max_plies",
        flag: None,
        doc: "The number of plies after which an undecided game is a draw",
        affects_result: true,
        kind: whole!(
            *Rules::MAX_PLIES.start(),
            *Rules::MAX_PLIES.end(),
            None,
            rules.max_plies
        ),
    },
];

/// The names alone.
const fn names<T, const N: usize>(pairs: &[(&'static str, T); N]) -> [&'static str; N] {
    let mut names = [""; N];
    let mut index = 0;
    while index < N {
        names[index] = pairs[index].0;
        index += 1;
    }
    names
}
