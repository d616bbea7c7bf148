//! The result of a match as text and as JSON, in the vocabulary of the field.

use serde::Serialize;

use crate::arena::Summary;
use crate::arena::summary::Work;
use crate::cli::output::thousands;
use crate::stats::{Estimate, Record, Sprt, SprtState, Verdict};

/// A number that may be infinite: JSON has no such number, so `null`.
fn finite(number: f64) -> Option<f64> {
    number.is_finite().then_some(number)
}

/// Games of one kind.
#[derive(Serialize)]
pub(crate) struct Score {
    games: u64,
    wins: u64,
    draws: u64,
    losses: u64,
    /// Points a game.
    score: Option<f64>,
}

/// A sequential test and what it says.
#[derive(Serialize)]
struct Test {
    #[serde(flatten)]
    settings: Sprt,
    lower: f64,
    upper: f64,
    verdict: Verdict,
}

#[derive(Serialize)]
struct Effort {
    player: String,
    #[serde(flatten)]
    work: Work,
    nodes_per_move: Option<f64>,
}

/// The numbers of a match, from the first player's point of view.
#[derive(Serialize)]
pub(crate) struct Report {
    players: [String; 2],
    seed: u64,
    #[serde(flatten)]
    score: Score,
    points: f64,
    elo: Option<f64>,
    elo_error: Option<f64>,
    nelo: Option<f64>,
    nelo_error: Option<f64>,
    los: Option<f64>,
    pentanomial: [u64; 5],
    llr: Option<f64>,
    sprt: Option<Test>,
    as_black: Score,
    as_white: Score,
    plies: u64,
    plies_per_game: Option<f64>,
    work: [Effort; 2],
    faults: u64,
    interrupted: bool,
    seconds: f64,
}

impl Score {
    pub(crate) fn of(record: &Record) -> Score {
        Score {
            games: record.games(),
            wins: record.wins,
            draws: record.draws,
            losses: record.losses,
            score: record.score(),
        }
    }
}

/// What a report is made of.
pub(crate) struct Finished<'a> {
    pub(crate) players: [&'a str; 2],
    pub(crate) summary: &'a Summary,
    pub(crate) sprt: Option<Sprt>,
    pub(crate) seed: u64,
    pub(crate) interrupted: bool,
    pub(crate) seconds: f64,
}

impl Finished<'_> {
    fn test(&self) -> Option<(Sprt, SprtState)> {
        let sprt = self.sprt?;
        Some((sprt, sprt.decide(&self.summary.tally.pairs)))
    }

    pub(crate) fn report(&self) -> Report {
        let tally = &self.summary.tally;
        let moments = tally.moments();
        let elo = moments.map(|moments| moments.elo());
        let nelo = moments.and_then(|moments| moments.normalised_elo());
        let test = self.test();
        let effort = |n: usize| {
            let work: Work = self.summary.work[n];
            Effort {
                player: self.players[n].to_owned(),
                work,
                nodes_per_move: work.nodes_per_move(),
            }
        };
        Report {
            players: self.players.map(str::to_owned),
            seed: self.seed,
            score: Score::of(&tally.record()),
            points: tally.record().halves() as f64 / 2.0,
            elo: elo.and_then(|elo| finite(elo.value)),
            elo_error: elo.and_then(|elo| elo.error()),
            nelo: nelo.and_then(|nelo| finite(nelo.value)),
            nelo_error: nelo.and_then(|nelo| nelo.error()),
            los: moments.map(|moments| moments.los()),
            pentanomial: tally.pairs.0,
            llr: test.map(|(_, state)| state.llr),
            sprt: test.map(|(settings, state)| Test {
                settings,
                lower: state.lower,
                upper: state.upper,
                verdict: state.verdict,
            }),
            as_black: Score::of(&tally.as_black),
            as_white: Score::of(&tally.as_white),
            plies: tally.plies,
            plies_per_game: self.summary.plies_per_game(),
            work: [effort(0), effort(1)],
            faults: self.summary.work.iter().map(Work::faults).sum(),
            interrupted: self.interrupted,
            seconds: self.seconds,
        }
    }

    pub(crate) fn text(&self) -> String {
        let tally = &self.summary.tally;
        let record = tally.record();
        let Some(moments) = tally.moments() else {
            return "Games:  0\n".to_owned();
        };
        let mut text = format!(
            "Games:  {}, {}\n",
            thousands(record.games()),
            record_text(&record)
        );
        text += &format!("Elo:    {}\n", estimate(&moments.elo()));
        let nelo = moments.normalised_elo();
        let nelo = nelo.map_or_else(|| "-".to_owned(), |nelo| estimate(&nelo));
        text += &format!("nElo:   {nelo}\n");
        text += &format!("LOS:    {:.1} %\n", 100.0 * moments.los());
        let [a, b, c, d, e] = tally.pairs.0;
        text += &format!("Ptnml(0-2): {a}, {b}, {c}, {d}, {e}\n");
        if let Some((sprt, state)) = self.test() {
            text += &llr_text(&sprt, &state);
        }
        text += &format!("as x:   {}\n", record_text(&tally.as_black));
        text += &format!("as o:   {}\n", record_text(&tally.as_white));
        let plies = self.summary.plies_per_game().unwrap_or(0.0);
        let rate = record.games() as f64 / self.seconds.max(1e-9);
        text += &format!(
            "plies:  {plies:.1} a game; {:.1} s, {rate:.1} games/s\n",
            self.seconds
        );
        text + &self.work_text()
    }

    fn work_text(&self) -> String {
        let width = self.players.map(|name| name.chars().count());
        let width = width[0].max(width[1]).max(6);
        let faults = self.summary.work.iter().any(|work| work.faults() > 0);
        let mut text = format!(
            "\n{:<width$} {:>15} {:>9} {:>11}{}\n",
            "player",
            "nodes",
            "moves",
            "nodes/move",
            if faults { "   faults" } else { "" }
        );
        for (name, work) in self.players.iter().zip(&self.summary.work) {
            let each = work.nodes_per_move().unwrap_or(0.0);
            text += &format!(
                "{name:<width$} {:>15} {:>9} {:>11}",
                thousands(work.nodes),
                thousands(work.moves),
                thousands(each.round() as u64),
            );
            if faults {
                text += &format!(
                    "   {} ({} hangs, {} dies, {} illegal moves)",
                    work.faults(),
                    work.hangs,
                    work.dies,
                    work.illegal_moves
                );
            }
            text.push('\n');
        }
        text
    }
}

/// `W 45, D 2, L 53: 46.0 points (46.0 %)`.
pub(crate) fn record_text(record: &Record) -> String {
    let Record {
        wins,
        draws,
        losses,
    } = record;
    let points = record.halves() as f64 / 2.0;
    let score = 100.0 * record.score().unwrap_or(0.0);
    format!("W {wins}, D {draws}, L {losses}: {points:.1} points ({score:.1} %)")
}

/// `12.3 +/- 8.9`; `+inf` where every game was won; `?` for an error that the
/// results do not bound.
pub(crate) fn estimate(estimate: &Estimate) -> String {
    let error = estimate
        .error()
        .map_or_else(|| "?".to_owned(), |error| format!("{error:.1}"));
    if estimate.value.is_infinite() {
        let sign = if estimate.value > 0.0 { "+" } else { "-" };
        return format!("{sign}inf");
    }
    format!("{:.1} +/- {error}", estimate.value + 0.0)
}

/// `LLR:    2.95 (-2.94, 2.94) [0, 10]: H1 accepted`.
fn llr_text(sprt: &Sprt, state: &SprtState) -> String {
    let verdict = match state.verdict {
        Verdict::Continue => "undecided",
        Verdict::AcceptH0 => "H0 accepted",
        Verdict::AcceptH1 => "H1 accepted",
    };
    format!(
        "LLR:    {:.2} ({:.2}, {:.2}) [{}, {}]: {verdict}\n",
        state.llr,
        state.lower,
        state.upper,
        sprt.elo0(),
        sprt.elo1(),
    )
}

/// The state of a match in a few words, for a progress line.
pub(crate) fn brief(summary: &Summary, sprt: Option<Sprt>) -> String {
    let record = summary.tally.record();
    let Record {
        wins,
        draws,
        losses,
    } = record;
    let mut text = format!("W {wins}, D {draws}, L {losses}");
    if let Some(moments) = summary.tally.moments() {
        text += &format!(", Elo: {}", estimate(&moments.elo()));
    }
    if let Some(sprt) = sprt {
        let state = sprt.decide(&summary.tally.pairs);
        text += &format!(
            ", LLR: {:.2} ({:.2}, {:.2})",
            state.llr, state.lower, state.upper
        );
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn estimates_as_text() {
        let of = |value, low, high| estimate(&Estimate { value, low, high });
        assert_eq!(of(12.34, 2.34, 22.34), "12.3 +/- 10.0");
        assert_eq!(of(-0.0, -1.0, 1.0), "0.0 +/- 1.0");
        assert_eq!(of(0.0, f64::NEG_INFINITY, f64::INFINITY), "0.0 +/- ?");
        assert_eq!(of(f64::INFINITY, 3.0, f64::INFINITY), "+inf");
        assert_eq!(of(f64::NEG_INFINITY, f64::NEG_INFINITY, 3.0), "-inf");
    }
}
