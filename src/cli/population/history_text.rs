//! A history as tables for people: some samples, the hall of fame, the scholars and
//! other events.

use crate::charts::{History, NotedEvent};
use crate::cli::output::{Column, TextTable, thousands};
use crate::evolve::Event;

/// The most rows of a table.
const MAX_ROWS: usize = 20;

/// All tables that have a row, with an empty line between two.
pub(super) fn text(history: &History) -> String {
    let mut tables = vec![samples(history)];
    let hall = (!history.strengths.is_empty()).then(|| hall(history));
    let scholars = (!history.scholars.is_empty()).then(|| scholars(history));
    tables.extend(hall.into_iter().chain(scholars).chain(events(history)));
    tables.join("\n")
}

/// Some samples, evenly spread, the last one among them.
fn samples(history: &History) -> String {
    let mut table = TextTable::new([
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
        table.row([
            thousands(sample.games),
            sample.population.to_string(),
            sample.capacity.to_string(),
            sample.births.to_string(),
            sample.deaths.to_string(),
            format!("{:.2}", sample.best_points),
            format!("{:.2}", sample.mean_points),
        ]);
    }
    table.text()
}

fn hall(history: &History) -> String {
    let mut table = TextTable::new([
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
        table.row([file.file.to_string(), thousands(file.games), elo]);
    }
    table.text()
}

/// The newest scholars, with the games that the run had when each was learned.
fn scholars(history: &History) -> String {
    let mut table = TextTable::new([
        Column::left("scholar").at_least(7),
        Column::right("games").at_least(7),
        Column::right("learned from"),
        Column::right("nats a position"),
        Column::left("challenge"),
    ]);
    let skipped = history.scholars.len().saturating_sub(MAX_ROWS);
    for scholar in &history.scholars[skipped..] {
        let challenge = match scholar.challenge {
            Some(result) => format!(
                "{} with {:+.3} +/- {:.3}",
                if result.won { "won" } else { "lost" },
                result.score,
                result.error
            ),
            None => String::from("not over"),
        };
        table.row([
            scholar.file.to_string(),
            thousands(2 * scholar.at),
            thousands(scholar.games),
            format!("{:.4}", scholar.micronats as f64 / 1e6),
            challenge,
        ]);
    }
    table.text()
}

/// The newest events that no other table tells.
fn events(history: &History) -> Option<String> {
    let told = |noted: &NotedEvent| Some((noted.games(), sentence(&noted.event)?));
    let told: Vec<(u64, String)> = history.events.iter().filter_map(told).collect();
    let skipped = told.len().saturating_sub(MAX_ROWS);
    let mut table = TextTable::new([Column::right("games").at_least(11), Column::left("event")]);
    for (games, sentence) in &told[skipped..] {
        table.row([thousands(*games), sentence.clone()]);
    }
    (!told.is_empty()).then(|| table.text())
}

/// An event in words; `None` for those of the other tables.
fn sentence(event: &Event) -> Option<String> {
    Some(match event {
        Event::Born(birth) => format!("{} was imported", birth.file),
        Event::Changed { keys } => format!("parameters changed: {}", keys.join("; ")),
        Event::Semifinal {
            scholar,
            elder,
            score,
            error,
            ..
        } => format!(
            "scholar {scholar} met the elder {elder} for a place in the final: {score:+.3} +/- \
             {error:.3}"
        ),
        Event::Final { last, elder } => format!("the final: {last} against {elder}"),
        Event::Champion {
            file, score, error, ..
        } => format!("champion {file}; the last file's score {score:+.3} +/- {error:.3}"),
        Event::Extended {
            champion, budget, ..
        } => format!(
            "taken further to {} games; champion until then {champion}",
            thousands(*budget)
        ),
        Event::Died { .. }
        | Event::Hall { .. }
        | Event::Sample(_)
        | Event::Scholar { .. }
        | Event::Challenge { .. } => return None,
    })
}
