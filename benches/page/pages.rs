//! The speed of a real run with ten pages open, against the same run without.
//!
//! Slices with and without pages take turns, so that whatever else the machine
//! does, and what the run itself changes, falls on both alike. Three ratios are
//! printed: of the games a second; of the processor time that the playing
//! threads got, which has less noise, because games differ in length; and of
//! the games for the time that the pages' own side left to the run.

use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::path::Path;
use std::time::{Duration, Instant};

use loatune::api::Source;
use loatune::serve::control;

use super::process::{Program, Times};
use super::visitors::Visitors;

/// Pages that are open.
const PAGES: u32 = 10;

/// The time for pages to be opened and closed.
const SETTLE: Duration = Duration::from_millis(300);

/// The length of a slice.
const SLICE: Duration = Duration::from_millis(1500);

/// What was seen in slices of one kind.
#[derive(Default)]
struct Kind {
    games_per_second: Vec<f64>,
    players_per_second: Vec<f64>,
    seconds: f64,
    threads: BTreeMap<String, f64>,
    /// The processor time of this process, which has the pages.
    own: f64,
}

pub(crate) fn measure(rounds: u64, more: &[&str]) {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    println!(
        "pages: run {} with {cores} threads at depth 3, {rounds} rounds of two slices of {SLICE:?}",
        more.join(" ")
    );
    let place = tempfile::tempdir().unwrap();
    let args = [
        "-q",
        "run",
        "--population",
        "page",
        "--budget",
        "1000000000",
    ];
    let page = ["--http", "127.0.0.1:0", "--school", "false"];
    let run = Program::start(place.path(), &[&args[..], &page, more].concat());
    let population = place.path().join("populations/page");
    let begin = Instant::now();
    let address = loop {
        assert!(begin.elapsed() < Duration::from_secs(60), "nobody plays");
        std::thread::sleep(Duration::from_millis(50));
        if let Some((games, Some(page))) = look(&population)
            && games > 500
        {
            let text = page.trim_start_matches("http://").trim_end_matches('/');
            break text.parse::<SocketAddr>().unwrap();
        }
    };
    let mut kinds = [Kind::default(), Kind::default()];
    let mut bytes = 0;
    for round in 0..rounds {
        let first = (round % 2) as usize;
        for number in [first, 1 - first] {
            let been = (SETTLE + SLICE) * round as u32;
            let visitors = (number == 1).then(|| Visitors::come(address, PAGES, been));
            kinds[number].take(run.0.id(), &population);
            bytes += visitors.map_or(0, Visitors::leave);
        }
    }
    print(&kinds, cores);
    let seconds = rounds as f64 * (SETTLE + SLICE).as_secs_f64();
    println!(
        "  {:.1} KiB a second to each page",
        bytes as f64 / 1024.0 / seconds / f64::from(PAGES)
    );
}

impl Kind {
    fn take(&mut self, run: u32, population: &Path) {
        std::thread::sleep(SETTLE);
        let (before, begin) = next_count(population);
        let threads = Times::of(run);
        let own = Times::of(std::process::id());
        std::thread::sleep(SLICE);
        let later = Times::of(run).since(&threads);
        self.own += Times::of(std::process::id())
            .since(&own)
            .values()
            .sum::<f64>();
        let clock = begin.elapsed().as_secs_f64();
        let (after, end) = next_count(population);
        let games = (after - before) as f64;
        let whole = end.duration_since(begin).as_secs_f64();
        self.games_per_second.push(games / whole);
        self.players_per_second.push(later["games"] / clock);
        self.seconds += clock;
        for (name, seconds) in later {
            *self.threads.entry(name).or_default() += seconds;
        }
    }
}

fn print(kinds: &[Kind; 2], cores: usize) {
    let [alone, watched] = kinds;
    println!("  processor time of the run's threads, ms each second: alone, with {PAGES} pages");
    for (name, seconds) in &watched.threads {
        let before = alone.threads.get(name).unwrap_or(&0.0);
        let each = |kind: &Kind, seconds: f64| 1e3 * seconds / kind.seconds;
        let (before, after) = (each(alone, *before), each(watched, *seconds));
        if before.max(after) >= 0.05 {
            println!("    {name:<16} {before:>8.2} {after:>8.2}");
        }
    }
    let own = kinds.each_ref().map(|kind| kind.own / kind.seconds);
    println!(
        "    {:<16} {:>8.2} {:>8.2}",
        "(this process)",
        1e3 * own[0],
        1e3 * own[1]
    );
    let [games, players] = [
        kinds.each_ref().map(|kind| &kind.games_per_second),
        kinds.each_ref().map(|kind| &kind.players_per_second),
    ];
    println!(
        "  {:.1} games a second alone, {:.1} with {PAGES} pages",
        mean(games[0]),
        mean(games[1])
    );
    let show = |what: &str, [alone, watched]: [&Vec<f64>; 2], left: f64| {
        let ratios = watched.iter().zip(alone).map(|(w, a)| w / a / left);
        let ratios: Vec<f64> = ratios.collect();
        println!("  {what}: {:.4} +/- {:.4}", mean(&ratios), error(&ratios));
    };
    println!("  ratios, with their standard errors:");
    show("games a second", games, 1.0);
    show("processor time of the players", players, 1.0);
    let left = 1.0 - (own[1] - own[0]) / cores as f64;
    show(
        "games a second without what the pages' own side took",
        games,
        left,
    );
}

/// The games so far and the page's address; `None` where the run does not answer.
fn look(population: &Path) -> Option<(u64, Option<String>)> {
    let status = control::connect(population)?.status().ok()?;
    Some((status.games, status.page))
}

/// The games so far, at the moment when their number changes: it is told some
/// times a second.
fn next_count(population: &Path) -> (u64, Instant) {
    let games = || look(population).map(|(games, _)| games);
    let before = games();
    loop {
        std::thread::sleep(Duration::from_millis(5));
        if let Some(now) = games()
            && Some(now) != before
        {
            return (now, Instant::now());
        }
    }
}

fn mean(numbers: &[f64]) -> f64 {
    numbers.iter().sum::<f64>() / numbers.len() as f64
}

/// The standard error of the mean.
fn error(numbers: &[f64]) -> f64 {
    let mean = mean(numbers);
    let squares = numbers.iter().map(|one| (one - mean).powi(2)).sum::<f64>();
    let count = numbers.len() as f64;
    (squares / (count - 1.0) / count).sqrt()
}
