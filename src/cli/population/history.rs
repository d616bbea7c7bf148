//! `loatune history`: how a run went, as tables and pictures.

use std::io::Write;
use std::path::PathBuf;

use clap::{ArgGroup, Args, ValueEnum};

use super::open_population::{OpenPopulation, answer};
use crate::charts::{Chart, History as Data, Theme, chart_png, chart_svg};
use crate::cli::args::PopulationArg;
use crate::cli::output::{Column, TextTable, save_file, thousands, write_json, write_text};

/// The most samples that the table shows.
const MAX_ROWS: usize = 20;

/// Show how a run went: population, points, genes and strength over time
///
/// Works while a run goes on. Prints a short table; --json and --csv print all
/// samples, --svg and --png draw them.
#[derive(Debug, Args)]
#[command(group = ArgGroup::new("picture").args(["svg", "png"]).multiple(true))]
#[command(after_help = "\
Charts: population (against the capacity), turnover (births and deaths), points
(best and mean), genes (mean and spread of each), strength (the hall's files
against the reference weights), all.

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
its own. What is not known is left empty.

JSON: name, budget, samples [{matches, games, population, capacity, births,
deaths, best_points, mean_points, genes {NAME: {mean, spread, consensus}}}],
strengths [{file, matches, games, elo, error, played}].")]
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
            write_json(out, &history.table())
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

/// Some samples, evenly spread, the last one among them, and the hall of fame.
fn text(history: &Data) -> String {
    let mut samples = TextTable::new([
        Column::right("games").at_least(11),
        Column::right("files"),
        Column::right("capacity"),
        Column::right("births"),
        Column::right("deaths"),
        Column::right("best points"),
        Column::right("mean points"),
    ]);
    let count = history.samples.len();
    let step = count.div_ceil(MAX_ROWS).max(1);
    let chosen = (0..count).filter(|n| (count - 1 - n).is_multiple_of(step));
    for sample in chosen.map(|n| &history.samples[n]) {
        samples.row([
            thousands(sample.games),
            sample.population.to_string(),
            sample.capacity.to_string(),
            sample.births.to_string(),
            sample.deaths.to_string(),
            format!("{:.2}", sample.best_points),
            format!("{:.2}", sample.mean_points),
        ]);
    }
    if history.strengths.is_empty() {
        return samples.text();
    }
    let mut hall = TextTable::new([
        Column::left("hall").at_least(6),
        Column::right("games").at_least(7),
        Column::left("Elo above the reference weights"),
    ]);
    for file in &history.strengths {
        let elo = match (file.elo, file.error) {
            (Some(elo), Some(error)) => format!("{elo:+.1} +/- {error:.1}"),
            (Some(elo), None) => format!("{elo:+.1}"),
            _ if file.played > 0 => String::from("infinite"),
            _ => String::from("not measured yet"),
        };
        hall.row([file.file.to_string(), thousands(file.games), elo]);
    }
    samples.text() + "\n" + &hall.text()
}
