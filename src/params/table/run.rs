//! `[run]`, `[fleet]` and `[http]`: how the work is done and shown.

use std::net::SocketAddr;

use super::{real, switch, whole};
use crate::params::HttpParams;
use crate::params::key::{Key, Kind};

pub(super) const RUN: &[Key] = &[
    Key {
        group: "run",
        name: "seed",
        flag: None,
        doc: "What everything random follows from",
        affects_result: true,
        // TOML has no larger integers.
        kind: whole!(0, i64::MAX, None, run.seed),
    },
    Key {
        group: "run",
        name: "threads",
        flag: None,
        doc: "Games at the same time, 0 for one a core",
        affects_result: false,
        kind: whole!(0, 1024, None, run.threads),
    },
    Key {
        group: "run",
        name: "window",
        flag: None,
        doc: "Matches that are drawn before the oldest of them is applied",
        affects_result: true,
        kind: whole!(1, 65_536, None, run.window),
    },
    Key {
        group: "run",
        name: "checkpoint",
        flag: None,
        doc: "Matches between two copies of the whole state in the store",
        affects_result: false,
        kind: whole!(1, 1_000_000, None, run.checkpoint),
    },
];

pub(super) const FLEET: &[Key] = &[
    Key {
        group: "fleet",
        name: "check",
        flag: Some("fleet-check"),
        doc: "The share of a fleet's matches that is played again to check it",
        affects_result: false,
        kind: real!(0.0, 1.0, fleet.check),
    },
    Key {
        group: "fleet",
        name: "probation",
        flag: Some("fleet-probation"),
        doc: "First matches of a new worker, all of which are played again",
        affects_result: false,
        kind: whole!(0, 10_000, None, fleet.probation),
    },
    Key {
        group: "fleet",
        name: "timeout",
        flag: Some("fleet-timeout"),
        doc: "Seconds without a sign of a match before it is published again",
        affects_result: false,
        kind: whole!(1, 3600, None, fleet.timeout),
    },
];

pub(super) const HTTP: &[Key] = &[
    Key {
        group: "http",
        name: "enabled",
        flag: Some("http-enabled"),
        doc: "Whether a run shows itself on a page",
        affects_result: false,
        kind: switch!(http.enabled),
    },
    Key {
        group: "http",
        name: "address",
        flag: Some("http"),
        doc: "Where the page is",
        affects_result: false,
        kind: Kind::Text {
            form: "an address IP:PORT, such as \"127.0.0.1:8420\"",
            is_good: |text| text.parse::<SocketAddr>().is_ok(),
            get: |params| params.http.address.as_str(),
            set: |params, text| params.http.address = text,
        },
    },
    Key {
        group: "http",
        name: "hosts",
        flag: Some("http-host"),
        doc: "A name by which users reach the page beside localhost; may be repeated",
        affects_result: false,
        kind: Kind::Texts {
            form: HttpParams::HOST_FORM,
            separator: ',',
            is_good: HttpParams::is_host_name,
            get: |params| &params.http.hosts,
            set: |params, hosts| params.http.hosts = hosts,
        },
    },
];
