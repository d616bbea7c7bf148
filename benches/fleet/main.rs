//! What a fleet costs and how far it goes: `cargo bench --bench fleet -- WORD…`
//!
//! | word | what is measured |
//! |---|---|
//! | `worker` | the speed of a worker against the same threads inside `run`, in turns; `worker=300` for so many rounds |
//! | `traffic` | messages and bytes a game |
//! | `simulate` | the matches a second that a coordinator folds and stores, with 1,000 workers that make their results up; `simulate=4000` for others |
//! | `width` | the window that keeps such workers busy when matches take their time |
//! | `learning` | what the width of the window costs in learning, with real games one ply deep; `learning=6` for so many seeds |
//! | `window` | the same on a known fitness function, for longer runs |
//!
//! All but the last two need nats-server. `LOATUNE_PROGRAM` names another program to
//! be measured than the one that was built. Times of processors are printed beside times
//! of the clock, because they depend less on what else the machine does.

#![allow(clippy::unwrap_used, missing_docs)]

mod broker;
mod learning;
#[path = "../process/mod.rs"]
mod process;
mod simulate;
mod traffic;
mod window;
mod worker;

fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let is_measured = words.iter().any(|word| word == "--bench");
    let words: Vec<&String> = words.iter().filter(|word| !word.starts_with('-')).collect();
    if !is_measured {
        println!("not measured: cargo bench --bench fleet");
        return;
    }
    let wanted = |name: &str| {
        let of = |word: &&&String| word.split('=').next() == Some(name);
        let found = words.iter().find(of);
        let number = found.and_then(|word| word.split_once('=')?.1.parse::<u64>().ok());
        (words.is_empty() || found.is_some()).then_some(number)
    };
    if let Some(rounds) = wanted("worker") {
        worker::measure(rounds.unwrap_or(100));
    }
    if let Some(games) = wanted("traffic") {
        traffic::measure(games.unwrap_or(2000));
    }
    if let Some(workers) = wanted("simulate") {
        simulate::measure(workers.unwrap_or(1000));
    }
    if let Some(workers) = wanted("width") {
        simulate::measure_width(workers.unwrap_or(1000));
    }
    if let Some(seeds) = wanted("learning") {
        learning::measure(seeds.unwrap_or(4));
    }
    if let Some(worlds) = wanted("window") {
        window::measure(worlds.unwrap_or(15));
    }
}
