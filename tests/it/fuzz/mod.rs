//! Every parser against bytes that nobody meant: arbitrary ones, and good
//! inputs with some of their bytes changed. Nothing may panic; what is taken
//! must mean the same when it is written and read again; what is refused must
//! be refused in a message that a person can read.
//!
//! A few cases by default; `PROPTEST_CASES=20000 cargo test fuzz` runs
//! as many as one likes. The good inputs are in `tests/data/fuzz/`.

mod mutation;
mod servers;
mod store;
mod texts;

use proptest::prelude::ProptestConfig;
use proptest::test_runner::RngSeed;

/// `PROPTEST_CASES` where it is set, else `usual` cases.
pub fn config(usual: u32) -> ProptestConfig {
    let usual = match std::env::var_os("PROPTEST_CASES") {
        Some(_) => ProptestConfig::default(),
        // The same cases every time: what nobody has changed does not begin to
        // fail. Whoever asks for more gets new ones.
        None => ProptestConfig {
            rng_seed: RngSeed::Fixed(1),
            ..ProptestConfig::with_cases(usual)
        },
    };
    ProptestConfig {
        failure_persistence: None,
        ..usual
    }
}

/// What is wrong with a message: it must be text without control characters.
pub fn check_plain(message: &str) -> Result<(), String> {
    let is_plain = |letter: char| !letter.is_control() || letter == '\n';
    match !message.trim().is_empty() && message.chars().all(is_plain) {
        true => Ok(()),
        false => Err(format!("no plain text: {message:?}")),
    }
}

/// The same, and its lines must be short whatever the input was.
pub fn check_message(message: &str) -> Result<(), String> {
    check_plain(message)?;
    match message.lines().find(|line| line.chars().count() > 600) {
        Some(line) => Err(format!("a long line: {line:?}")),
        None => Ok(()),
    }
}

/// The same for messages that are one line.
pub fn check_line(message: &str) -> Result<(), String> {
    match message.lines().count() {
        1 => check_message(message),
        count => Err(format!("{count} lines: {message:?}")),
    }
}

/// Fails the present case with the reason.
macro_rules! demand {
    ($result:expr) => {
        if let Err(why) = $result {
            return Err(proptest::test_runner::TestCaseError::fail(why));
        }
    };
}
pub(crate) use demand;
