//! The tables of the document, as Markdown.

use loatune::util::numbers::thousands;

use super::summary::{Cell, DEFAULT, METHODS, Mean, Summary};

/// `+123 ± 14`.
pub(crate) fn text(mean: Option<Mean>) -> String {
    match mean {
        None => String::new(),
        Some(Mean {
            value,
            error: Some(error),
            ..
        }) => format!("{value:+.0} ± {error:.0}"),
        Some(Mean { value, .. }) => format!("{value:+.0}"),
    }
}

fn row(cells: &[String]) -> String {
    format!("| {} |\n", cells.join(" | "))
}

fn head(cells: &[String]) -> String {
    let rule = vec!["---"; cells.len()].join("|");
    format!("{}|{rule}|\n", row(cells))
}

fn is_plain(cell: &Cell) -> bool {
    METHODS.contains(&cell.method.as_str())
}

/// Every plain method at every depth and number of games.
pub(crate) fn methods(summary: &Summary) -> String {
    let mut titles: Vec<String> = ["depth", "games", "method", "seeds", "**mean of the panel**"]
        .map(str::to_owned)
        .to_vec();
    titles.extend(summary.panel.iter().cloned());
    titles.push(String::from("source weights"));
    let mut table = head(&titles);
    for cell in summary.cells.iter().filter(|cell| is_plain(cell)) {
        let mut cells = vec![
            cell.depth.to_string(),
            thousands(cell.games),
            cell.method.clone(),
            cell.seeds.len().to_string(),
            format!("**{}**", text(summary.strength(cell))),
        ];
        let of = |name: &String| text(summary.against(cell, name));
        cells.extend(summary.panel.iter().map(of));
        cells.push(text(summary.against(cell, DEFAULT)));
        table += &row(&cells);
    }
    let [least, most] = summary.judge_games;
    let games = if least == most {
        least.to_string()
    } else {
        format!("{least} to {most}")
    };
    table
        + &format!(
            "\n{games} games against each opponent and seed; {}.\n",
            versions(summary)
        )
}

/// Which engine and parameters played.
fn versions(summary: &Summary) -> String {
    let mut engines: Vec<u64> = Vec::new();
    let mut prints: Vec<String> = Vec::new();
    for cell in summary.cells.iter().filter(|cell| is_plain(cell)) {
        let print = format!("{} {}", cell.method, cell.fingerprint);
        if !prints.contains(&print) {
            prints.push(print);
        }
        if !engines.contains(&cell.engine) {
            engines.push(cell.engine);
        }
    }
    let engines: Vec<String> = engines.iter().map(u64::to_string).collect();
    format!(
        "engine {}; parameters {}",
        engines.join(" and "),
        prints.join(", ")
    )
}

/// What the rule must show: its leads, seed by seed.
pub(crate) fn leads(summary: &Summary) -> String {
    let pairs = [
        ["evolution", "spsa"],
        ["evolution", "regression"],
        ["evolution", "genetic"],
        ["genetic", "spsa"],
    ];
    let mut titles = vec![String::from("depth"), String::from("games")];
    titles.extend(pairs.map(|[one, other]| format!("{one} − {other}")));
    titles.push(String::from("evolution − itself with fewer games"));
    let mut table = head(&titles);
    for depth in summary.depths() {
        let mut before = None;
        for games in summary.budgets(depth) {
            let cell = |method: &str| summary.cell(method, depth, games);
            let lead = |[one, other]: [&str; 2]| {
                let both = cell(one).zip(cell(other));
                text(both.and_then(|(one, other)| summary.lead(one, other)))
            };
            let now = cell("evolution");
            let growth = now.zip(before);
            let growth = growth.and_then(|(now, before)| summary.lead(now, before));
            let mut cells = vec![depth.to_string(), thousands(games)];
            cells.extend(pairs.map(lead));
            cells.push(text(growth));
            if cells[2..].iter().any(|cell| !cell.is_empty()) {
                table += &row(&cells);
            }
            before = now.or(before);
        }
    }
    table
}

/// Variants of methods beside the plain ones, with their lead over these.
pub(crate) fn variants(summary: &Summary) -> String {
    let titles = [
        "depth",
        "games",
        "method",
        "seeds",
        "mean of the panel",
        "lead over the plain method",
    ];
    let mut table = head(&titles.map(str::to_owned));
    for cell in summary.cells.iter().filter(|cell| !is_plain(cell)) {
        let plain = cell.method.split(':').next().unwrap_or_default();
        let plain = summary.cell(plain, cell.depth, cell.games);
        let lead = plain.and_then(|plain| summary.lead(cell, plain));
        table += &row(&[
            cell.depth.to_string(),
            thousands(cell.games),
            format!("`{}`", cell.method),
            cell.seeds.len().to_string(),
            text(summary.strength(cell)),
            text(lead),
        ]);
    }
    table
}
