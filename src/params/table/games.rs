//! `[player]` and `[openings]`: the games of the evolution.

use super::whole;
use crate::params::key::{Key, Kind};
use crate::search::value::MAX_DEPTH;
use crate::search::{Algorithm, Table};

pub(super) const PLAYER: &[Key] = &[
    Key {
        group: "player",
        name: "search",
        flag: Some("player"),
        doc: "The search that plays, with options as in selective:lmr=0 or mcts:c=0.1",
        affects_result: true,
        kind: Kind::Search {
            names: &PLAYERS,
            get: |params| params.player.search,
            set: |params, search| params.player.search = search,
        },
    },
    Key {
        group: "player",
        name: "depth",
        flag: None,
        doc: "Plies that a player looks ahead, 0 where only the positions are limited",
        affects_result: true,
        kind: whole!(1, MAX_DEPTH, OrZero, player.depth),
    },
    Key {
        group: "player",
        name: "nodes",
        flag: None,
        doc: "Positions that a player looks at for a move, 0 where only the depth is limited",
        affects_result: true,
        kind: whole!(1, 1_000_000_000, OrZero, player.nodes),
    },
    Key {
        group: "player",
        name: "table_kib",
        flag: Some("hash"),
        doc: "The memory of each player's transposition table in KiB, or with a unit as in 64M",
        affects_result: true,
        kind: whole!(
            *Table::KIB.start(),
            *Table::KIB.end(),
            None,
            player.table_kib
        ),
    },
];

pub(super) const OPENINGS: &[Key] = &[
    Key {
        group: "openings",
        name: "plies",
        flag: Some("opening-plies"),
        doc: "Random plies of an opening",
        affects_result: true,
        kind: whole!(1, 40, None, openings.plies),
    },
    Key {
        group: "openings",
        name: "bound",
        flag: Some("opening-bound"),
        doc: "The largest value of an opening, for either side, that is not lopsided",
        affects_result: true,
        kind: whole!(0, 100_000, None, openings.bound),
    },
];

const PLAYERS: [&str; Algorithm::SIGNED.len()] = {
    let mut names = [""; Algorithm::SIGNED.len()];
    let mut index = 0;
    while index < names.len() {
        names[index] = Algorithm::SIGNED[index].name();
        index += 1;
    }
    names
};
