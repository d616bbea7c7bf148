//! `loatune list`: all populations.

use std::io::Write;
use std::path::Path;

use clap::Args;
use serde::Serialize;

use super::open_population::{OpenPopulation, answer};
use crate::api::{PopulationStatus, PopulationView};
use crate::cli::args::{PopulationDir, all_populations};
use crate::cli::output::{Column, TextTable, thousands, write_json, write_text};

/// List the populations, their state and their champions
#[derive(Debug, Args)]
#[command(after_help = "\
Looks at populations/ in the current directory.

Examples:
  loatune list
  loatune list --json

JSON: a list of {population, directory, state, running, games, budget, files,
champion (the path of its weight file, or null), problem (null, or why it cannot
be read)}.")]
pub(crate) struct List {
    /// Print JSON
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Row {
    population: String,
    directory: String,
    state: Option<&'static str>,
    running: bool,
    games: Option<u64>,
    budget: Option<u64>,
    files: Option<u32>,
    champion: Option<String>,
    problem: Option<String>,
}

impl List {
    pub(crate) fn run(&self, out: &mut dyn Write) -> anyhow::Result<()> {
        let rows: Vec<Row> = all_populations().iter().map(row).collect();
        if self.json {
            return write_json(out, &rows);
        }
        if rows.is_empty() {
            return write_text(out, "no population here yet: `loatune run` begins one\n");
        }
        let mut table = TextTable::new([
            Column::left("population"),
            Column::left("state"),
            Column::right("games"),
            Column::left("champion"),
        ]);
        for row in &rows {
            let games = match (row.games, row.budget) {
                (Some(games), Some(budget)) => {
                    format!("{} of {}", thousands(games), thousands(budget))
                }
                _ => String::from("-"),
            };
            let champion = row.champion.as_deref().unwrap_or("-");
            table.row([
                row.population.as_str(),
                row.state.unwrap_or("unreadable"),
                &games,
                row.problem.as_deref().unwrap_or(champion),
            ]);
        }
        write_text(out, &table.text())
    }
}

/// Every population for the page of the one in `own`.
pub(super) fn list_views(own: &Path) -> Vec<PopulationView> {
    let own = own.canonicalize().ok();
    let view = |dir: &PopulationDir| {
        let status = OpenPopulation::ask(dir, |open| answer(open.source.status()));
        let (status, problem) = match status {
            Ok(status) => (Some(PopulationStatus::from(&status)), None),
            Err(error) => (None, Some(format!("{error:#}"))),
        };
        PopulationView {
            name: dir.name.clone(),
            here: own.is_some() && dir.directory.canonicalize().ok() == own,
            show: format!("loatune serve{}", dir.as_flag()),
            status,
            problem,
        }
    };
    all_populations().iter().map(view).collect()
}

fn row(dir: &PopulationDir) -> Row {
    let status = OpenPopulation::ask(dir, |open| answer(open.source.status()));
    let champion = dir.directory.join("champion.toml");
    let directory = dir.directory.display().to_string();
    let champion = champion.exists().then(|| champion.display().to_string());
    match status {
        Ok(status) => Row {
            population: dir.name.clone(),
            directory,
            state: Some(status.state.name()),
            running: status.running,
            games: Some(status.games),
            budget: Some(status.budget),
            files: Some(status.files),
            champion,
            problem: None,
        },
        Err(error) => Row {
            population: dir.name.clone(),
            directory,
            state: None,
            running: false,
            games: None,
            budget: None,
            files: None,
            champion,
            problem: Some(format!("{error:#}")),
        },
    }
}
