//! The integration tests, linked into one program: everything here sees the
//! library and the real binary as their users do.
//!
//! | folder | what is tested |
//! |---|---|
//! | `engine` | board, rules, notation, evaluation and search, as a library |
//! | `cli` | the commands, each by the real binary |
//! | `learn` | weights learned from games, and the worth of features |
//! | `population` | populations copied, renamed, looked at without being touched |
//! | `run` | whole runs: to the champion, through kills, verified and repaired |
//! | `serve` | the page's server and its interface |
//! | `fleet` | one run on many machines, with a real broker |
//! | `bad_input` | what is refused, with which exit code and message |
//! | `documents` | commands, links and tables in the documents |
//! | `fuzz` | every parser against bytes that nobody meant |
//! | `supply_chain` | where the code of others comes from |
//! | `support` | what several of them need |
//!
//! Slow tests are ignored with their reason; `cargo test -- --include-ignored`
//! runs them, as `.ci/run` does.

#![allow(unreachable_pub, clippy::unwrap_used)]

mod bad_input;
mod cli;
mod documents;
mod engine;
mod fleet;
mod fuzz;
mod learn;
mod population;
mod run;
mod serve;
mod supply_chain;
mod support;
