//! `loatune features`: what features are worth, and what they cost.

use std::io::Write;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::available_parallelism;

use anyhow::Context;
use clap::{ArgGroup, Args};

use super::cost::CostMeter;
use super::features_report::FeaturesReport;
use super::game_source::{
    GameSource, fresh_games, population_games, sgf_games, stopped, with_threads,
};
use crate::charts::{Theme, WorthBar, worth_svg};
use crate::cli::args::{
    DEFAULT_WEIGHTS, LearnGroups, ParamFlags, WEIGHTS_HELP, even_games, read_weights,
};
use crate::cli::interrupt;
use crate::cli::output::{BadUsage, Progress, ProgressLine, create_file, write_json, write_text};
use crate::eval::Weights;
use crate::eval::candidates::CANDIDATES;
use crate::eval::features::FEATURES;
use crate::learn::{
    FOLDS, FitSettings, Forward, Position, Sampling, measure_features, select_forward,
};
use crate::params::Params;

/// Positions that the cost of a feature is measured on.
const COST_POSITIONS: usize = 64;

/// Measure what features of the evaluation, and candidates for it, are worth
///
/// Takes positions and outcomes of games: what the likelihood of held-out games
/// gains when a candidate joins the present features, and loses when one of them
/// leaves, is the worth of a feature; how much slower a search gets is its cost.
#[derive(Debug, Args)]
#[command(group = ArgGroup::new("source").required(true), after_help = "\
The columns: mean (over positions and sides), spread (the standard deviation of
Black's less White's), like (the feature that it goes with most, and the
correlation), gain or loss in thousandths of a nat a position with its 95 % error
from a bootstrap over pairs of games, and speed: nodes a second of a search that
computes it, by those of one that does not. A candidate is computed anew at every
leaf, so that is the most it can cost. Rows of one set join together. The last
table says what a second weight of every feature for the endgame gains, by several
measures of how far a game has gone.

--forward begins with the features of the source document and adds the gene or
candidate that gains most, again and again, until the best gain is not above its
error.

A candidate whose gain is not above its error is not worth a gene. Games between
strong, similar players show most: see `loatune fit`, whose --play they are
played like.

Exit codes: 0 done, 1 failure, 2 bad usage, 3 stopped by a signal.

Examples:
  loatune features --games 2000 --depth 2
  loatune features --population mine --last 8000 --svg features.svg
  loatune features --games 4000 --depth 3 --no-cost --forward
  loatune features --sgf club.sgf --weights champion --json

JSON: source, games, positions, left_out [{game, why}], present, nothing (nats a
position with the present features, and with none), features [{name, set, meaning,
present, mean, spread, correlations {name: r}, worth, error, speed (null with
--no-cost)}], phases [{name, meaning, worth, error}], forward (null without
--forward; else first [name], likelihood, steps [{set, gain, error, likelihood,
joined}]).")]
pub(crate) struct Features {
    /// Use the games of SGF files
    #[arg(long, value_name = "FILE", num_args = 1.., group = "source")]
    sgf: Vec<PathBuf>,
    /// Use the games of a population: a name in populations/, or a directory
    /// (with a slash)
    #[arg(long, short, value_name = "NAME|DIR", group = "source")]
    population: Option<String>,
    /// Play N games, as `loatune fit --play` does
    #[arg(long, value_name = "N", group = "source", value_parser = even_games)]
    games: Option<u64>,
    /// Use the last N games of the population alone
    #[arg(long, value_name = "N", default_value_t = 20_000, conflicts_with_all = ["games", "sgf"],
        value_parser = clap::value_parser!(u64).range(1..))]
    last: u64,
    /// Weights whose powers and hole penalty shape the present features
    #[arg(long, value_name = "WEIGHTS", default_value = DEFAULT_WEIGHTS, long_help = WEIGHTS_HELP)]
    weights: String,
    /// Refuse games that cannot be used, instead of leaving them out
    #[arg(long, conflicts_with = "games")]
    strict: bool,
    /// Add features to those of the source document one by one, the best first
    #[arg(long)]
    forward: bool,
    /// Leave out the cost, which no two machines measure alike
    #[arg(long)]
    no_cost: bool,
    /// The seed of players and openings of --games
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,
    /// Threads that play and calculate [default: one a core]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1024))]
    threads: Option<u32>,
    /// Draw the worths into FILE as SVG
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
    /// Overwrite an SVG file that exists
    #[arg(long, requires = "svg")]
    force: bool,
    /// Print JSON
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    params: ParamFlags<LearnGroups>,
}

impl Features {
    pub(crate) fn run(&self, out: &mut dyn Write) -> anyhow::Result<()> {
        let params = self.params.effective(None)?.params;
        let weights = read_weights(&self.weights)?.weights;
        let svg = match &self.svg {
            Some(path) => Some(create_file(path, self.force)?),
            None => None,
        };
        let stop = interrupt::stop_flag()?;
        let threads = self.threads.map_or_else(
            || available_parallelism().map_or(1, usize::from),
            |threads| threads as usize,
        );
        let measured = with_threads(threads, || -> anyhow::Result<_> {
            let source = self.source(&params, &weights, threads, &stop)?;
            let mut progress = Progress::new();
            let told = &mut |done, all| {
                progress.show(&|_| {
                    let mut line = ProgressLine::default();
                    line.push(0, format!("judging: {done} of {all} sets of features"));
                    line
                });
            };
            let worths = measure_features(&source.games, &weights, &CANDIDATES, &stop, told);
            if stop.load(Ordering::Relaxed) {
                return Err(stopped());
            }
            let worths = worths.ok_or_else(|| too_few(&source))?;
            let forward = if self.forward {
                Some(selection(&source, &weights, &stop)?)
            } else {
                None
            };
            Ok((source, worths, forward))
        })?;
        let (source, worths, forward) = measured?;
        // The searches that are timed have the machine to themselves.
        let speeds = (!self.no_cost).then(|| speeds(&source, &weights, &stop));
        if stop.load(Ordering::Relaxed) {
            return Err(stopped());
        }
        let report = FeaturesReport {
            source: &source,
            worths: &worths,
            forward: forward.as_ref(),
            speeds: speeds.as_deref(),
        };
        if let (Some(path), Some(mut file)) = (&self.svg, svg) {
            let bars: Vec<WorthBar> = report.bars();
            let text = worth_svg(&bars, &source.origin, Theme::Light);
            let written = file.write_all(text.as_bytes()).and_then(|()| file.finish());
            written.with_context(|| format!("cannot write {}", path.display()))?;
        }
        if self.json {
            write_json(out, &report.json())
        } else {
            write_text(out, &report.text())
        }
    }

    fn source(
        &self,
        params: &Params,
        weights: &Weights,
        threads: usize,
        stop: &Arc<AtomicBool>,
    ) -> anyhow::Result<GameSource> {
        if let Some(games) = self.games {
            let settings = FitSettings {
                bounds: params.genome.bounds,
                phases: params.genome.phases,
                start: *weights,
                ..FitSettings::default()
            };
            let fresh = fresh_games(games, self.seed, threads, params, &settings, stop)?;
            return Ok(fresh.0);
        }
        let sampling = Sampling::from(&params.school);
        if let Some(population) = &self.population {
            return population_games(population, self.last, self.strict, &sampling);
        }
        let plies = params.openings.plies;
        sgf_games(&self.sgf, &params.rules, plies, self.strict, &sampling)
    }
}

/// The way of a forward selection.
fn selection(source: &GameSource, weights: &Weights, stop: &AtomicBool) -> anyhow::Result<Forward> {
    let mut progress = Progress::new();
    let told = &mut |joined, tried, all| {
        progress.show(&|_| {
            let mut line = ProgressLine::default();
            line.push(0, format!("{joined} joined"));
            line.push(1, format!("trying the next: {tried} of {all}"));
            line
        });
    };
    let found = select_forward(&source.games, weights, &CANDIDATES, stop, told);
    if stop.load(Ordering::Relaxed) {
        return Err(stopped());
    }
    found.ok_or_else(|| too_few(source))
}

/// The speed with each feature, in the order of the laboratory; none for the
/// turn, nor for what is left once the flag is set.
fn speeds(source: &GameSource, weights: &Weights, stop: &AtomicBool) -> Vec<Option<f64>> {
    let positions: Vec<_> = source
        .games
        .iter()
        .flat_map(|game| &game.positions)
        .collect();
    let stride = positions.len().div_ceil(COST_POSITIONS).max(1);
    let boards = positions.into_iter().step_by(stride);
    let meter = CostMeter::new(boards.map(Position::board).collect(), weights);
    let mut progress = Progress::new();
    let all = FEATURES + 1 + CANDIDATES.len();
    (0..all)
        .map(|n| {
            progress.show(&|_| {
                let mut line = ProgressLine::default();
                line.push(0, format!("timing: {n} of {all} features"));
                line
            });
            match n {
                _ if stop.load(Ordering::Relaxed) => None,
                _ if n < FEATURES => Some(meter.of_gene(n)),
                FEATURES => None,
                _ => Some(meter.of_candidate(&CANDIDATES[n - FEATURES - 1])),
            }
        })
        .collect()
}

fn too_few(source: &GameSource) -> anyhow::Error {
    let message = format!(
        "{}: too few games to hold some out; it takes {} at least",
        source.origin,
        2 * FOLDS
    );
    BadUsage::new(message).into()
}
