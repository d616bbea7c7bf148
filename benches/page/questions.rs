//! How long the questions of the pages take over HTTP, with a population of a
//! thousand files and 100,000 matches whose games were really played: each must
//! stay below a tenth of a second.

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::sync::Arc;
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
    let weights = Weights::source();
    let mut one = Builtin::new("one", Algorithm::Mtdf, &weights, limits);
    let mut other = Builtin::new("other", Algorithm::Mtdf, &weights, limits);
    let players: [&mut dyn Contender; 2] = [&mut one, &mut other];
    play_game(players, &rules, &start, &|| false).unwrap()
}

/// Matches that were played.
fn matches(count: u64) -> Vec<MatchRecord> {
    let weights = Weights::source();
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

pub(crate) fn measure(count: u64) {
    println!("questions: {FILES} files, {count} matches; the bar is 100 ms");
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
    let latest = Latest::new("page", &population, &context);
    let reader = population.reader();
    println!("{:?}", reader.counts().unwrap());
    let live = LivePopulation::new("page", reader, latest, None);
    let server = Server::start("127.0.0.1:0", Arc::new(live), Options::default()).unwrap();
    let address = server.address();
    // The server begins to read the files by itself, before anybody asks.
    let start = Instant::now();
    ask(address, "/api/files?count=1");
    let waited = start.elapsed().as_secs_f64() * 1000.0;
    println!("{waited:.0} ms until the files of the population are read for the first time");
    time_questions(address);
    server.shutdown();
    population.close().unwrap();
}
