//! `[engine]`: how the program of `genome.engine` is driven.

use super::{switch, whole};
use crate::params::FaultRule;
use crate::params::key::{Key, Kind};

pub(super) const ENGINE: &[Key] = &[
    Key {
        group: "engine",
        name: "movetime",
        flag: None,
        doc: "Milliseconds that the engine of genome.engine has for a move, 0 for no such limit",
        affects_result: true,
        kind: whole!(1, 3_600_000, OrZero, engine.movetime),
    },
    Key {
        group: "engine",
        name: "nondeterministic",
        flag: None,
        doc: "Whether games of the engine need not be the same when they are played again",
        affects_result: true,
        kind: switch!(engine.nondeterministic),
    },
    Key {
        group: "engine",
        name: "fault",
        flag: Some("engine-fault"),
        doc: "What a game counts in which the engine failed twice",
        affects_result: true,
        kind: Kind::Choice {
            names: &FaultRule::NAMES,
            get: |params| FaultRule::NAMES[params.engine.fault as usize],
            set: |params, chosen| params.engine.fault = FaultRule::ALL[chosen],
        },
    },
    Key {
        group: "engine",
        name: "timeout",
        flag: Some("engine-timeout"),
        doc: "Seconds without a move after which the engine hangs, where it has no time for a move",
        affects_result: false,
        kind: whole!(1, 86_400, None, engine.timeout),
    },
];
