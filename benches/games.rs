//! How fast games are played: `cargo bench --bench games`.
//!
//! One thread and all threads are measured in turns, because their ratio stays
//! the same where a noisy machine's speed does not. Then: how much of the time
//! goes into anything but searching, and whether memory grows with the number
//! of games. `cargo bench --bench games -- 100000` plays so many games for the
//! last part.

#![allow(clippy::unwrap_used, missing_docs)]

use std::fs;
use std::hint::black_box;
use std::ops::ControlFlow;
use std::path::Path;
use std::thread::available_parallelism;
use std::time::{Duration, Instant};

use loatune::arena::contender::{Choice, Contender, Fault};
use loatune::arena::match_runner::MatchRunner;
use loatune::arena::openings::RandomOpenings;
use loatune::arena::schedule::Schedule;
use loatune::arena::{Builtin, Clocks, MoveLimits, Openings, PlayerSpec, play_game};
use loatune::board::Board;
use loatune::eval::Weights;
use loatune::game::Game;
use loatune::game::Rules;
use loatune::random::Stream;
use loatune::search::Algorithm;

fn limits(depth: u32) -> MoveLimits {
    MoveLimits {
        depth: Some(depth),
        ..MoveLimits::default()
    }
}

fn openings() -> Openings {
    Openings::random(RandomOpenings::default(), 1, Stream::Match)
}

/// Plays pairs of two different players; seconds.
fn play(depth: u32, threads: usize, pairs: u64, seen: &mut dyn FnMut(u64)) -> f64 {
    let players = ["default", "random:1"]
        .map(|name| PlayerSpec::parse(name, limits(depth), Path::new("")).unwrap());
    let schedule = Schedule::single_match(pairs);
    let openings = openings();
    let hall = MatchRunner {
        players: &players,
        schedule: &schedule,
        openings: &openings,
        rules: Rules::default(),
        threads,
    };
    let start = Instant::now();
    hall.play(
        &mut |pair| {
            seen(2 * (pair.number + 1));
            black_box(pair);
            ControlFlow::Continue(())
        },
        &mut |_| ControlFlow::Continue(()),
    )
    .unwrap();
    start.elapsed().as_secs_f64()
}

/// Processor time of this process in seconds, where the system tells.
fn processor_time() -> Option<f64> {
    let text = fs::read_to_string("/proc/self/stat").ok()?;
    let (_, fields) = text.rsplit_once(')')?;
    let mut fields = fields.split_whitespace().skip(11);
    let mut ticks = || fields.next()?.parse::<f64>().ok();
    Some((ticks()? + ticks()?) / 100.0)
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

fn scaling(cores: usize) {
    println!("games per second, the median of 5 rounds in turns; processor time a game;");
    println!("and what that makes of the ratio where all cores are free");
    println!("depth   1 thread  {cores} threads  times    CPU ms a game   times if free");
    for (depth, pairs) in [(2, 400), (3, 100), (4, 40)] {
        let mut rates = [Vec::new(), Vec::new()];
        let mut costs = [0.0, 0.0];
        for _ in 0..5 {
            for (n, threads) in [1, cores].into_iter().enumerate() {
                let before = processor_time().unwrap_or(0.0);
                let seconds = play(depth, threads, pairs, &mut |_| {});
                costs[n] += processor_time().unwrap_or(0.0) - before;
                rates[n].push(2.0 * pairs as f64 / seconds);
            }
        }
        // Of each round, which has seen the same weather.
        let ratios = rates[0].iter().zip(&rates[1]).map(|(a, b)| b / a).collect();
        let [one, all] = rates.map(median);
        let [cost_one, cost_all] = costs.map(|cost| 1000.0 * cost / (10.0 * pairs as f64));
        println!(
            "{depth:>5} {one:>10.1} {all:>10.1} {:>6.2} {cost_one:>9.2} {cost_all:>8.2} {:>12.2}",
            median(ratios),
            cores as f64 * cost_one / cost_all,
        );
    }
}

/// A player that measures how long another one thinks.
struct Timed(Builtin, Duration);

impl Contender for Timed {
    fn name(&self) -> &str {
        self.0.name()
    }

    fn new_game(&mut self, rules: &Rules, first: &Board) -> Result<(), Fault> {
        self.0.new_game(rules, first)
    }

    fn choose(&mut self, game: &Game, clocks: &Clocks) -> Result<Choice, Fault> {
        let start = Instant::now();
        let choice = self.0.choose(game, clocks);
        self.1 += start.elapsed();
        choice
    }
}

fn overhead() {
    println!("\ntime outside the search: openings, rules, records");
    let rules = Rules::default();
    for (depth, pairs) in [(2, 200), (3, 60), (4, 20)] {
        let timed = || {
            let weights = Weights::source();
            let builtin = Builtin::new("timed", Algorithm::Mtdf, &weights, limits(depth));
            Timed(builtin, Duration::ZERO)
        };
        let (mut black, mut white) = (timed(), timed());
        let openings = openings();
        let start = Instant::now();
        let mut opener = openings.opener(&rules);
        for game in 0..2 * pairs {
            let opening = opener.get(game / 2).unwrap();
            let record = play_game([&mut black, &mut white], &rules, &opening, &|| false);
            black_box(record);
        }
        let all = start.elapsed().as_secs_f64();
        let inside = (black.1 + white.1).as_secs_f64();
        let share = 100.0 * (1.0 - inside / all);
        println!("depth {depth}: {share:.2} %");
    }
}

/// Resident memory in KiB, where the system tells.
fn resident() -> Option<u64> {
    let text = fs::read_to_string("/proc/self/statm").ok()?;
    let pages: u64 = text.split_whitespace().nth(1)?.parse().ok()?;
    Some(pages * 4)
}

fn memory(cores: usize, games: u64) {
    if resident().is_none() {
        println!("\nmemory: this system does not tell");
        return;
    }
    println!("\nmemory over {games} games at depth 1");
    let step = games / 5;
    play(1, cores, games / 2, &mut |played| {
        if played == 2 || played.is_multiple_of(step.max(1)) {
            println!("{played:>8} games: {} KiB", resident().unwrap_or(0));
        }
    });
}

fn main() {
    // Without `--bench` this is a test run: all parts once, quickly.
    let is_bench = std::env::args().any(|arg| arg == "--bench");
    let cores = available_parallelism().map_or(1, usize::from);
    if !is_bench {
        play(1, cores, 2, &mut |_| {});
        return;
    }
    let games = std::env::args().find_map(|arg| arg.parse().ok());
    scaling(cores);
    overhead();
    memory(cores, games.unwrap_or(20_000));
}
