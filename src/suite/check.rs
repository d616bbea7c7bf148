//! An entry of a suite, proved again.

use super::entry::{Entry, Suite};
use super::examine::{Examined, examine};
use super::fate::{Fate, Judgement};
use crate::board::Move;
use crate::search::StopFn;

/// What the proof of an entry does not confirm; empty where all of it holds, and
/// `None` where `stop` ended it. The count of nodes is no part of the claim.
pub fn check(suite: &Suite, entry: &Entry, stop: StopFn<'_>) -> Option<Vec<String>> {
    let found = examine(&entry.board, &suite.rules(), &suite.settings, stop)?;
    let mut wrong = Vec::new();
    let mut compare = |what: &str, claimed: String, proved: String| {
        if claimed != proved {
            wrong.push(format!("{what}: {claimed}, but proved is {proved}"));
        }
    };
    compare("before", text(&entry.before), text(&found.before));
    let after = found.after(entry.played);
    compare(
        "after",
        text(&entry.after),
        after.map_or_else(|| String::from("no legal move"), |after| text(&after)),
    );
    compare("right", names(&entry.right), names(&found.right_moves()));
    let losing = found.count(Fate::Loss);
    compare("losing", entry.losing.to_string(), losing.to_string());
    if !Examined::is_exact(&found) {
        wrong.push(String::from(
            "the win lies beyond the horizon, and other moves are open",
        ));
    }
    Some(wrong)
}

fn text(found: &Judgement) -> String {
    format!(
        "{} in {} plies ({})",
        found.fate.name(),
        found.plies,
        found.proof.name()
    )
}

/// The moves in one order.
fn names(moves: &[Move]) -> String {
    let mut names: Vec<String> = moves.iter().map(ToString::to_string).collect();
    names.sort();
    names.join(" ")
}
