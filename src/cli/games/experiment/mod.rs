//! `loatune experiment`: one player against variants of itself, point by point.
//!
//! | file | purpose |
//! |---|---|
//! | `file` | the experiment's file: keys and what they allow |
//! | `report` | the results as table, CSV, JSON and picture |

mod file;
mod report;

use std::fs;
use std::io::Write;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use anyhow::Context;
use clap::Args;

use super::game_runner::{GameRunner, ResultSink};
use super::match_report::describe;
use super::resume_file::EXPERIMENT;
use crate::arena::match_runner::PlayedPair;
use crate::arena::schedule::Schedule;
use crate::arena::{PlayerSpec, Summary};
use crate::charts::{Size, Theme, points_svg};
use crate::cli::args::{ArenaFlags, RuleFlags};
use crate::cli::output::{BadUsage, ProgressLine, save_file, write_json, write_text};
use crate::search::Table;
use file::{ExperimentFile, PLACE, Vary};
use report::ExperimentReport;

/// Measure what a parameter of a player is worth, value by value
///
/// FILE names a standard player, a variant of it with a place for a value, and a
/// list of values. Each variant plays the standard player from the same openings,
/// half of its games with each colour. The games are kept beside FILE as they are
/// played: the same command goes on after a kill and loses none.
#[derive(Debug, Args)]
#[command(after_help = "\
FILE is TOML:
  [experiment]
  title = \"Exploration\"                     # may be left out
  standard = \"champion@mcts:s2000\"          # whom all variants meet
  variants = [\"champion@mcts:s2000,c={}\"]   # up to 4; {} is a value's place
  names = [\"plain\"]                         # their names, where there are several
  parameter = \"C\"                           # what the values are values of
  values = [-0.1, 0, 0.1, 0.3, 0.5, 0.7]
  labels = [...]                            # short forms of long values
  vary = \"player\"                           # or \"table_kib\": the values are sizes
                                            # of the variant's table
  games = 200                               # a point, an even number
  seed = 1                                  # of the openings
  opening_plies = 4
  opening_bound = 30
  table_kib = 16384                         # of each player's table

Players are named as in `loatune match`. NAME.toml leads to NAME.games (every
game, to go on from), NAME.csv, NAME.json and NAME.svg, in its directory or in
that of --out. Scores are percentages of the points with their 95 % errors, from
pairs of games.

Ctrl-C prints what has been played and writes it; a second one ends at once.
Exit codes: 0 done, 1 games were lost by faults or something failed, 2 bad usage,
3 stopped by a signal.

Examples:
  loatune experiment experiments/exploration.toml
  loatune experiment mine.toml --threads 4 --out results

JSON: title, parameter, standard, seed, games (a point), points [{series, value,
label, player, games, wins, draws, losses, score (percent), error, elo, elo_error, los,
nodes_per_move, seconds_per_move}], faults, given_up, interrupted, resumed,
seconds, settings as of `loatune match`.")]
pub(crate) struct Experiment {
    /// The experiment
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// Write games and results into DIR [default: where FILE is]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Games at the same time [default: one a core]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1024))]
    threads: Option<u32>,
    /// Print JSON
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    rules: RuleFlags,
}

/// The endings of what an experiment writes.
const ENDINGS: [&str; 4] = ["games", "csv", "json", "svg"];

/// The results of each variant, as the standard player sees them.
struct ExperimentTally(Vec<Summary>);

impl ResultSink for ExperimentTally {
    fn add(&mut self, played: &PlayedPair) -> ControlFlow<()> {
        let summary = &mut self.0[played.pair.players[1] - 1];
        summary.add_played(played);
        ControlFlow::Continue(())
    }

    fn describe(&self, line: &mut ProgressLine) {
        let mut total = Summary::default();
        for summary in &self.0 {
            total += summary;
        }
        describe(&total, None, line);
    }
}

impl Experiment {
    pub(crate) fn run(&self, out: &mut dyn Write) -> anyhow::Result<()> {
        let file = ExperimentFile::read(&self.file).map_err(BadUsage::new)?;
        self.prepare_outputs()?;
        let rules = self.rules.rules()?;
        let flags = self.flags(&file)?;
        let mut players = vec![flags.player(&file.standard)?];
        for variant in &file.variants {
            for value in &file.values {
                players.push(variant_player(&flags, &file, variant, value)?);
            }
        }
        let openings = flags.openings(&rules)?;
        let runner = GameRunner {
            flags: &flags,
            players: &players,
            schedule: &Schedule::gauntlet(players.len(), file.games / 2),
            openings: &openings,
            rules,
            sprt: None,
            kept: &EXPERIMENT,
        };
        let mut tally = ExperimentTally(vec![Summary::default(); players.len() - 1]);
        let played = runner.play(&mut tally)?;
        let report = ExperimentReport::new(&file, &players[1..], &tally.0, &played);
        self.write_files(&file, &report)?;
        if self.json {
            write_json(out, &report)?;
        } else {
            write_text(out, &report.text())?;
        }
        played.result(report.games(), report.faults())
    }

    /// The flags of commands with games that the file stands for.
    fn flags(&self, file: &ExperimentFile) -> anyhow::Result<ArenaFlags> {
        let games = self.output("games");
        let games = games
            .to_str()
            .ok_or_else(|| BadUsage::new(format!("{} is no valid text", games.display())))?;
        let mut arguments = vec![
            format!("--seed={}", file.seed),
            format!("--opening-plies={}", file.opening_plies),
            format!("--opening-bound={}", file.opening_bound),
            format!("--hash={}", file.table_kib),
            format!("--resume={games}"),
        ];
        if let Some(threads) = self.threads {
            arguments.push(format!("--threads={threads}"));
        }
        Ok(ArenaFlags::from_arguments(&arguments).map_err(BadUsage::new)?)
    }

    /// Makes the directory of --out, and refuses to write over the experiment.
    fn prepare_outputs(&self) -> anyhow::Result<()> {
        if let Some(dir) = &self.out {
            fs::create_dir_all(dir).with_context(|| format!("cannot make {}", dir.display()))?;
        }
        let itself = fs::canonicalize(&self.file).ok();
        let outputs = ENDINGS.map(|ending| self.output(ending));
        let is_itself = |path: &&PathBuf| itself.is_some() && fs::canonicalize(path).ok() == itself;
        if let Some(path) = outputs.iter().find(is_itself) {
            let path = path.display();
            let message = format!(
                "{path} is the experiment itself, and its results would be written over it; \
                 call it NAME.toml, or give another directory with --out"
            );
            return Err(BadUsage::new(message).into());
        }
        Ok(())
    }

    /// The file of results with this ending.
    fn output(&self, extension: &str) -> PathBuf {
        let stem = self.file.file_stem().unwrap_or("experiment".as_ref());
        let mut name = stem.to_owned();
        name.push(".");
        name.push(extension);
        let beside = self.file.parent().unwrap_or(Path::new(""));
        let dir = self.out.as_deref().unwrap_or(beside);
        dir.join(name)
    }

    fn write_files(&self, file: &ExperimentFile, report: &ExperimentReport) -> anyhow::Result<()> {
        let json = serde_json::to_string_pretty(report)? + "\n";
        let picture = points_svg(&report.chart(file), Theme::Light, Size::new(720, 400))?;
        // What these files hold follows from the games, which are kept.
        save_file(&self.output("csv"), report.csv().as_bytes(), true)?;
        save_file(&self.output("json"), json.as_bytes(), true)?;
        save_file(&self.output("svg"), picture.as_bytes(), true)
    }
}

/// A variant at one value.
fn variant_player(
    flags: &ArenaFlags,
    file: &ExperimentFile,
    variant: &str,
    value: &str,
) -> anyhow::Result<PlayerSpec> {
    let mut player = flags.player(&variant.replace(PLACE, value))?;
    if file.vary == Vary::TableKib {
        let kib = value.parse().ok().filter(|kib| Table::KIB.contains(kib));
        let (least, most) = Table::KIB.into_inner();
        player.table_kib = kib.ok_or_else(|| {
            BadUsage::new(format!(
                "experiment.values: {value} is no size of a table; it takes KiB from {least} to {most}"
            ))
        })?;
        player.text = format!("{variant}, {value} KiB");
    }
    Ok(player)
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::arena::MoveLimits;

    /// The experiments of the repository name players that there are.
    #[test]
    fn the_experiments_of_the_repository_can_be_played() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR"));
        let mut files = 0;
        for entry in fs::read_dir(root.join("experiments")).unwrap() {
            let path = entry.unwrap().path();
            if path.extension() != Some("toml".as_ref()) {
                continue;
            }
            files += 1;
            let file = ExperimentFile::read(&path).unwrap();
            let mut players = vec![file.standard.clone()];
            for variant in &file.variants {
                players.extend(
                    file.values
                        .iter()
                        .map(|value| variant.replace(PLACE, value)),
                );
            }
            for player in players {
                let spec = PlayerSpec::parse(&player, MoveLimits::default(), root);
                let spec = spec.unwrap_or_else(|error| panic!("{}: {error}", path.display()));
                assert!(spec.is_repeatable(), "{}: {player}", path.display());
            }
        }
        assert!(files > 10, "{files}");
    }
}
