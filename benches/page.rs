//! What the page costs: `cargo bench --bench page`.
//!
//! Fills a population of a thousand files with 100,000 matches whose games were
//! really played, and times the questions of the pages over HTTP: each must stay
//! below a tenth of a second. Then games are played on all cores, in slices with
//! and without ten pages that listen and ask, and the ratio of both speeds is
//! printed. `cargo bench --bench page -- 20000` stores so many matches.

#![allow(clippy::unwrap_used, missing_docs)]

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use loatune::arena::openings::RandomOpenings;
use loatune::arena::{Builtin, Contender, GameRecord, MoveLimits, Openings, play_game};
use loatune::eval::Weights;
use loatune::evolve::{FileId, Pairing};
use loatune::game::Rules;
use loatune::genome::GeneTable;
use loatune::random::Stream;
use loatune::run::{Latest, LivePopulation, RunContext};
use loatune::search::Algorithm;
use loatune::serve::http::{Options, Server};
use loatune::store::{Begin, Entry, MatchRecord, Population};

/// Files that live.
const FILES: u32 = 1000;

/// Pages that are open in the second part.
const PAGES: usize = 10;

/// Slices with and without pages, and how long each is.
const SLICES: usize = 24;
const SLICE: Duration = Duration::from_millis(2500);

/// How often each question is asked.
const TIMES: usize = 5;

/// One game at a low depth.
fn game(number: u64) -> GameRecord {
    let rules = Rules::default();
    let limits = MoveLimits {
        depth: Some(2),
        ..MoveLimits::default()
    };
    let openings = Openings::random(RandomOpenings::default(), 1, Stream::Match);
    let start = openings.opener(&rules).get(number).unwrap();
    let weights = Weights::default();
    let mut one = Builtin::new("one", Algorithm::Mtdf, &weights, limits);
    let mut other = Builtin::new("other", Algorithm::Mtdf, &weights, limits);
    let players: [&mut dyn Contender; 2] = [&mut one, &mut other];
    play_game(players, &rules, &start, &|| false).unwrap()
}

/// Matches that were played.
fn matches(count: u64) -> Vec<MatchRecord> {
    let weights = Weights::default();
    let record = |number| {
        let pairing = Pairing {
            number,
            files: [FileId(0), FileId(1)],
            weights: [weights.into(), weights.into()],
            is_final: false,
        };
        MatchRecord::new(&pairing, &[game(number), game(number)]).unwrap()
    };
    (0..count).map(record).collect()
}

/// The next match, with the games of some that were played.
fn apply_next(population: &mut Population, played: &[MatchRecord]) -> bool {
    let Some(pairing) = population.state().pending().front() else {
        return false;
    };
    let like = |factor: usize| &played[pairing.number as usize * factor % played.len()].games;
    let entry = Entry::Match(MatchRecord {
        number: pairing.number,
        files: pairing.files,
        is_final: pairing.is_final,
        seed: pairing.number,
        games: [like(7)[0].clone(), like(11)[1].clone()],
    });
    population.apply(entry).unwrap();
    true
}

/// Asks a question and reads the whole answer.
fn ask(address: SocketAddr, path: &str) -> usize {
    let mut stream = TcpStream::connect(address).unwrap();
    write!(
        stream,
        "GET {path} HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n"
    )
    .unwrap();
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer).unwrap();
    assert!(answer.starts_with(b"HTTP/1.1 200"), "{path}");
    answer.len()
}

fn time_questions(address: SocketAddr) {
    let mut worst = Duration::ZERO;
    for path in [
        "/api/status",
        "/api/files?count=500",
        "/api/files?count=500&state=living&sort=points&descending=true",
        "/api/files?search=12&count=500",
        "/api/files/0",
        "/api/files/900",
        "/api/living",
        "/api/matches?count=500",
        "/api/matches?count=50&file=900",
        "/api/matches?count=50&file=900&result=won",
        "/api/matches/5000",
        "/api/history",
    ] {
        // The first question reads what the store has; the pages ask again and
        // again.
        let first = Instant::now();
        let bytes = ask(address, path);
        let first = first.elapsed();
        let mut times: Vec<Duration> = Vec::new();
        for _ in 0..TIMES {
            let start = Instant::now();
            ask(address, path);
            times.push(start.elapsed());
        }
        times.sort();
        let middle = times[TIMES / 2];
        worst = worst.max(middle);
        println!(
            "{:>7.1} ms, the first {:>7.1} ms, {bytes:>8} bytes: {path}",
            middle.as_secs_f64() * 1000.0,
            first.as_secs_f64() * 1000.0
        );
    }
    println!("the slowest: {:.1} ms", worst.as_secs_f64() * 1000.0);
}

/// A page: listens to events, and asks for what a page asks for. One that
/// `is_due` reads the whole history, which a page does every ten seconds.
fn look_on(address: SocketAddr, is_due: bool, stop: &AtomicBool) {
    let mut stream = TcpStream::connect(address).unwrap();
    write!(
        stream,
        "GET /api/events HTTP/1.1\r\nHost: {address}\r\n\r\n"
    )
    .unwrap();
    stream
        .set_read_timeout(Some(Duration::from_millis(100)))
        .unwrap();
    if is_due {
        for path in ["/api/history", "/api/speed", "/api/living"] {
            ask(address, path);
        }
    }
    let mut buffer = [0; 65536];
    let mut asked = Instant::now();
    while !stop.load(Ordering::Relaxed) {
        // Nothing new is no fault.
        let _ = stream.read(&mut buffer);
        if asked.elapsed() > Duration::from_secs(1) {
            asked = Instant::now();
            ask(address, "/api/status");
        }
    }
}

fn mean(numbers: &[f64]) -> f64 {
    numbers.iter().sum::<f64>() / numbers.len() as f64
}

fn main() {
    let count = std::env::args()
        .skip(1)
        .find_map(|text| text.parse().ok())
        .unwrap_or(100_000);
    let place = tempfile::tempdir().unwrap();
    let played = matches(200);
    let begin = Begin {
        params: format!(
            "[evolution]\npopulation = {FILES}\nbudget = {}\n[school]\nenabled = false\n",
            (8 * count).max(100_000)
        ),
        genes: GeneTable::built_in(),
        seeds: Vec::new(),
    };
    let mut population = Population::create(&place.path().join("page"), &begin).unwrap();
    for _ in 0..count {
        assert!(apply_next(&mut population, &played));
    }
    population.flush().unwrap();
    let context = RunContext {
        running: true,
        ..RunContext::default()
    };
    let latest = |population: &Population| Latest::new("page", population, &context);
    let reader = population.reader();
    println!("{:?}", reader.counts().unwrap());
    let live = LivePopulation::new("page", reader, latest(&population), None);
    let live = Arc::new(live);
    let server = Server::start("127.0.0.1:0", live.clone(), Options::default()).unwrap();
    let address = server.address();
    // The server begins to read the files by itself, before anybody asks.
    let start = Instant::now();
    ask(address, "/api/files?count=1");
    let waited = start.elapsed().as_secs_f64() * 1000.0;
    println!("{waited:.0} ms until the files of the population are read for the first time");
    time_questions(address);

    // Games on all cores, in slices without pages and with them.
    let stop = AtomicBool::new(false);
    let games = AtomicU64::new(0);
    let cores = thread::available_parallelism().map_or(1, usize::from);
    let mut speeds = [const { Vec::new() }; 2];
    thread::scope(|scope| {
        for core in 0..cores as u64 {
            let (stop, games) = (&stop, &games);
            scope.spawn(move || {
                let mut number = core * 1000;
                while !stop.load(Ordering::Relaxed) {
                    game(number % 5000);
                    number += 1;
                    games.fetch_add(1, Ordering::Relaxed);
                }
            });
        }
        for slice in 0..SLICES {
            // Without, with, with, without: a machine that gets slower counts alike.
            let is_watched = matches!(slice % 4, 1 | 2);
            let leave = AtomicBool::new(false);
            thread::scope(|pages| {
                for page in 0..if is_watched { PAGES } else { 0 } {
                    let (is_due, leave) = ((page + slice) % 4 == 0, &leave);
                    pages.spawn(move || look_on(address, is_due, leave));
                }
                let before = games.load(Ordering::Relaxed);
                let start = Instant::now();
                while start.elapsed() < SLICE {
                    apply_next(&mut population, &played);
                    live.show(latest(&population));
                    thread::sleep(Duration::from_millis(100));
                }
                let played = games.load(Ordering::Relaxed) - before;
                let speed = played as f64 / start.elapsed().as_secs_f64();
                speeds[usize::from(is_watched)].push(speed);
                leave.store(true, Ordering::Relaxed);
            });
        }
        stop.store(true, Ordering::Relaxed);
    });
    let ratios: Vec<f64> = (speeds[0].iter().zip(&speeds[1]))
        .map(|(alone, watched)| watched / alone)
        .collect();
    let [alone, watched] = speeds.map(|some| mean(&some));
    let deviations: Vec<f64> = ratios
        .iter()
        .map(|one| (one - mean(&ratios)).powi(2))
        .collect();
    let error = (mean(&deviations) / (ratios.len() - 1) as f64).sqrt();
    println!(
        "{alone:.0} games a second alone, {watched:.0} with {PAGES} pages: {:.3} ± {error:.3} \
         (standard error over {} pairs of slices)",
        mean(&ratios),
        ratios.len()
    );
    server.shutdown();
    population.close().unwrap();
}
