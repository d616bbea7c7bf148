//! A suite proved again, entry by entry.

use std::io::Write;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use serde::Serialize;

use super::in_order::in_order;
use crate::cli::interrupt;
use crate::cli::output::{Progress, ProgressLine, Stopped, count, write_json, write_text};
use crate::notation::position_text;
use crate::suite::{Entry, Suite, check};

#[derive(Serialize)]
struct ProofReport<'a> {
    suite: &'a str,
    positions: usize,
    /// Those that were proved again.
    checked: usize,
    wrong: Vec<Wrong>,
    interrupted: bool,
}

#[derive(Serialize)]
struct Wrong {
    line: usize,
    position: String,
    what: Vec<String>,
}

/// Proves every entry again and prints what does not hold.
///
/// # Errors
/// An entry does not hold, or a signal ended it.
pub(super) fn prove(
    (name, suite): (&str, &Suite),
    threads: usize,
    json: bool,
    out: &mut dyn Write,
) -> anyhow::Result<()> {
    let signal = interrupt::stop_flag()?;
    let halt = Arc::new(AtomicBool::new(false));
    let worker = |_| {
        let halt = Arc::clone(&halt);
        move |entry: &Entry| check(suite, entry, &|| halt.load(Ordering::Relaxed))
    };
    let mut report = ProofReport {
        suite: name,
        positions: suite.entries.len(),
        checked: 0,
        wrong: Vec::new(),
        interrupted: false,
    };
    let mut interrupted = false;
    let mut progress = Progress::new();
    in_order(
        &suite.entries,
        (0..threads).map(worker).collect(),
        &halt,
        &mut |what: Vec<String>| {
            let entry = &suite.entries[report.checked];
            report.checked += 1;
            if !what.is_empty() {
                report.wrong.push(Wrong {
                    line: entry.line,
                    position: position_text(&entry.board),
                    what,
                });
            }
            ControlFlow::Continue(())
        },
        &mut |done| {
            progress.show(&|_| {
                let mut line = ProgressLine::default();
                line.push(0, format!("{done} of {} positions", suite.entries.len()));
                line
            });
            interrupted = signal.load(Ordering::Relaxed);
            if interrupted {
                return ControlFlow::Break(());
            }
            ControlFlow::Continue(())
        },
    )?;
    progress.finish();
    report.interrupted = interrupted;
    if json {
        write_json(out, &report)?;
    } else {
        write_text(out, &text(&report))?;
    }
    if interrupted {
        let message = format!(
            "stopped by a signal after {} of {} positions",
            report.checked, report.positions
        );
        return Err(Stopped(message).into());
    }
    anyhow::ensure!(
        report.wrong.is_empty(),
        "{name}: {} of {} do not hold",
        report.wrong.len(),
        count(report.positions, "position")
    );
    Ok(())
}

fn text(report: &ProofReport<'_>) -> String {
    let mut text = String::new();
    for Wrong {
        line,
        position,
        what,
    } in &report.wrong
    {
        text += &format!("{}:{line}: {position}\n", report.suite);
        for what in what {
            text += &format!("  {what}\n");
        }
    }
    let good = report.checked - report.wrong.len();
    text + &format!(
        "{}: {good} of {} hold\n",
        report.suite,
        count(report.positions, "position")
    )
}
