//! `loatune list`: all populations.

use std::io::Write;

use clap::Args;
use serde::Serialize;

use crate::cli::args::population_arg::populations;
use crate::cli::output::{put, put_json, thousands};

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
        let rows: Vec<Row> = populations().iter().map(row).collect();
        if self.json {
            return put_json(out, &rows);
        }
        if rows.is_empty() {
            return put(out, "no population here yet: `loatune run` begins one\n");
        }
        let width = rows.iter().map(|row| row.population.len()).max();
        let width = width.unwrap_or(0).max("population".len());
        let mut text = format!("{:<width$}  state      games  champion\n", "population");
        for row in &rows {
            let games = match (row.games, row.budget) {
                (Some(games), Some(budget)) => {
                    format!("{} of {}", thousands(games), thousands(budget))
                }
                _ => String::from("-"),
            };
            let champion = row.champion.as_deref().unwrap_or("-");
            let rest = row.problem.as_deref().unwrap_or(champion);
            let state = row.state.unwrap_or("unreadable");
            text += &format!("{:<width$}  {state:<10} {games}  {rest}\n", row.population);
        }
        put(out, &text)
    }
}

fn row(place: &crate::cli::args::population_arg::Place) -> Row {
    let status = place
        .look()
        .and_then(|look| crate::cli::args::population_arg::answer(look.source.status()));
    let champion = place.directory.join("champion.toml");
    let directory = place.directory.display().to_string();
    let champion = champion.exists().then(|| champion.display().to_string());
    match status {
        Ok(status) => Row {
            population: place.name.clone(),
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
            population: place.name.clone(),
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
