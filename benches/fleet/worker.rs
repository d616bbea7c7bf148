//! A worker process against the same number of threads inside `run`.
//!
//! Both play at depth 3, one thread each, at the same time, so that whatever else the
//! machine does falls on both alike. (They once took turns, stopped by signals; a fleet
//! that is stopped for seconds needs some more to find together, which is not what is
//! asked.) Two things decide a worker's speed on a machine of its own, and both can be
//! seen on one that is shared:
//!
//! - how much of the time its players have work: the share of the time in which
//!   they run or are ready to run;
//! - how much processor time a game takes, with everything that the process does
//!   beside it.

use std::path::Path;
use std::time::{Duration, Instant};

use super::broker::Broker;
use super::process::{Program, Times};
use loatune::api::Source;
use loatune::serve::control;

/// The length of a turn.
const TURN: Duration = Duration::from_millis(1500);

/// One of the two: the process that plays, and the population.
struct Side {
    player: u32,
    population: std::path::PathBuf,
}

/// What was seen in one turn.
struct Turn {
    games: f64,
    clock: f64,
    /// Processor time of the playing process, in seconds.
    processor: f64,
    /// The share of the time in which its players had work.
    busy: f64,
}

pub(crate) fn measure(rounds: u64) {
    println!("worker: one thread at depth 3, {rounds} turns of {TURN:?}, both at a time");
    let place = tempfile::tempdir().unwrap();
    let place = place.path();
    let broker = Broker::start(place);
    let url = broker.url();
    let common = [
        "-q",
        "run",
        "--no-http",
        "--threads",
        "1",
        "--budget",
        "1000000000",
    ];
    let run = |name: &str, more: &[&str]| {
        let args = [&common[..], &["--population", name], more].concat();
        Program::start(place, &args)
    };
    let alone = run("alone", &[]);
    let far = [
        "--fleet",
        &url,
        "--fleet-check",
        "0",
        "--fleet-probation",
        "0",
    ];
    let coordinator = run("far", &far);
    let args = [
        "-q",
        "worker",
        "--fleet",
        &url,
        "--threads",
        "1",
        "--nice",
        "0",
    ];
    let worker = Program::start(place, &args);
    let side = |player: &Program, name: &str| Side {
        player: player.0.id(),
        population: place.join("populations").join(name),
    };
    let sides = [side(&alone, "alone"), side(&worker, "far")];
    for side in &sides {
        let begin = Instant::now();
        while games(&side.population).is_none_or(|games| games < 20) {
            assert!(begin.elapsed() < Duration::from_secs(120), "nobody plays");
            std::thread::sleep(Duration::from_millis(50));
        }
    }
    let [mut speed, mut processor, mut busy, mut clock] = [const { Vec::new() }; 4];
    for round in 0..rounds {
        let [inside, outside] = std::thread::scope(|scope| {
            let turns = sides
                .each_ref()
                .map(|side| scope.spawn(|| side.take_turn()));
            turns.map(|turn| turn.join().unwrap())
        });
        let of_processor = (inside.processor / inside.games) / (outside.processor / outside.games);
        let of_busy = outside.busy / inside.busy;
        processor.push(of_processor);
        busy.push(of_busy);
        speed.push(of_processor * of_busy);
        clock.push((outside.games / outside.clock) / (inside.games / inside.clock));
        if round == 0 {
            println!(
                "  first turns: inside run {:.2} ms of processor a game, its thread busy {:.1} % \
                 of the time; worker {:.2} ms, {:.1} %",
                1e3 * inside.processor / inside.games,
                100.0 * inside.busy,
                1e3 * outside.processor / outside.games,
                100.0 * outside.busy
            );
        }
    }
    for (what, ratios) in [
        (
            "processor time a game, inside run against worker",
            processor,
        ),
        ("time with work, worker against inside run", busy),
        ("both together: the speed of a worker", speed),
        (
            "games a second by the clock, on this machine as it is",
            clock,
        ),
    ] {
        let (mean, error) = mean_ratio(&ratios);
        println!(
            "  {what}: {:.1} % +/- {:.1}, median {:.1} %",
            100.0 * mean,
            100.0 * error,
            100.0 * median(ratios)
        );
    }
    drop(coordinator);
}

fn median(mut numbers: Vec<f64>) -> f64 {
    numbers.sort_by(f64::total_cmp);
    numbers[numbers.len() / 2]
}

/// The geometric mean of ratios, and its error: two standard errors.
fn mean_ratio(ratios: &[f64]) -> (f64, f64) {
    let count = ratios.len() as f64;
    let logs: Vec<f64> = ratios.iter().map(|ratio| ratio.ln()).collect();
    let mean = logs.iter().sum::<f64>() / count;
    let variance = logs.iter().map(|log| (log - mean).powi(2)).sum::<f64>() / (count - 1.0);
    (mean.exp(), 2.0 * mean.exp() * (variance / count).sqrt())
}

impl Side {
    fn take_turn(&self) -> Turn {
        let (games_before, begin) = self.next_count();
        let before = Times::of(self.player);
        std::thread::sleep(TURN);
        let (games_after, end) = self.next_count();
        let after = Times::of(self.player);
        let clock = end.duration_since(begin).as_secs_f64();
        Turn {
            games: (games_after - games_before) as f64,
            clock,
            processor: after.processor() - before.processor(),
            busy: (after.players_ready() - before.players_ready()) / clock,
        }
    }

    /// The games so far, at the moment when their number changes: it is told some
    /// times a second.
    fn next_count(&self) -> (u64, Instant) {
        let before = games(&self.population);
        loop {
            let now = games(&self.population);
            if now != before {
                return (now.unwrap(), Instant::now());
            }
            std::thread::sleep(Duration::from_millis(4));
        }
    }
}

/// The games that a run has applied; `None` where it does not answer.
fn games(population: &Path) -> Option<u64> {
    Some(control::connect(population)?.status().ok()?.games)
}
