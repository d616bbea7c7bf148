//! Who is scored with which limits: each player with each limit, unless it has
//! one of its own.

use std::path::Path;
use std::time::Duration;

use crate::arena::spec::parse_limit;
use crate::arena::{MoveLimits, PlayerSpec};
use crate::cli::output::BadUsage;
use crate::search::Algorithm;

/// A player with a limit.
pub(super) struct Row {
    pub(super) spec: PlayerSpec,
    /// As it is written in a player's name: `n20000`, `5`.
    pub(super) limit: String,
}

/// A limit that a position can be searched with.
///
/// # Errors
/// It is none, or a clock, which belongs to a whole game.
pub(super) fn position_limit(text: &str) -> Result<MoveLimits, String> {
    let limit = parse_limit(text).filter(|limit| limit.clock.is_none());
    limit.ok_or_else(|| {
        String::from(
            "write positions as n20000, plies as 5, seconds as t0.5 or simulations as s2000",
        )
    })
}

/// The rows of a table: the players in their order, the limits of each below each
/// other.
///
/// # Errors
/// A player does not exist, or cannot keep a limit.
pub(super) fn rows(
    players: &[String],
    limits: &[MoveLimits],
    table_kib: u32,
) -> anyhow::Result<Vec<Row>> {
    let mut rows = Vec::new();
    for text in players {
        let parse = |limits| PlayerSpec::parse(text, limits, Path::new("")).map_err(BadUsage::new);
        let own = parse(MoveLimits::default())?;
        let has_own = !own.limits.is_open();
        if own.limits.clock.is_some() {
            let message = format!("{text}: a clock belongs to a whole game, not to a position");
            return Err(BadUsage::new(message).into());
        }
        if own.book.is_some() {
            let message = format!("{text}: a book belongs to a whole game, not to a position");
            return Err(BadUsage::new(message).into());
        }
        let usual = [MoveLimits::default().or_default()];
        let limits = if has_own || limits.is_empty() {
            &usual
        } else {
            limits
        };
        for &limit in limits {
            let simulates = own.algorithm() == Some(Algorithm::Mcts);
            if limit.simulations.is_some() && !simulates {
                let limit = limit_text(&limit);
                let message =
                    format!("{text}: the limit {limit} counts simulations, which only mcts makes");
                return Err(BadUsage::new(message).into());
            }
            let mut spec = parse(limit)?;
            spec.table_kib = table_kib;
            rows.push(Row {
                limit: limit_text(&spec.limits),
                spec,
            });
        }
    }
    Ok(rows)
}

/// A limit as a player's name has it.
fn limit_text(limits: &MoveLimits) -> String {
    let parts = [
        limits.depth.map(|depth| depth.to_string()),
        limits.nodes.map(|nodes| format!("n{nodes}")),
        limits.simulations.map(|count| format!("s{count}")),
        limits
            .time
            .as_ref()
            .map(Duration::as_secs_f64)
            .map(|seconds| format!("t{seconds}")),
    ];
    let parts: Vec<String> = parts.into_iter().flatten().collect();
    parts.join(",")
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    fn limits_of(player: &str, limits: &[&str]) -> Vec<String> {
        let limits: Vec<MoveLimits> = limits
            .iter()
            .map(|text| position_limit(text).unwrap())
            .collect();
        let rows = rows(&[player.to_owned()], &limits, 256).unwrap();
        rows.into_iter().map(|row| row.limit).collect()
    }

    #[test]
    fn players_take_all_limits_unless_they_have_their_own() {
        assert_eq!(limits_of("default", &[]), ["4"]);
        assert_eq!(
            limits_of("default", &["n100", "5", "t0.5"]),
            ["n100", "5", "t0.5"]
        );
        assert_eq!(limits_of("default@mtdf:n7", &["n100", "5"]), ["n7"]);
        assert_eq!(limits_of("default@mcts", &["s50", "2"]), ["s50", "s1000"]);
        let wrong = rows(
            &[String::from("default")],
            &[position_limit("s5").unwrap()],
            256,
        );
        let message = wrong.err().unwrap().to_string();
        assert!(
            message.contains("the limit s5 counts simulations"),
            "{message}"
        );
        for text in ["", "n0", "c10+0.1", "t", "x5"] {
            assert!(position_limit(text).is_err(), "{text}");
        }
    }
}
