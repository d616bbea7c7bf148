//! Where the selection rule stands: `cargo bench --bench ablation`.
//!
//! Every method learns weights with the same engine, depth, genes, bounds,
//! openings and number of games. What it has learned plays on held-out openings
//! against a panel of fixed weights of different kinds (`panel/`), and against
//! the source weights. The tables have the mean over the panel, and errors over
//! seeds.
//!
//! Weights and matches are added to a file as soon as they are there
//! (`results.jsonl`), and what it holds is not played again: the command can be
//! killed and goes on, and a longer one adds to it. Results of another engine or
//! of other parameters stay in the file and are not mixed with the present ones.
//! `--report` makes tables and pictures from the file alone. `--help` names all
//! arguments. Threads change nothing but the speed; SPSA's powers are the
//! platform's, so another platform may round them otherwise.
//!
//! | file | purpose |
//! |---|---|
//! | `options` | arguments, and the pieces of work |
//! | `method` | methods, their parameters and fingerprints |
//! | `evolution` | the rule, as the daemon runs it, with and without school |
//! | `regression` | what `loatune fit --play` learns |
//! | `halving` | random search with successive halving |
//! | `spsa` | averaged SPSA |
//! | `ring` | one match after the other, scored as in the evolution |
//! | `jobs` | work on all threads |
//! | `panel` | the opponents |
//! | `judge` | judging |
//! | `report` | raw results, and tables and pictures from them |

#![allow(clippy::unwrap_used, missing_docs)]

mod evolution;
mod halving;
mod jobs;
mod judge;
mod method;
mod options;
mod panel;
mod regression;
mod report;
mod ring;
mod spsa;

use std::path::Path;
use std::process::ExitCode;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

use clap::Parser;
use loatune::eval::Weights;
use loatune::weights::WeightFile;

use crate::method::{Method, Task};
use crate::options::{Options, ROOT};
use crate::panel::Opponent;
use crate::report::document;
use crate::report::entry::{Entry, Learned};
use crate::report::file::{ResultsFile, read_judged};
use crate::report::summary::Summary;
use crate::report::{picture, table};

/// What tasks that are one piece of work have learned, with the games played.
fn learn(tasks: &[Task]) -> Vec<(Weights, u64)> {
    let alone = |learn: &dyn Fn(&Task) -> (Weights, u64)| tasks.iter().map(learn).collect();
    match &tasks[0].method {
        Method::Evolution { .. } | Method::Genetic { .. } => alone(&evolution::learn),
        Method::Halving => alone(&halving::learn),
        Method::Spsa(gains) => alone(&|task| spsa::learn(task, gains)),
        Method::Regression(labels) => regression::learn(tasks, labels),
    }
}

/// Learns and judges what the file does not have.
fn work(
    tasks: &[Task],
    results: &ResultsFile,
    opponents: &[Opponent],
    judge_games: u64,
) -> Result<(), String> {
    let is_missing = |task: &&Task| results.learned(&task.learner()).is_none();
    let missing: Vec<Task> = tasks.iter().filter(is_missing).cloned().collect();
    if !missing.is_empty() {
        let start = Instant::now();
        let learned = learn(&missing);
        let seconds = start.elapsed().as_secs_f64();
        for (task, (weights, played)) in missing.iter().zip(learned) {
            assert!(played <= task.games, "{task} took {played} games");
            eprintln!("{task}: learned in {seconds:.0} s");
            let learned = Learned::new(task.learner(), played, &weights);
            results.add(Entry::Learned(learned))?;
        }
    }
    for task in tasks {
        let learner = task.learner();
        let learned = results.learned(&learner);
        let weights = learned.expect("it was learned before").weights();
        for opponent in opponents {
            let names = [opponent.name.as_str(), &opponent.id];
            if !results.is_judged(&learner, names, judge_games / 2 * 2) {
                let judged = judge::judge(task, &weights, opponent, judge_games);
                results.add(Entry::Judged(judged))?;
            }
        }
    }
    Ok(())
}

/// Plays what is missing and prints the table of what is there.
fn play(options: &Options) -> Result<(), String> {
    let opponents = panel::opponents()?;
    let results = ResultsFile::open(&options.results())?;
    let pieces = options.pieces();
    let done = AtomicUsize::new(0);
    let worked = jobs::all(options.thread_count(), &pieces, |tasks| {
        let worked = work(tasks, &results, &opponents, options.judge);
        let done = done.fetch_add(1, Ordering::Relaxed) + 1;
        let summary = Summary::new(&results.judged());
        for task in tasks {
            let learner = task.learner();
            let cell = summary.cell(&learner.method, learner.depth, learner.games);
            let strength = table::text(cell.and_then(|cell| summary.strength(cell)));
            eprintln!("{done} of {}: {task}; all seeds: {strength}", pieces.len());
        }
        worked
    });
    worked.into_iter().collect::<Result<Vec<()>, String>>()?;
    let summary = Summary::new(&results.judged());
    for (_, table) in document::tables(&summary) {
        println!("{table}");
    }
    Ok(())
}

/// Makes the tables and pictures of the documents from the raw results.
fn write_report(options: &Options) -> Result<(), String> {
    let root = Path::new(ROOT);
    let mut judged = read_judged(&root.join(document::VARIANTS))?;
    judged.extend(read_judged(&options.results())?);
    let summary = Summary::new(&judged);
    let path = root.join(document::DOCUMENT);
    let failed = |error: std::io::Error| format!("{}: {error}", path.display());
    let mut text = std::fs::read_to_string(&path).map_err(failed)?;
    for (name, table) in document::tables(&summary) {
        println!("{table}");
        text = document::with_table(&text, name, &table)?;
    }
    std::fs::write(&path, text).map_err(failed)?;
    for depth in summary.depths() {
        let path = root.join(document::picture_path(depth));
        let written = std::fs::write(&path, picture::svg(&summary, depth)?);
        written.map_err(|error| format!("{}: {error}", path.display()))?;
    }
    Ok(())
}

/// Prints what the first task has learned, or learns now, as a weight file.
fn export(options: &Options) -> Result<(), String> {
    let pieces = options.pieces();
    let task = &pieces[0][0];
    let (weights, games) = learn(std::slice::from_ref(task))[0];
    let file = WeightFile {
        name: task.method.to_string(),
        origin: format!(
            "cargo bench --bench ablation -- --export --methods {} --games {} --depth {} --first-seed {} ({games} games)",
            task.method, task.games, task.depth, task.seed
        ),
        weights,
        certificate: None,
    };
    print!("{}", file.to_toml());
    Ok(())
}

/// All parts once, quickly, as a test.
fn test() -> Result<(), String> {
    let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
    let path = folder.path().join("results.jsonl");
    let options = Options::quick(&path);
    play(&options)?;
    let first = std::fs::read(&path).unwrap();
    // A line that a kill cut off is dropped, and what it said is played again.
    let last = first[..first.len() - 1]
        .iter()
        .rposition(|&byte| byte == b'\n');
    std::fs::write(&path, &first[..last.unwrap() + 20]).unwrap();
    play(&options)?;
    assert_eq!(std::fs::read(&path).unwrap(), first);
    Ok(())
}

fn main() -> ExitCode {
    // The test run has no `--bench`.
    let is_bench = std::env::args().any(|arg| arg == "--bench");
    let done = if is_bench {
        let options = Options::parse();
        if options.is_left_out() {
            return ExitCode::SUCCESS;
        }
        if options.report {
            write_report(&options)
        } else if options.export {
            export(&options)
        } else {
            play(&options)
        }
    } else {
        test()
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("ablation: {error}");
            ExitCode::FAILURE
        }
    }
}
