//! Where the selection rule stands: `cargo bench --bench ablation`.
//!
//! Evolution, random search with successive halving, and averaged SPSA learn
//! weights with the same engine, depth, genes, openings and number of games.
//! Then each result plays on held-out openings against the default weights and
//! against the evolution's champion of the same seed and number of games.
//!
//! Without arguments it learns from 1,000 games with two seeds: some 45 seconds
//! of processor time. What the README shows:
//! `cargo bench --bench ablation -- --games 2000,10000,30000 --seeds 2 --judge 400`.
//! `--help` names all arguments. Threads change nothing but the speed; SPSA's
//! powers are the platform's, so another platform may round them otherwise.
//!
//! | file | purpose |
//! |---|---|
//! | `options` | arguments, methods and their parameters |
//! | `evolution` | the rule, as the daemon runs it |
//! | `halving` | random search with successive halving |
//! | `spsa` | averaged SPSA |
//! | `ring` | one match after the other, scored as in the evolution |
//! | `jobs` | work on all threads |
//! | `judge` | judging |
//! | `report` | the table |

#![allow(clippy::unwrap_used, missing_docs)]

mod evolution;
mod halving;
mod jobs;
mod judge;
mod options;
mod report;
mod ring;
mod spsa;

use std::time::Instant;

use clap::Parser;
use loatune::eval::Weights;

use crate::options::{Method, Options, Task};

/// What came of a task.
struct Learned {
    task: Task,
    /// The method's name first, with its result; then, where asked for, what
    /// else the same games have brought.
    entrants: Vec<(String, Weights)>,
    games: u64,
    seconds: f64,
}

fn learn(task: &Task, options: &Options) -> Learned {
    let start = Instant::now();
    let name = task.method.to_string();
    let (entrants, games) = match &task.method {
        Method::Evolution { .. } => {
            let found = evolution::learn(task);
            let mut entrants = vec![(name, found.champion)];
            if options.parts && task.method.is_plain_evolution() {
                entrants.extend(
                    found
                        .parts
                        .map(|(part, weights)| (part.to_owned(), weights)),
                );
            }
            (entrants, found.games)
        }
        Method::Halving => {
            let (weights, games) = halving::learn(task);
            (vec![(name, weights)], games)
        }
        Method::Spsa(gains) => {
            let (weights, games) = spsa::learn(task, gains);
            (vec![(name, weights)], games)
        }
    };
    let seconds = start.elapsed().as_secs_f64();
    assert!(games <= task.games, "{} took {games} games", task.method);
    Learned {
        task: task.clone(),
        entrants,
        games,
        seconds,
    }
}

fn main() {
    // The test run has no `--bench`: all parts once, quickly.
    let is_bench = std::env::args().any(|arg| arg == "--bench");
    let options = if is_bench {
        Options::parse()
    } else {
        Options::quick()
    };
    if options.is_left_out() {
        return;
    }
    let threads = options.thread_count();
    let tasks = options.tasks();
    let learned = jobs::all(threads, &tasks, |task| {
        let learned = learn(task, &options);
        eprintln!(
            "{}, {} games, seed {}: {:.0} s",
            task.method, learned.games, task.seed, learned.seconds
        );
        learned
    });
    let matches = judge::drawn(&learned);
    let judged = jobs::all(threads, &matches, |one| {
        let judged = one.play(options.judge);
        eprintln!("{}", judged.text());
        judged
    });
    report::print(&options, &learned, &judged);
}
