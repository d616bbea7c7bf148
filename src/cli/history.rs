//! `loatune history`: how a run went, as tables and pictures.

use std::io::Write;
use std::path::PathBuf;

use anyhow::Context;
use clap::{Args, ValueEnum};

use super::output::{put, put_json, thousands};
use super::population::{PopulationArg, answer};
use crate::charts::{Chart, History as Data, Theme, chart_png, chart_svg};
use crate::util::atomic_file;

/// Rows of the table on the terminal.
const ROWS: usize = 20;

/// Show how a run went: population, points, genes and strength over time
///
/// Works while a run goes on. Prints a short table; --json and --csv print all
/// samples, --svg and --png draw them.
#[derive(Debug, Args)]
#[command(after_help = "\
Charts: population (against the capacity), turnover (births and deaths), points
(best and mean), genes (mean and spread of each), strength (the hall's files
against the default weights), all.

Examples:
  loatune history
  loatune history --population mine --svg run.svg
  loatune history --png genes.png --chart genes --theme dark
  loatune history --csv > run.csv

JSON: name, budget, samples [{matches, games, population, capacity, births,
deaths, best_points, mean_points, genes {NAME: {mean, spread, consensus}}}],
strengths [{file, matches, games, elo, error, played}].")]
pub(super) struct History {
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
    #[arg(long, value_name = "CHART", default_value = "all",
        value_parser = clap::builder::PossibleValuesParser::new(Chart::ALL.map(Chart::name)))]
    chart: String,
    /// The colours of the picture
    #[arg(long, value_name = "THEME", default_value = "light")]
    theme: Colours,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Colours {
    Light,
    Dark,
}

impl History {
    pub(super) fn run(&self, out: &mut dyn Write) -> anyhow::Result<()> {
        let (_, look) = self.population.look()?;
        let history = answer(look.source.history())?;
        let named = |chart: &Chart| chart.name() == self.chart;
        let kind = Chart::ALL.into_iter().find(named).unwrap_or(Chart::All);
        let theme = match self.theme {
            Colours::Light => Theme::Light,
            Colours::Dark => Theme::Dark,
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
            put_json(out, &history.table())
        } else if self.csv {
            put(out, &history.to_csv())
        } else if self.svg.is_some() || self.png.is_some() {
            Ok(())
        } else {
            put(out, &table(&history))
        }
    }
}

fn save(path: &std::path::Path, content: &[u8]) -> anyhow::Result<()> {
    let name = path.display();
    atomic_file::save(path, content, true).with_context(|| format!("cannot write {name}"))?;
    log::info!("{name} written");
    Ok(())
}

/// Some samples, evenly spread, the last one among them.
fn table(history: &Data) -> String {
    let mut text =
        String::from("      games  files  capacity  births  deaths  best points  mean points\n");
    let count = history.samples.len();
    let step = count.div_ceil(ROWS).max(1);
    let chosen = (0..count).filter(|n| (count - 1 - n).is_multiple_of(step));
    for sample in chosen.map(|n| &history.samples[n]) {
        text += &format!(
            "{:>11}  {:>5}  {:>8}  {:>6}  {:>6}  {:>11.2}  {:>11.2}\n",
            thousands(sample.games),
            sample.population,
            sample.capacity,
            sample.births,
            sample.deaths,
            sample.best_points,
            sample.mean_points
        );
    }
    if !history.strengths.is_empty() {
        text += "\nhall      games  Elo above the default weights\n";
    }
    for file in &history.strengths {
        let elo = match (file.elo, file.error) {
            (Some(elo), Some(error)) => format!("{elo:+.1} +/- {error:.1}"),
            (Some(elo), None) => format!("{elo:+.1}"),
            _ if file.played > 0 => String::from("infinite"),
            _ => String::from("not measured yet"),
        };
        let name = file.file.to_string();
        text += &format!("{name:<7} {:>7}  {elo}\n", thousands(file.games));
    }
    text
}
