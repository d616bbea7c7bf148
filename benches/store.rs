//! What storing costs: `cargo bench --bench store`.
//!
//! Fills a population with matches whose games were really played, as fast as
//! it goes, and measures the room that they take and the time that opening
//! takes afterwards: as it was closed, without its checkpoint's help, and with
//! the store or the journal lost. Then matches come in at the pace of a run,
//! and the thread that writes is timed. At last matches come one by one, so
//! that none is written together with others. `cargo bench --bench store -- 20000`
//! stores so many matches.

#![allow(clippy::unwrap_used, missing_docs)]

use std::fs;
use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};

use loatune::arena::openings::RandomOpenings;
use loatune::arena::{Builtin, Contender, MoveLimits, Openings, play_game};
use loatune::eval::Weights;
use loatune::evolve::{FileId, Pairing};
use loatune::game::Rules;
use loatune::genome::GeneTable;
use loatune::params::Params;
use loatune::random::Stream;
use loatune::search::Algorithm;
use loatune::store::{Begin, Entry, MatchRecord, Population, encode};

/// Matches that were played at a low depth.
fn matches(count: u64) -> Vec<MatchRecord> {
    let rules = Rules::default();
    let limits = MoveLimits {
        depth: Some(2),
        ..MoveLimits::default()
    };
    let openings = Openings::random(RandomOpenings::default(), 1, Stream::Match);
    let mut opener = openings.opener(&rules);
    let weights = Weights::source();
    let mut one = Builtin::new("one", Algorithm::Mtdf, &weights, limits);
    let mut other = Builtin::new("other", Algorithm::Mtdf, &weights, limits);
    let play = |number| {
        let start = opener.get(number).unwrap();
        let players: [&mut dyn Contender; 2] = [&mut one, &mut other];
        let first = play_game(players, &rules, &start, &|| false).unwrap();
        let players: [&mut dyn Contender; 2] = [&mut other, &mut one];
        let second = play_game(players, &rules, &start, &|| false).unwrap();
        let pairing = Pairing {
            number,
            files: [FileId(0), FileId(1)],
            weights: [weights.into(), weights.into()],
            is_final: false,
        };
        MatchRecord::new(&pairing, &[first, second]).unwrap()
    };
    (0..count).map(play).collect()
}

/// The next match, with the games of one that was played.
fn next(population: &Population, played: &[MatchRecord]) -> Option<Entry> {
    let pairing = population.state().pending().front()?;
    // Two that have nothing to do with each other, or nobody would ever win.
    let like = |factor: usize| &played[pairing.number as usize * factor % played.len()].games;
    Some(Entry::Match(MatchRecord {
        number: pairing.number,
        files: pairing.files,
        is_final: pairing.is_final,
        seed: pairing.number.wrapping_mul(0x9e37_79b9_7f4a_7c15),
        games: [like(7)[0].clone(), like(11)[1].clone()],
    }))
}

/// Bytes of all files below a path.
fn size(path: &Path) -> u64 {
    let found = fs::metadata(path).unwrap();
    if found.is_dir() {
        let files = fs::read_dir(path).unwrap();
        files.map(|file| size(&file.unwrap().path())).sum()
    } else {
        found.len()
    }
}

/// Processor time of this process in seconds, where the system tells.
fn processor_time() -> f64 {
    let read = || {
        let text = fs::read_to_string("/proc/self/stat").ok()?;
        let (_, fields) = text.rsplit_once(')')?;
        let mut fields = fields.split_whitespace().skip(11);
        let mut ticks = || fields.next()?.parse::<f64>().ok();
        Some((ticks()? + ticks()?) / 100.0)
    };
    read().unwrap_or(0.0)
}

fn open(dir: &Path, what: &str) -> Population {
    let start = Instant::now();
    let (population, notices) = Population::open(dir).unwrap();
    let time = start.elapsed().as_secs_f64();
    println!("open, {what}: {time:.3} s");
    for notice in notices {
        println!("  {notice}");
    }
    population
}

/// `alone`: every match is written before the next one comes, as in a slow run.
fn fill(dir: &Path, played: &[MatchRecord], count: u64, alone: bool) {
    let begin = Begin {
        params: params_text(count),
        genes: GeneTable::built_in(),
        seeds: Vec::new(),
    };
    let start = Instant::now();
    let mut population = Population::create(dir, &begin).unwrap();
    println!("create: {:.3} s", start.elapsed().as_secs_f64());
    let start = Instant::now();
    let mut stored = 0;
    while stored < count {
        let Some(entry) = next(&population, played) else {
            break;
        };
        population.apply(entry).unwrap();
        stored += 1;
        if alone {
            population.flush().unwrap();
        }
    }
    population.flush().unwrap();
    let time = start.elapsed().as_secs_f64();
    let load = population.writer_load();
    let counts = population.reader().counts().unwrap();
    println!(
        "fill: {stored} matches, {} files, {} events in {time:.1} s, {:.0} matches a second; \
         the thread was busy {:.1} s, callers waited {:.1} s",
        counts.files,
        counts.events,
        stored as f64 / time,
        load.busy.as_secs_f64(),
        load.waited.as_secs_f64(),
    );
    let start = Instant::now();
    population.close().unwrap();
    println!("close: {:.3} s", start.elapsed().as_secs_f64());
    let journal = size(&dir.join("journal"));
    let store = size(&dir.join("store"));
    let games = 2.0 * stored as f64;
    println!(
        "room: journal {:.0} bytes a game, store {:.0} bytes a game, together {:.0}",
        journal as f64 / games,
        store as f64 / games,
        (journal + store) as f64 / games,
    );
}

/// A population of 1,000 files, and games enough for the matches.
fn params_text(matches: u64) -> String {
    let budget = 4 * matches.max(10_000);
    let text = format!("[evolution]\nbudget = {budget}\npopulation = 1000\n");
    if Params::parse(&text, "params.toml").is_ok() {
        text
    } else {
        String::new()
    }
}

/// Matches at the pace of a run at depth 3 on two cores.
fn pace(dir: &Path, played: &[MatchRecord], seconds: u64) {
    let mut population = open(dir, "to go on");
    let start = Instant::now();
    let before = processor_time();
    let mut due = Duration::ZERO;
    let mut count = 0;
    while start.elapsed() < Duration::from_secs(seconds) {
        let Some(entry) = next(&population, played) else {
            break;
        };
        population.apply(entry).unwrap();
        count += 1;
        due += Duration::from_millis(7);
        thread::sleep(due.saturating_sub(start.elapsed()));
    }
    population.flush().unwrap();
    let time = start.elapsed().as_secs_f64();
    let spent = processor_time() - before;
    let load = population.writer_load();
    let share = |part: Duration| 100.0 * part.as_secs_f64() / time;
    println!(
        "pace: a match in {:.1} ms: the thread busy {:.2} % of the time ({:.0} us a match, \
         {:.1} matches a group), callers waited {:.3} %; processor, fold included, {:.2} % of \
         one core",
        1000.0 * time / f64::from(count),
        share(load.busy),
        1e6 * load.busy.as_secs_f64() / load.entries as f64,
        load.entries as f64 / load.groups as f64,
        share(load.waited),
        100.0 * spent / time,
    );
    population.close().unwrap();
}

fn main() {
    // Without `--bench` this is a test run: all parts once, quickly.
    let is_bench = std::env::args().any(|arg| arg == "--bench");
    let asked = std::env::args().find_map(|arg| arg.parse().ok());
    let (count, seconds, games) = if is_bench {
        (asked.unwrap_or(100_000), 10, 100)
    } else {
        (200, 1, 2)
    };
    let played = matches(games);
    let plies = played.iter().flat_map(|record| &record.games);
    let plies: usize = plies.map(|game| game.moves.len()).sum();
    let bytes: usize = played
        .iter()
        .map(|record| encode(record).unwrap().len())
        .sum();
    println!(
        "games: {:.1} plies, {:.0} bytes each",
        plies as f64 / (2 * games) as f64,
        bytes as f64 / (2 * games) as f64
    );
    let place = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
    let dir = place.path().join("bench");
    fill(&dir, &played, count, false);
    drop(open(&dir, "as it was closed"));
    drop(open(&dir, "again"));
    fs::remove_dir_all(dir.join("store")).unwrap();
    drop(open(&dir, "store lost"));
    fs::remove_file(dir.join("journal")).unwrap();
    drop(open(&dir, "journal lost"));
    pace(&dir, &played, seconds);
    println!("one by one:");
    fill(&place.path().join("slow"), &played, count / 5, true);
}
