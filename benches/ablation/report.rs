//! The table.

use loatune::stats::Estimate;

use crate::Learned;
use crate::judge::{Judged, Opponent};
use crate::options::Options;

pub(crate) fn print(options: &Options, learned: &[Learned], judged: &[Judged]) {
    println!(
        "depth {}, seeds {} to {}, {} judging games a match and seed.",
        options.depth,
        options.first_seed,
        options.first_seed + options.seeds - 1,
        options.judge / 2 * 2,
    );
    println!("Elo: the mean over the seeds +/- the 95 % error of the judging games,");
    println!("and from the least to the most of the seeds; games/s: one thread while learning.");
    println!(
        "{:>8}  {:<24} {:>34} {:>34} {:>8} {:>8}",
        "games", "method", "Elo against default", "against the champion", "played", "games/s"
    );
    let mut budgets: Vec<u64> = learned.iter().map(|found| found.task.games).collect();
    budgets.sort_unstable();
    budgets.dedup();
    for games in budgets {
        let of = || learned.iter().filter(|found| found.task.games == games);
        let mut names: Vec<&str> = Vec::new();
        for (name, _) in of().flat_map(|found| &found.entrants) {
            if !names.contains(&name.as_str()) {
                names.push(name);
            }
        }
        for name in names {
            let elo = |opponent| {
                let is_it = |one: &&Judged| {
                    (one.games, one.entrant.as_str(), one.opponent) == (games, name, opponent)
                };
                elo_text(judged.iter().filter(is_it))
            };
            let mut effort = (0, 0, 0.0);
            for found in of().filter(|found| found.entrants[0].0 == name) {
                effort.0 += 1;
                effort.1 += found.games;
                effort.2 += found.seconds;
            }
            let (runs, played, seconds) = effort;
            let effort = match runs {
                0 => String::new(),
                _ => format!("{:>8} {:>8.0}", played / runs, played as f64 / seconds),
            };
            let line = format!(
                "{games:>8}  {name:<24} {:>34} {:>34} {effort}",
                elo(Opponent::Default),
                elo(Opponent::Champion),
            );
            println!("{}", line.trim_end());
        }
    }
}

/// `+12.3 +/- 4.5 (+1.2 to +20.1)`.
fn elo_text<'a>(matches: impl Iterator<Item = &'a Judged>) -> String {
    let found = matches.filter_map(|one| one.tally.moments());
    let found: Vec<_> = found.map(|moments| moments.elo()).collect();
    if found.is_empty() {
        return String::from("-");
    }
    let count = found.len() as f64;
    let mean = found.iter().map(|elo| elo.value).sum::<f64>() / count;
    // The errors of the seeds have nothing to do with each other.
    let errors = found.iter().map(Estimate::error);
    let squares = errors.map(|error| error.map(|error| error * error));
    let error = squares.sum::<Option<f64>>();
    let error = error.map_or(String::from("?"), |sum| {
        format!("{:.1}", sum.sqrt() / count)
    });
    let values = || found.iter().map(|elo| elo.value);
    let least = values().fold(f64::INFINITY, f64::min);
    let most = values().fold(f64::NEG_INFINITY, f64::max);
    format!("{mean:+.1} +/- {error} ({least:+.0} to {most:+.0})")
}
