//! What the width of the window costs in learning, with real games: whole runs one
//! ply deep with the same budget and seed, judged by matches.

use std::path::Path;
use std::process::Command;

use serde_json::Value;

/// Games of each run.
const BUDGET: &str = "20000";

/// Games of each match.
const GAMES: &str = "400";

const WINDOWS: [u64; 5] = [4, 16, 64, 256, 1024];

pub(crate) fn measure(seeds: u64) {
    println!(
        "learning: {BUDGET} games at depth 1, {seeds} seeds; Elo of the champions in {GAMES} games \
         each, mean over seeds +/- its standard error"
    );
    let place = tempfile::tempdir().unwrap();
    let place = place.path();
    let champion = |window: u64, seed: u64| format!("populations/w{window}-s{seed}/champion.toml");
    for window in WINDOWS {
        let files = (window * 5 / 2).max(32);
        let (mut to_default, mut to_narrow) = (Vec::new(), Vec::new());
        for seed in 1..=seeds {
            let [name, w, f, s] = [
                format!("w{window}-s{seed}"),
                window.to_string(),
                files.to_string(),
                seed.to_string(),
            ];
            let run = ["run", "--no-http", "--depth", "1", "--budget", BUDGET];
            let proof = ["--certificate-games", "2", "--hall-games", "2"];
            let these = ["-p", &name, "--window", &w, "--files", &f, "--seed", &s];
            loatune(place, &[&run[..], &proof, &these].concat());
            let own = champion(window, seed);
            to_default.push(elo(place, &own, "default"));
            if window != WINDOWS[0] {
                to_narrow.push(elo(place, &own, &champion(WINDOWS[0], seed)));
            }
        }
        let told = |found: &[f64]| {
            let (mean, error) = mean(found);
            format!("{mean:+.0} +/- {error:.0}")
        };
        let narrow = if to_narrow.is_empty() {
            String::from("-")
        } else {
            told(&to_narrow)
        };
        println!(
            "  window {window:>4}, {files:>4} files: {} against the default weights, {narrow} \
             against the champions of window {}",
            told(&to_default),
            WINDOWS[0]
        );
    }
}

/// The Elo of one player above another.
fn elo(place: &Path, a: &str, b: &str) -> f64 {
    let args = ["match", a, b, "--depth", "1", "--games", GAMES, "--json"];
    let found: Value = serde_json::from_slice(&loatune(place, &args)).unwrap();
    found["elo"].as_f64().unwrap()
}

fn loatune(place: &Path, args: &[&str]) -> Vec<u8> {
    let mut command = Command::new(env!("CARGO_BIN_EXE_loatune"));
    let output = command
        .arg("-q")
        .args(args)
        .current_dir(place)
        .output()
        .unwrap();
    let told = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success(), "{args:?}: {told}");
    output.stdout
}

/// The mean and its standard error.
fn mean(found: &[f64]) -> (f64, f64) {
    let count = found.len() as f64;
    let mean = found.iter().sum::<f64>() / count;
    let squares = found
        .iter()
        .map(|value| (value - mean).powi(2))
        .sum::<f64>();
    (mean, (squares / (count - 1.0).max(1.0) / count).sqrt())
}
