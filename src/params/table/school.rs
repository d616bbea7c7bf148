//! `[school]`: what is learned from the positions of the run's games.

use super::{real, switch, whole};
use crate::params::SchoolParams;
use crate::params::key::Key;

pub(super) const SCHOOL: &[Key] = &[
    Key {
        group: "school",
        name: "enabled",
        flag: Some("school"),
        doc: "Whether scholars are learned from the positions of the run's games",
        affects_result: true,
        kind: switch!(school.enabled),
    },
    Key {
        group: "school",
        name: "first",
        flag: Some("school-first"),
        doc: "Games after which the first lesson is due",
        affects_result: true,
        kind: whole!(20, 1_000_000_000, None, school.first),
    },
    Key {
        group: "school",
        name: "games",
        flag: Some("school-games"),
        doc: "The most games that a lesson learns from, the most recent ones",
        affects_result: true,
        kind: whole!(20, SchoolParams::MAX_GAMES, None, school.games),
    },
    Key {
        group: "school",
        name: "skip_last",
        flag: None,
        doc: "Positions at the end of a game that a lesson leaves out",
        affects_result: true,
        kind: whole!(0, 100, None, school.skip_last),
    },
    Key {
        group: "school",
        name: "quiet",
        flag: Some("school-quiet"),
        doc: "Whether a lesson leaves out positions in which a capture was played",
        affects_result: true,
        kind: switch!(school.quiet),
    },
    Key {
        group: "school",
        name: "challenge",
        flag: None,
        doc: "The most matches of a scholar against the consensus",
        affects_result: true,
        kind: whole!(2, 10_000, None, school.challenge),
    },
    Key {
        group: "school",
        name: "errors",
        flag: Some("school-errors"),
        doc: "Standard errors by which a scholar must lead for the consensus to move to it",
        affects_result: true,
        kind: real!(0.0, 10.0, school.errors),
    },
    Key {
        group: "school",
        name: "sigma",
        flag: Some("school-sigma"),
        doc: "The largest mutation around a scholar, as a share of a gene's range",
        affects_result: true,
        kind: real!(0.001, 1.0, school.sigma),
    },
];
