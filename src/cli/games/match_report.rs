//! The result of a match as text and as JSON, in the vocabulary of the field.

use serde::Serialize;

use super::game_runner::PlayedGames;
use super::match_settings::MatchSettings;
use crate::arena::Summary;
use crate::arena::summary::Work;
use crate::cli::output::{Column, ProgressLine, TextTable, thousands};
use crate::stats::{Estimate, Record, Sprt, SprtState, Verdict};

/// A number that may be infinite: JSON has no such number, so `null`.
fn finite(number: f64) -> Option<f64> {
    number.is_finite().then_some(number)
}

/// The results of some games, from one player's point of view.
#[derive(Serialize)]
pub(crate) struct Score {
    games: u64,
    wins: u64,
    draws: u64,
    losses: u64,
    /// Points a game, 0 to 1; `None` where there are no games.
    score: Option<f64>,
}

/// A sequential test: its settings, its bounds and its verdict.
#[derive(Serialize)]
struct SprtReport {
    #[serde(flatten)]
    settings: Sprt,
    lower: f64,
    upper: f64,
    verdict: Verdict,
}

/// What a player did in all games of the match.
#[derive(Serialize)]
struct PlayerWork {
    player: String,
    #[serde(flatten)]
    work: Work,
    nodes_per_move: Option<f64>,
    /// What all its moves took.
    seconds: f64,
    seconds_per_move: Option<f64>,
    longest_move: f64,
}

/// Games that were decided by a fault, from one player's point of view.
#[derive(Serialize)]
pub(crate) struct ByFaults {
    wins: u64,
    losses: u64,
}

/// A player that was given up.
#[derive(Serialize)]
pub(crate) struct GivenUp {
    player: String,
    fault: String,
    faults: u64,
    games: u64,
}

impl GivenUp {
    /// The player of some games that was given up, if one was.
    pub(crate) fn of(played: &PlayedGames) -> Option<GivenUp> {
        let broken = played.broken.as_ref()?;
        Some(GivenUp {
            player: played.settings.name(broken.player).to_owned(),
            fault: broken.fault.to_string(),
            faults: broken.faults,
            games: broken.games,
        })
    }
}

/// The numbers of a match, from the first player's point of view.
#[derive(Serialize)]
pub(crate) struct MatchReport {
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
    sprt: Option<SprtReport>,
    as_black: Score,
    as_white: Score,
    on_board: Score,
    by_faults: ByFaults,
    adjudicated: u64,
    plies: u64,
    plies_per_game: Option<f64>,
    work: [PlayerWork; 2],
    faults: u64,
    given_up: Option<GivenUp>,
    interrupted: bool,
    resumed: u64,
    seconds: f64,
    /// Not repeated for every match of a gauntlet.
    #[serde(skip_serializing_if = "Option::is_none")]
    settings: Option<MatchSettings>,
}

impl From<Record> for Score {
    fn from(record: Record) -> Score {
        Score {
            games: record.games(),
            wins: record.wins,
            draws: record.draws,
            losses: record.losses,
            score: record.score(),
        }
    }
}

/// A match whose games are played, as the source of its reports.
pub(crate) struct FinishedMatch<'a> {
    pub(crate) players: [&'a str; 2],
    pub(crate) summary: &'a Summary,
    pub(crate) sprt: Option<Sprt>,
    pub(crate) seed: u64,
    /// How it was played.
    pub(crate) played: &'a PlayedGames,
}

impl FinishedMatch<'_> {
    fn test(&self) -> Option<(Sprt, SprtState)> {
        let sprt = self.sprt?;
        Some((sprt, sprt.decide(&self.summary.faultless.pairs)))
    }

    /// The numbers for JSON.
    pub(crate) fn report(&self) -> MatchReport {
        let Summary {
            tally,
            faultless,
            on_board,
            adjudicated,
            ..
        } = self.summary;
        let moments = faultless.moments();
        let elo = moments.map(|moments| moments.elo());
        let nelo = moments.and_then(|moments| moments.normalised_elo());
        let test = self.test();
        let player_work = |n: usize| {
            let work: Work = self.summary.work[n];
            PlayerWork {
                player: self.players[n].to_owned(),
                work,
                nodes_per_move: work.nodes_per_move(),
                seconds: self.summary.time[n].total.as_secs_f64(),
                seconds_per_move: self.summary.seconds_per_move(n),
                longest_move: self.summary.time[n].longest.as_secs_f64(),
            }
        };
        MatchReport {
            players: self.players.map(str::to_owned),
            seed: self.seed,
            score: tally.record().into(),
            points: tally.record().halves() as f64 / 2.0,
            elo: elo.and_then(|elo| finite(elo.value)),
            elo_error: elo.and_then(|elo| elo.error()),
            nelo: nelo.and_then(|nelo| finite(nelo.value)),
            nelo_error: nelo.and_then(|nelo| nelo.error()),
            los: moments.map(|moments| moments.los()),
            pentanomial: faultless.pairs.0,
            llr: test.map(|(_, state)| state.llr),
            sprt: test.map(|(settings, state)| SprtReport {
                settings,
                lower: state.lower,
                upper: state.upper,
                verdict: state.verdict,
            }),
            as_black: tally.as_black.into(),
            as_white: tally.as_white.into(),
            on_board: (*on_board).into(),
            by_faults: ByFaults {
                wins: self.summary.work[1].faults(),
                losses: self.summary.work[0].faults(),
            },
            adjudicated: *adjudicated,
            plies: tally.plies,
            plies_per_game: self.summary.plies_per_game(),
            work: [player_work(0), player_work(1)],
            faults: self.summary.faults(),
            given_up: GivenUp::of(self.played),
            interrupted: self.played.is_interrupted(),
            resumed: self.played.resumed,
            seconds: self.played.seconds,
            settings: None,
        }
    }

    /// The same with what was played.
    pub(crate) fn report_with_settings(&self) -> MatchReport {
        MatchReport {
            settings: Some(self.played.settings.clone()),
            ..self.report()
        }
    }

    /// The report for people, below its first line.
    pub(crate) fn text(&self) -> String {
        let Summary {
            tally,
            faultless,
            on_board,
            ..
        } = self.summary;
        let record = tally.record();
        if record.games() == 0 {
            return "Games:  0\n".to_owned();
        }
        let mut text = format!(
            "Games:  {}, {}\n",
            thousands(record.games()),
            record_text(&record)
        );
        if self.summary.faults() > 0 {
            let [losses, wins] = self.summary.work.map(|work| work.faults());
            text += &format!("board:  {}\n", record_text(on_board));
            text += &format!("faults: W {wins}, L {losses}\n");
            let pairs = faultless.games() / 2;
            text += &format!("pairs:  {pairs} without a fault, from which the rest comes\n");
        }
        if self.summary.adjudicated > 0 {
            let adjudicated = thousands(self.summary.adjudicated);
            text += &format!("adjudicated: {adjudicated}\n");
        }
        match faultless.moments() {
            Some(moments) => {
                text += &format!("Elo:    {}\n", estimate(&moments.elo()));
                let nelo = moments.normalised_elo();
                let nelo = nelo.map_or_else(|| "-".to_owned(), |nelo| estimate(&nelo));
                text += &format!("nElo:   {nelo}\n");
                text += &format!("LOS:    {:.1} %\n", 100.0 * moments.los());
            }
            None => text += "Elo:    none, without a pair that ended on the board\n",
        }
        let [a, b, c, d, e] = faultless.pairs.0;
        text += &format!("Ptnml(0-2): {a}, {b}, {c}, {d}, {e}\n");
        if let Some((sprt, state)) = self.test() {
            text += &llr_text(&sprt, &state);
        }
        text += &format!("as x:   {}\n", record_text(&tally.as_black));
        text += &format!("as o:   {}\n", record_text(&tally.as_white));
        let plies = self.summary.plies_per_game().unwrap_or(0.0);
        let seconds = self.played.seconds;
        let rate = record.games() as f64 / seconds.max(1e-9);
        text += &format!("plies:  {plies:.1} a game; {seconds:.1} s, {rate:.1} games/s\n");
        text + &self.work_text()
    }

    fn work_text(&self) -> String {
        let faults = self.summary.work.iter().any(|work| work.faults() > 0);
        let mut columns = vec![
            Column::left("player"),
            Column::right("nodes").at_least(14),
            Column::right("moves").at_least(8),
            Column::right("nodes/move"),
            Column::right("s/move").at_least(8),
            Column::right("longest").at_least(8),
        ];
        let has_book = self.played.settings.has_book();
        if has_book {
            columns.push(Column::right("from book"));
        }
        if faults {
            columns.push(Column::left(" lost by faults"));
        }
        let mut table = TextTable::new(columns);
        for (n, name) in self.players.iter().enumerate() {
            let work = &self.summary.work[n];
            let each = work.nodes_per_move().unwrap_or(0.0);
            let seconds = self.summary.seconds_per_move(n).unwrap_or(0.0);
            let longest = self.summary.time[n].longest.as_secs_f64();
            let mut row = vec![
                (*name).to_owned(),
                thousands(work.nodes),
                thousands(work.moves),
                thousands(each.round() as u64),
                format!("{seconds:.4}"),
                format!("{longest:.3}"),
            ];
            if has_book {
                row.push(thousands(work.book_moves));
            }
            if faults {
                row.push(format!(" {}", faults_text(work)));
            }
            table.row(row);
        }
        format!("\n{}", table.text())
    }
}

/// `3 (2 died, 1 hung)`; `0`.
fn faults_text(work: &Work) -> String {
    match work.faults() {
        0 => "0".to_owned(),
        faults => format!("{faults} ({})", work.faults_text()),
    }
}

/// What the first line of a report says of faults, with what separates it from
/// the rest; empty where there were none. `work` has every player's name.
pub(crate) fn faults_headline<'a>(
    games: u64,
    work: impl Iterator<Item = (&'a str, Work)>,
) -> String {
    let mut faults = 0;
    let mut each = Vec::new();
    for (name, work) in work.filter(|(_, work)| work.faults() > 0) {
        faults += work.faults();
        each.push(format!("{name} {}", faults_text(&work)));
    }
    if faults == 0 {
        return String::new();
    }
    format!(
        "{faults} of {games} games lost by faults: {}; ",
        each.join(", ")
    )
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

/// `LLR:    2.95 (-2.94, 2.94) [0, 10] logistic Elo: H1 accepted`.
fn llr_text(sprt: &Sprt, state: &SprtState) -> String {
    let verdict = match state.verdict {
        Verdict::Continue => "undecided",
        Verdict::AcceptH0 => "H0 accepted",
        Verdict::AcceptH1 => "H1 accepted",
    };
    format!(
        "LLR:    {:.2} ({:.2}, {:.2}) [{}, {}] {}: {verdict}\n",
        state.llr,
        state.lower,
        state.upper,
        sprt.elo0(),
        sprt.elo1(),
        sprt.model().meaning(),
    )
}

/// Adds the results so far to a line of progress: first what decides the match,
/// last the single results.
pub(crate) fn describe(summary: &Summary, sprt: Option<Sprt>, line: &mut ProgressLine) {
    let Record {
        wins,
        draws,
        losses,
    } = summary.tally.record();
    line.push(5, format!("  W {wins}, D {draws}, L {losses}"));
    if summary.faults() > 0 {
        line.push(1, format!(", faults: {}", summary.faults()));
    }
    if let Some(moments) = summary.faultless.moments() {
        line.push(2, format!(", Elo: {}", estimate(&moments.elo())));
    }
    if let Some(sprt) = sprt {
        let state = sprt.decide(&summary.faultless.pairs);
        line.push(
            3,
            format!(
                ", LLR: {:.2} ({:.2}, {:.2})",
                state.llr, state.lower, state.upper
            ),
        );
    }
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
