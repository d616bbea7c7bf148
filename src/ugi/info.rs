//! The `info` lines in which a search reports its progress.

use std::fmt::Write as _;
use std::time::Duration;

use crate::search::Iteration;
use crate::search::value::plies_to_end;

/// The line for a finished depth. `nodes` and `time` are those of the whole
/// search so far.
pub(super) fn line(
    iteration: &Iteration,
    nodes: u64,
    time: Duration,
    hashfull: Option<u32>,
) -> String {
    let mut text = format!("info depth {}", iteration.depth);
    let _ = write!(text, " score {}", score(iteration.value));
    text += &counts(nodes, time, hashfull);
    if !iteration.pv.is_empty() {
        text += " pv";
        for mv in &iteration.pv {
            let _ = write!(text, " {mv}");
        }
    }
    text
}

/// ` nodes … nps … time …`, and how full the table is where that is known.
pub(super) fn counts(nodes: u64, time: Duration, hashfull: Option<u32>) -> String {
    let micros = time.as_micros().max(1);
    let rate = u128::from(nodes) * 1_000_000 / micros;
    let mut text = format!(" nodes {nodes} nps {rate} time {}", time.as_millis());
    if let Some(permille) = hashfull {
        let _ = write!(text, " hashfull {permille}");
    }
    text
}

/// `cp N` for the side to move, or `mate N`: the plies to a win, negative to a
/// loss.
fn score(value: i32) -> String {
    match plies_to_end(value) {
        Some(plies) if value < 0 => format!("mate -{plies}"),
        Some(plies) => format!("mate {plies}"),
        None => format!("cp {value}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::value::win_in;

    #[test]
    fn a_score_is_points_or_plies() {
        assert_eq!(score(0), "cp 0");
        assert_eq!(score(-17), "cp -17");
        assert_eq!(score(win_in(3, 2)), "mate 3");
        assert_eq!(score(-win_in(4, 7)), "mate -4");
    }

    #[test]
    fn a_line_has_all_numbers() {
        let iteration = Iteration {
            depth: 3,
            value: 5,
            pv: Vec::new(),
            nodes: 10,
            passes: 1,
            table_permille: Some(7),
        };
        assert_eq!(
            line(&iteration, 2000, Duration::from_millis(4), Some(7)),
            "info depth 3 score cp 5 nodes 2000 nps 500000 time 4 hashfull 7"
        );
        assert_eq!(
            counts(1, Duration::ZERO, None),
            " nodes 1 nps 1000000 time 0"
        );
    }
}
