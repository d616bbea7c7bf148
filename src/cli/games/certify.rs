//! `loatune certify`: a champion's matches, played again.

use std::io::Write;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::available_parallelism;

use clap::Args;
use serde::Serialize;

use super::game_runner::usage_error;
use crate::cli::args::{check_players, read_weights};
use crate::cli::interrupt;
use crate::cli::output::{
    BadUsage, Column, Progress, Stopped, TextTable, thousands, write_json, write_text,
};
use crate::run::proof::{self, Holds, Judgement, ReplayError};
use crate::search::EngineVersion;
use crate::stats::Record;
use crate::weights::ProofMatch;
use crate::weights::{Certificate, WeightFile};

/// Play the matches of a champion's certificate again and compare
///
/// The certificate in a champion's weight file says how it did against the
/// reference weights and others, on openings that its evolution never saw. The
/// file holds everything that is needed to play those games again, and the
/// same engine plays the same games: every win, draw and loss must come out as
/// certified.
#[derive(Debug, Args)]
#[command(after_help = "\
`holds` says `exactly`, where the results are the same to the game and the
numbers follow from them; `within-errors`, where the certificate's engine (its
signature, see `loatune bench`) is none that this program knows, so that games
may differ, and the error intervals of old and new result overlap; else `no`.
Games of an earlier version of the engine are played again by that version.

Exit codes: 0 every match holds exactly, 1 one does not, 2 the file has no
certificate or cannot be used, 3 stopped by a signal.

Examples:
  loatune certify champion.toml
  loatune certify champion.toml --threads 4 --json
  loatune certify champion

JSON: name, champion (elder, last or scholar), file, ancestry, seed, params,
command (null where there is none), games, matches, engine {claimed, present, same, known}, holds (true if every match
holds exactly), results [{opponent, player (the
search of one of the panel, else null), holds, claimed and now {games, wins, draws,
losses, pentanomial, elo, elo_error (null where infinite), los}, differences}],
interrupted.")]
pub(crate) struct Certify {
    #[arg(
        value_name = "FILE",
        help = "A weight file with a certificate, or a published champion's name"
    )]
    file: String,
    /// Games at the same time [default: one a core]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1024))]
    threads: Option<u32>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Report<'a> {
    name: &'a str,
    champion: &'static str,
    file: u64,
    ancestry: &'a [String],
    seed: u64,
    params: &'a str,
    /// The command that begins such a run, where the certificate has it.
    command: Option<&'a str>,
    games: u64,
    matches: u64,
    engine: Engine,
    holds: bool,
    results: Vec<Row<'a>>,
    interrupted: bool,
}

#[derive(Clone, Copy, Serialize)]
struct Engine {
    claimed: u64,
    present: u64,
    same: bool,
    /// Whether this program plays as the certificate's engine did.
    known: bool,
}

#[derive(Serialize)]
struct Row<'a> {
    opponent: &'a str,
    /// The search of an opponent of another kind.
    player: Option<&'a str>,
    holds: &'static str,
    claimed: Numbers,
    now: Numbers,
    differences: &'a [String],
}

#[derive(Serialize)]
struct Numbers {
    games: u64,
    #[serde(flatten)]
    record: Record,
    pentanomial: [u64; 5],
    elo: Option<f64>,
    elo_error: Option<f64>,
    los: f64,
}

impl From<&ProofMatch> for Numbers {
    fn from(result: &ProofMatch) -> Numbers {
        Numbers {
            games: result.games,
            record: result.record,
            pentanomial: result.pairs.0,
            elo: result.elo,
            elo_error: result.elo_error,
            los: result.los,
        }
    }
}

impl Certify {
    pub(crate) fn run(&self, out: &mut dyn Write) -> anyhow::Result<()> {
        let file = read_weights(&self.file)?;
        let Some(certificate) = &file.certificate else {
            let message = format!("{} has no certificate", self.file);
            return Err(BadUsage::new(message).into());
        };
        if certificate.results.is_empty() {
            let message = format!("the certificate of {} has no matches", self.file);
            return Err(BadUsage::new(message).into());
        }
        let player = &certificate.conditions.player;
        check_players(
            &format!("table_kib = {} of {}", player.table_kib, self.file),
            player,
            self.thread_count(),
            "--threads",
        )?;
        let stop = interrupt::stop_flag()?;
        let player = certificate.conditions.player.search.algorithm;
        let present = EngineVersion::present_signature(player);
        let engine = Engine {
            claimed: certificate.engine,
            present,
            same: certificate.engine == present,
            known: EngineVersion::from_signature(player, certificate.engine).is_some(),
        };
        let judged = self.play(&file, certificate, engine.known, &stop)?;
        let all = certificate.results.len();
        let interrupted = judged.len() < all;
        let exact = judged.iter().filter(|one| one.holds == Holds::Exactly);
        let exact = exact.count();
        if self.json {
            let rows = certificate.results.iter().zip(&judged);
            let report = Report {
                name: &file.name,
                champion: certificate.champion.name(),
                file: certificate.file,
                ancestry: &certificate.ancestry,
                seed: certificate.seed,
                params: &certificate.params,
                command: certificate.command.as_deref(),
                games: certificate.games,
                matches: certificate.matches,
                engine,
                holds: exact == all,
                results: rows.map(|(claimed, judged)| row(claimed, judged)).collect(),
                interrupted,
            };
            write_json(out, &report)?;
        } else {
            write_text(out, &text(&file, certificate, engine, &judged))?;
        }
        if interrupted {
            let played = judged.len();
            let message = format!("stopped by a signal; {played} of {all} matches were played");
            return Err(Stopped(message).into());
        }
        if exact < all {
            anyhow::bail!("{}", verdict(&judged));
        }
        Ok(())
    }

    fn thread_count(&self) -> usize {
        match self.threads {
            Some(threads) => threads as usize,
            None => available_parallelism().map_or(1, usize::from),
        }
    }

    /// Plays all matches, or until a signal.
    fn play(
        &self,
        file: &WeightFile,
        certificate: &Certificate,
        same_engine: bool,
        stop: &AtomicBool,
    ) -> anyhow::Result<Vec<Judgement>> {
        let threads = self.thread_count();
        let mut progress = Progress::new();
        let results = &certificate.results;
        let all: u64 = results.iter().map(|result| result.games).sum();
        let played = proof::replay_certificate(
            &file.weights,
            certificate,
            threads,
            &mut |number, games, tally| {
                let before: u64 = results[..number].iter().map(|result| result.games).sum();
                progress.show_games(before + games, Some(all), &|line| {
                    let Record {
                        wins,
                        draws,
                        losses,
                    } = tally.record();
                    let opponent = &results[number].opponent;
                    line.push(3, format!("  against {opponent}:"));
                    line.push(2, format!(" W {wins}, D {draws}, L {losses}"));
                });
                if stop.load(Ordering::Relaxed) {
                    ControlFlow::Break(())
                } else {
                    ControlFlow::Continue(())
                }
            },
        );
        progress.finish();
        let played = played.map_err(|error| match error {
            ReplayError::Games(error) => usage_error(error),
            ReplayError::Player(_) => BadUsage::new(format!("{}: {error}", self.file)).into(),
        })?;
        let judged = results.iter().zip(&played);
        Ok(judged
            .map(|(claimed, tally)| {
                let same_engine = same_engine && proof::knows_opponent(claimed);
                proof::judge(claimed, tally, same_engine)
            })
            .collect())
    }
}

fn row<'a>(claimed: &'a ProofMatch, judged: &'a Judgement) -> Row<'a> {
    Row {
        opponent: &claimed.opponent,
        player: claimed.player.as_ref().map(|player| player.search.as_str()),
        holds: judged.holds.name(),
        claimed: claimed.into(),
        now: (&judged.now).into(),
        differences: &judged.differences,
    }
}

/// Why the certificate does not hold exactly.
fn verdict(judged: &[Judgement]) -> String {
    let number = |holds| judged.iter().filter(|one| one.holds == holds).count();
    let all = judged.len();
    match (number(Holds::No), number(Holds::Nearly)) {
        (0, near) => format!(
            "this engine's results differ from the certificate's in {near} of {all}, but agree \
             within their errors"
        ),
        (wrong, _) => format!("the certificate does not hold: {wrong} of {all} results differ"),
    }
}

fn text(
    file: &WeightFile,
    certificate: &Certificate,
    engine: Engine,
    judged: &[Judgement],
) -> String {
    let mut text = format!(
        "{}: {}; file #{} of a run of {} games, seed {}\nengine: {}, {}\n",
        file.name,
        certificate.champion.meaning(),
        certificate.file,
        thousands(certificate.games),
        certificate.seed,
        engine.claimed,
        if engine.same {
            String::from("the same as this one's")
        } else if engine.known {
            format!(
                "an earlier version of this one's, which is {}; it plays again",
                engine.present
            )
        } else {
            format!("but this one's is {}: games may differ", engine.present)
        },
    );
    if let Some(command) = &certificate.command {
        text += &format!("command: {command}\n");
    }
    if !certificate.ancestry.is_empty() {
        text += &format!("ancestry: {}\n", ancestry(&certificate.ancestry));
    }
    let mut table = TextTable::new([
        Column::left("opponent"),
        Column::right("games").at_least(6),
        Column::left("W-D-L certified").at_least(19),
        Column::left("W-D-L now").at_least(19),
        Column::left("Elo now").at_least(19),
        Column::right("LOS").at_least(7),
        Column::left("holds"),
    ]);
    for (claimed, judged) in certificate.results.iter().zip(judged) {
        let games = |record: &Record| format!("{}-{}-{}", record.wins, record.draws, record.losses);
        let now = &judged.now;
        table.row([
            claimed.opponent.clone(),
            now.games.to_string(),
            games(&claimed.record),
            games(&now.record),
            now.elo_text(),
            format!("{:.1} %", 100.0 * now.los),
            judged.holds.name().to_owned(),
        ]);
        for difference in &judged.differences {
            table.note(difference);
        }
    }
    text += &table.text();
    text
}

/// The nearest ancestors, and how many more there are.
fn ancestry(lines: &[String]) -> String {
    const SHOWN: usize = 8;
    let shown = lines.get(..SHOWN).unwrap_or(lines).join(", ");
    match lines.len().saturating_sub(SHOWN) {
        0 => shown,
        more => format!("{shown} and {more} more"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_ancestries_are_cut() {
        let lines: Vec<String> = (0..11).map(|n| format!("#{n}")).collect();
        assert_eq!(ancestry(&lines[..2]), "#0, #1");
        assert_eq!(ancestry(&lines[..8]), "#0, #1, #2, #3, #4, #5, #6, #7");
        assert!(ancestry(&lines).ends_with(", #7 and 3 more"));
    }
}
