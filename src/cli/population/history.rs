//! `loatune history`: how a run went, as tables and pictures.

use std::io::Write;
use std::path::PathBuf;

use clap::{ArgGroup, Args, ValueEnum};

use super::history_text::text;
use super::open_population::{OpenPopulation, answer};
use crate::api::HistoryView;
use crate::charts::{Chart, Theme, chart_png, chart_svg};
use crate::cli::args::PopulationArg;
use crate::cli::output::{save_file, write_json, write_text};

/// Show how a run went: population, points, genes and strength over time
///
/// Works while a run goes on. Prints short tables: samples, the hall of fame, the
/// scholars, other events. --json and --csv print all samples, --svg and --png draw
/// them.
#[derive(Debug, Args)]
#[command(group = ArgGroup::new("picture").args(["svg", "png"]).multiple(true))]
#[command(after_help = "\
Charts: population (against the capacity), turnover (births and deaths), points
(best and mean), genes (mean and spread of each), strength (the hall's files
against the reference weights; upright lines where a scholar was learned or a
finished population was taken further), all.

Examples:
  loatune history
  loatune history --population mine --svg run.svg
  loatune history --png genes.png --chart genes --theme dark
  loatune history --csv > run.csv

CSV: a row a sample, from 0 games on: matches, games, population, capacity, births,
deaths, best_points, mean_points, then NAME_mean, NAME_spread and NAME_consensus of
every gene, then hall_file, elo, elo_error and elo_games: the strength of the file
that entered the hall of fame at that time, above the reference weights, its 95 %
error, and the games that measure it. A strength between two samples has a row of
its own. So has every event, with the last columns: event (scholar, challenge-won,
challenge-lost, immigrant, changed, semifinal, final, champion, extended),
event_file, learned_games and log_likelihood of a scholar, score and score_error (a
standard error) of a challenge, a semifinal or a final. What is not known is left
empty.

JSON: name, budget, phases, samples [{matches, games, population, capacity, births,
deaths, best_points, mean_points, genes {NAME: {mean, spread, consensus}}}],
strengths [{file, matches, games, elo, error, played}], scholars [{file, matches,
games, positions, log_likelihood, score, error, won}], events [{number, matches,
kind, ...}] (the newest 500). The kinds of events and their further fields: scholar
(file, games, positions, log_likelihood), challenge (scholar, consensus, played,
score, error, won), born (of an import: file, origin, parents, twin), changed
(keys), semifinal (scholar, elder, score, error), final (last, elder), champion
(file, score, error), extended (champion, budget, keys).")]
pub(crate) struct History {
    #[command(flatten)]
    population: PopulationArg,
    /// Print JSON
    #[arg(long, conflicts_with = "csv")]
    json: bool,
    /// Print CSV, a row a sample
    #[arg(long)]
    csv: bool,
    /// Draw a picture into FILE as SVG
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
    /// Draw a picture into FILE as PNG
    #[arg(long, value_name = "FILE")]
    png: Option<PathBuf>,
    /// What the picture shows
    #[arg(long, value_name = "CHART", default_value = "all", requires = "picture",
        value_parser = clap::builder::PossibleValuesParser::new(Chart::ALL.map(Chart::name)))]
    chart: String,
    /// The colours of the picture
    #[arg(
        long,
        value_name = "THEME",
        default_value = "light",
        requires = "picture"
    )]
    theme: ThemeArg,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum ThemeArg {
    Light,
    Dark,
}

impl History {
    pub(crate) fn run(&self, out: &mut dyn Write) -> anyhow::Result<()> {
        let dir = self.population.resolve_existing()?;
        let history = OpenPopulation::ask(&dir, |open| answer(open.source.history()))?;
        let named = |chart: &Chart| chart.name() == self.chart;
        let kind = Chart::ALL.into_iter().find(named).unwrap_or(Chart::All);
        let theme = match self.theme {
            ThemeArg::Light => Theme::Light,
            ThemeArg::Dark => Theme::Dark,
        };
        if let Some(path) = &self.svg {
            let text = chart_svg(kind, &history, theme, kind.default_size())?;
            save(path, text.as_bytes())?;
        }
        if let Some(path) = &self.png {
            save(
                path,
                &chart_png(kind, &history, theme, kind.default_size())?,
            )?;
        }
        if self.json {
            write_json(out, &HistoryView::from(&history))
        } else if self.csv {
            write_text(out, &history.to_csv())
        } else if self.svg.is_some() || self.png.is_some() {
            Ok(())
        } else {
            write_text(out, &text(&history))
        }
    }
}

fn save(path: &std::path::Path, content: &[u8]) -> anyhow::Result<()> {
    save_file(path, content, true)?;
    log::info!("{} written", path.display());
    Ok(())
}
