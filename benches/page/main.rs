//! What the page costs: `cargo bench --bench page -- WORD…`
//!
//! | word | what is measured |
//! |---|---|
//! | `questions` | the time of each question of a page; `questions=20000` for so many matches |
//! | `pages` | the speed of a run with ten pages open against the same run without, in turns; `pages=200` for so many rounds |
//! | `wide` | the same with a population of 1,000 files |
//!
//! `LOATUNE_PROGRAM` names another program to be measured by `pages` and `wide` than
//! the one that was built.

#![allow(clippy::unwrap_used, missing_docs)]

mod pages;
#[path = "../process/mod.rs"]
mod process;
mod questions;
mod visitors;

fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    if !words.iter().any(|word| word == "--bench") {
        println!("not measured: cargo bench --bench page");
        return;
    }
    let words: Vec<&String> = words.iter().filter(|word| !word.starts_with('-')).collect();
    let wanted = |name: &str| {
        let of = |word: &&&String| word.split('=').next() == Some(name);
        let found = words.iter().find(of);
        let number = found.and_then(|word| word.split_once('=')?.1.parse::<u64>().ok());
        (words.is_empty() || found.is_some()).then_some(number)
    };
    if let Some(matches) = wanted("questions") {
        questions::measure(matches.unwrap_or(100_000));
    }
    if let Some(rounds) = wanted("pages") {
        pages::measure(rounds.unwrap_or(80), &[]);
    }
    if let Some(rounds) = wanted("wide") {
        pages::measure(rounds.unwrap_or(80), &["--files", "1000"]);
    }
}
