//! `loatune fit`: weights from games.

use std::io::Write;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::available_parallelism;

use anyhow::Context;
use clap::{ArgGroup, Args};

use super::fit_report::FitReport;
use super::game_source::{
    GameSource, fresh_games, population_games, sgf_games, stopped, with_threads,
};
use crate::cli::args::{
    DEFAULT_WEIGHTS, LearnGroups, ParamFlags, WEIGHTS_HELP, even_games, read_weights,
};
use crate::cli::interrupt;
use crate::cli::output::{BadUsage, Progress, ProgressLine, create_file, write_json, write_text};
use crate::learn::{self, FOLDS, FitSettings, HeldOut, Sampling, SelfPlayed};
use crate::params::Params;
use crate::util::atomic_file::OutputFile;
use crate::weights::WeightFile;

/// Learn weights from the positions and outcomes of games
///
/// A logistic regression over all positions between opening and end finds the
/// weights under which the outcomes are likeliest; the shapes (powers, hole
/// penalty) are tried out. The games are those of SGF files, of a population, or
/// played now.
#[derive(Debug, Args)]
#[command(group = ArgGroup::new("source").required(true), after_help = "\
--play plays a part of the games (at most 500) between players with random
weights, then games between perturbations of what was learned, which is learned
anew whenever their number has doubled.

Of a game's positions those of the opening and the last ones (--skip-last) are left
out, with --school-quiet also those in which a capture was played. An SGF
game without a result, with an illegal move or with a result that a fault made is
named and left out; --strict refuses it. How many plies of an SGF game are opening
says its comment, where this program wrote it, else --opening-plies.

The report says how likely the outcomes of held-out games are, in nats a position
(the games are dealt into 5 parts; each is judged by what was learned from the
others), beside the weights of --before, and how often positions of each predicted
chance were really won. Errors are 95 % and come from the differences between
games. Where a bound of a gene kept a weight from its likeliest value, it is named;
the bounds, the families and the phases are those of [genome]. Ctrl-C ends it within
a step of the regression, and nothing is written.

The same games, seed and bounds give the same weights on every machine, with any
number of threads. A file that exists is left alone, unless --force is given.

Exit codes: 0 done, 1 failure, 2 bad usage, 3 stopped by a signal.

Examples:
  loatune fit --play 4000 --depth 2 -o learned.toml
  loatune fit --population mine --last 8000 -o mine.toml --before champion
  loatune fit --games a.sgf b.sgf --strict -o club.toml --json

JSON: source, games, positions, left_out [{game, why}], before, file, weights (the
weight file), units_per_nat, turn, at_bound [gene], log_likelihood, held_out
{folds, fit, before, gain [each with mean and error], nothing, calibration [{from,
positions, predicted, real, error}]} or null with too few games, rounds [{games,
positions, log_likelihood, weights {gene: value}, endgame {gene: value} (null with
one phase)}].")]
pub(crate) struct Fit {
    /// Learn from the games of SGF files
    #[arg(long, value_name = "FILE", num_args = 1.., group = "source")]
    games: Vec<PathBuf>,
    /// Learn from the games of a population: a name in populations/, or a
    /// directory (with a slash)
    #[arg(long, short, value_name = "NAME|DIR", group = "source")]
    population: Option<String>,
    /// Play N games and learn from them
    #[arg(long, value_name = "N", group = "source", value_parser = even_games)]
    play: Option<u64>,
    /// Learn from the last N games of the population alone
    #[arg(long, value_name = "N", default_value_t = 20_000, conflicts_with_all = ["games", "play"],
        value_parser = clap::value_parser!(u64).range(1..))]
    last: u64,
    /// Write the weights to FILE
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,
    /// Overwrite a file that exists
    #[arg(long)]
    force: bool,
    /// The name in the weight file [default: that of FILE]
    #[arg(long, value_name = "NAME")]
    name: Option<String>,
    /// The weights to compare with
    #[arg(long, value_name = "WEIGHTS", default_value = DEFAULT_WEIGHTS, long_help = WEIGHTS_HELP)]
    before: String,
    /// Refuse games that cannot be used, instead of leaving them out
    #[arg(long, conflicts_with = "play")]
    strict: bool,
    /// The seed of players and openings of --play
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,
    /// Threads that play and calculate [default: one a core]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1024))]
    threads: Option<u32>,
    /// Print JSON
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    params: ParamFlags<LearnGroups>,
}

impl Fit {
    pub(crate) fn run(&self, out: &mut dyn Write) -> anyhow::Result<()> {
        let params = self.params.effective(None)?.params;
        let before = read_weights(&self.before)?;
        let name = self.name()?;
        let file = create_file(&self.output, self.force)?;
        let stop = interrupt::stop_flag()?;
        let settings = FitSettings {
            bounds: params.genome.bounds,
            phases: params.genome.phases,
            start: before.weights,
            ..FitSettings::default()
        };
        let threads = self.threads.map_or_else(
            || available_parallelism().map_or(1, usize::from),
            |threads| threads as usize,
        );
        let learned = with_threads(threads, || -> anyhow::Result<_> {
            let (source, played) = self.source(&params, &settings, threads, &stop)?;
            let found = match &played {
                Some(played) => played.rounds.last().cloned(),
                None => learn::fit_unless_stopped(&source.games, &settings, &stop),
            };
            if stop.load(Ordering::Relaxed) {
                return Err(stopped());
            }
            let found = found.ok_or_else(|| nothing_to_learn(&source))?;
            let held_out = judge(&source, &settings, &before, &stop);
            if stop.load(Ordering::Relaxed) {
                return Err(stopped());
            }
            Ok((source, played, found, held_out))
        })?;
        let (source, played, found, held_out) = learned?;
        let weights = WeightFile {
            name,
            origin: shortened(format!("learned from {}", source.origin)),
            weights: found.weights,
            certificate: None,
        };
        self.write(file, &weights)?;
        let report = FitReport {
            source: &source,
            rounds: played.as_ref().map_or(&[], |played| &played.rounds),
            fit: &found,
            held_out: held_out.as_ref(),
            before: &before,
            weights: &weights,
            output: &self.output,
        };
        if self.json {
            write_json(out, &report.json())
        } else {
            write_text(out, &report.text())
        }
    }

    /// The games to learn from; what was learned on the way where they are
    /// played now.
    fn source(
        &self,
        params: &Params,
        settings: &FitSettings,
        threads: usize,
        stop: &Arc<AtomicBool>,
    ) -> anyhow::Result<(GameSource, Option<SelfPlayed>)> {
        if let Some(games) = self.play {
            let (source, played) = fresh_games(games, self.seed, threads, params, settings, stop)?;
            return Ok((source, Some(played)));
        }
        if let Some(population) = &self.population {
            let sampling = Sampling::from(&params.school);
            let source = population_games(population, self.last, self.strict, &sampling)?;
            return Ok((source, None));
        }
        let plies = params.openings.plies;
        let sampling = Sampling::from(&params.school);
        let source = sgf_games(&self.games, &params.rules, plies, self.strict, &sampling)?;
        Ok((source, None))
    }

    fn name(&self) -> anyhow::Result<String> {
        let of_file = || self.output.file_stem()?.to_str().map(str::to_owned);
        let name = self.name.clone().or_else(of_file).unwrap_or_default();
        let fits = name.chars().count() <= 200 && !name.chars().any(char::is_control);
        if name.trim().is_empty() || !fits {
            let message =
                format!("--name {name:?}: must be a text of 1 to 200 characters on one line");
            return Err(BadUsage::new(message).into());
        }
        Ok(name)
    }

    /// Writes the weight file, as JSON where its name says so.
    fn write(&self, mut file: OutputFile, weights: &WeightFile) -> anyhow::Result<()> {
        let is_json = self.output.extension().is_some_and(|end| end == "json");
        let text = if is_json {
            serde_json::to_string_pretty(&weights.to_json())? + "\n"
        } else {
            weights.to_toml()
        };
        let written = file.write_all(text.as_bytes()).and_then(|()| file.finish());
        written.with_context(|| format!("cannot write {}", self.output.display()))
    }
}

/// Judges what games teach by games that are held out.
fn judge(
    source: &GameSource,
    settings: &FitSettings,
    before: &WeightFile,
    stop: &AtomicBool,
) -> Option<HeldOut> {
    let mut progress = Progress::new();
    let told = &mut |done| {
        progress.show(&|_| {
            let mut line = ProgressLine::default();
            line.push(0, format!("judging: {done} of {FOLDS} parts"));
            line
        });
    };
    learn::held_out(&source.games, settings, &before.weights, stop, told)
}

fn nothing_to_learn(source: &GameSource) -> anyhow::Error {
    let message = format!(
        "{}: no position to learn from{}",
        source.origin,
        match source.left_out.len() {
            0 => String::new(),
            count => format!("; {count} games are left out"),
        }
    );
    BadUsage::new(message).into()
}

/// A text of at most 200 characters, which is what a weight file takes.
fn shortened(text: String) -> String {
    const LONGEST: usize = 200;
    match text.char_indices().nth(LONGEST - 3) {
        Some((end, _)) if text.chars().count() > LONGEST => format!("{}...", &text[..end]),
        _ => text,
    }
}
