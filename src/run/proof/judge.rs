//! Whether what a certificate says of a match is true, once the match has been
//! played again.

use crate::stats::{Estimate, Tally};
use crate::weights::ProofMatch;

/// How far a certificate's match holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Holds {
    /// The same results to the game, and Elo, error and LOS follow from them.
    Exactly,
    /// Other results, whose error interval overlaps with that of the
    /// certificate. It counts only where the engine is another one.
    Nearly,
    /// The certificate says what is not so.
    No,
}

impl Holds {
    /// The name in every output.
    pub const fn name(self) -> &'static str {
        match self {
            Holds::Exactly => "exactly",
            Holds::Nearly => "within-errors",
            Holds::No => "no",
        }
    }
}

/// What came of a match of a certificate.
#[derive(Clone, Debug, PartialEq)]
pub struct Judgement {
    /// Whether it holds.
    pub holds: Holds,
    /// The match as it was played now.
    pub now: ProofMatch,
    /// What differs, a line a number: `wins: 12 claimed, 11 played`.
    pub differences: Vec<String>,
}

/// How far a logarithm may move a rounded number from one platform to another.
const ELO_SLACK: f64 = 0.11;
const LOS_SLACK: f64 = 0.000_11;

/// Judges a match by the same match played again. The same engine has to give
/// the same games; of another one, `same_engine` false, only the error
/// intervals can be compared.
pub fn judge(claimed: &ProofMatch, tally: &Tally, same_engine: bool) -> Judgement {
    let now = ProofMatch::new(&claimed.opponent, &claimed.weights, tally)
        .with_player(claimed.player.clone());
    let differences = differences(claimed, &now);
    let holds = if differences.is_empty() {
        Holds::Exactly
    } else if !same_engine && follows(claimed) && overlap(claimed, &now) {
        Holds::Nearly
    } else {
        Holds::No
    };
    Judgement {
        holds,
        now,
        differences,
    }
}

fn differences(claimed: &ProofMatch, now: &ProofMatch) -> Vec<String> {
    let mut lines = Vec::new();
    let counts = [
        ("games", claimed.games, now.games),
        ("wins", claimed.record.wins, now.record.wins),
        ("draws", claimed.record.draws, now.record.draws),
        ("losses", claimed.record.losses, now.record.losses),
    ];
    for (name, claimed, played) in counts {
        if claimed != played {
            lines.push(format!("{name}: {claimed} claimed, {played} played"));
        }
    }
    if claimed.pairs != now.pairs {
        let (claimed, played) = (claimed.pairs.0, now.pairs.0);
        lines.push(format!(
            "pentanomial: {claimed:?} claimed, {played:?} played"
        ));
    }
    let numbers = [
        ("elo", claimed.elo, now.elo, ELO_SLACK),
        ("elo_error", claimed.elo_error, now.elo_error, ELO_SLACK),
        ("los", Some(claimed.los), Some(now.los), LOS_SLACK),
    ];
    for (name, claimed, played, slack) in numbers {
        if !close(claimed, played, slack) {
            let text = |number: Option<f64>| {
                number.map_or_else(|| String::from("none"), |number| number.to_string())
            };
            let (claimed, played) = (text(claimed), text(played));
            lines.push(format!("{name}: {claimed} claimed, {played} played"));
        }
    }
    lines
}

fn close(a: Option<f64>, b: Option<f64>, slack: f64) -> bool {
    match (a, b) {
        (Some(a), Some(b)) => (a - b).abs() <= slack,
        (a, b) => a == b,
    }
}

/// Whether the claimed numbers belong together.
fn follows(claimed: &ProofMatch) -> bool {
    let Some(moments) = claimed.pairs.moments() else {
        return false;
    };
    let elo = moments.elo();
    let finite = |number: f64| number.is_finite().then_some(number);
    let halves = |(class, &pairs): (u64, &u64)| class.checked_mul(pairs);
    let halves: Option<u64> = (0..).zip(&claimed.pairs.0).map(halves).sum();
    claimed.record.games() == claimed.games
        && claimed.pairs.pairs().checked_mul(2) == Some(claimed.games)
        && halves == Some(claimed.record.halves())
        && close(claimed.elo, finite(elo.value), ELO_SLACK)
        && close(claimed.elo_error, elo.error(), ELO_SLACK)
        && close(Some(claimed.los), Some(moments.los()), LOS_SLACK)
}

/// Whether the error intervals of two results have something in common.
fn overlap(a: &ProofMatch, b: &ProofMatch) -> bool {
    let interval = |result: &ProofMatch| Some(result.pairs.moments()?.elo());
    match (interval(a), interval(b)) {
        (Some(Estimate { low, high, .. }), Some(other)) => low <= other.high && other.low <= high,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::Weights;
    use crate::stats::{GameScore, Points};

    /// 2 to 0 in some pairs, 1 to 1 in some, 0 to 2 in some.
    fn tally(won: u64, even: u64, lost: u64) -> Tally {
        use Points::{Loss, Win};
        let mut tally = Tally::default();
        let mut add = |pairs, points: [Points; 2]| {
            let [first, second] = points.map(|points| GameScore { points, plies: 40 });
            for _ in 0..pairs {
                tally.add_pair(first, second);
            }
        };
        add(won, [Win, Win]);
        add(even, [Win, Loss]);
        add(lost, [Loss, Loss]);
        tally
    }

    fn claim(tally: &Tally) -> ProofMatch {
        ProofMatch::new("default", &Weights::source(), tally)
    }

    #[test]
    fn the_same_games_hold() {
        for tally in [tally(30, 50, 20), tally(5, 0, 0), tally(0, 0, 5)] {
            let judged = judge(&claim(&tally), &tally, true);
            assert_eq!((judged.holds, judged.differences), (Holds::Exactly, vec![]));
        }
    }

    #[test]
    fn one_game_more_is_found() {
        let true_tally = tally(30, 50, 20);
        let judged = judge(&claim(&tally(31, 50, 19)), &true_tally, true);
        assert_eq!(judged.holds, Holds::No);
        assert_eq!(judged.differences[0], "wins: 112 claimed, 110 played");
        assert_eq!(judged.now, claim(&true_tally));
        // Another engine may have played it.
        let judged = judge(&claim(&tally(31, 50, 19)), &true_tally, false);
        assert_eq!(judged.holds, Holds::Nearly);
        // But not that far away.
        let judged = judge(&claim(&tally(80, 20, 0)), &true_tally, false);
        assert_eq!(judged.holds, Holds::No);
    }

    #[test]
    fn numbers_that_do_not_follow_from_the_counts_are_found() {
        let tally = tally(30, 50, 20);
        let mut claimed = claim(&tally);
        claimed.elo = claimed.elo.map(|elo| elo + 30.0);
        for same_engine in [true, false] {
            let judged = judge(&claimed, &tally, same_engine);
            assert_eq!(judged.holds, Holds::No);
            assert_eq!(judged.differences.len(), 1, "{:?}", judged.differences);
            assert!(judged.differences[0].starts_with("elo: "));
        }
        let mut claimed = claim(&tally);
        claimed.record.wins += 2;
        assert_eq!(judge(&claimed, &tally, false).holds, Holds::No);
    }
}
