//! What the width of the window costs in learning, with real games: whole runs one
//! ply deep with the same budget and seed, judged by matches.

use std::path::Path;
use std::process::Command;

use serde_json::Value;

use super::process::program;

/// Games of each run.
const BUDGET: &str = "20000";

/// Games of each match.
const GAMES: &str = "400";

/// Windows with their files: as many as a window needs, and then narrow windows
/// with the files of a wide one, which tells apart what each of them costs.
const CASES: [[u64; 2]; 7] = [
    [4, 32],
    [16, 40],
    [64, 160],
    [256, 640],
    [1024, 2560],
    [4, 640],
    [64, 640],
];

pub(crate) fn measure(seeds: u64) {
    println!(
        "learning: {BUDGET} games at depth 1, {seeds} seeds; Elo of the champions in {GAMES} games \
         each, mean over seeds +/- its standard error"
    );
    let place = tempfile::tempdir().unwrap();
    let place = place.path();
    let name = |[window, files]: [u64; 2], seed: u64| format!("w{window}-f{files}-s{seed}");
    let champion = |case, seed| format!("populations/{}/champion.toml", name(case, seed));
    for case in CASES {
        let [window, files] = case;
        let (mut to_source, mut to_narrow) = (Vec::new(), Vec::new());
        for seed in 1..=seeds {
            let [w, f, s] = [window, files, seed].map(|number| number.to_string());
            let name = name(case, seed);
            let run = ["run", "--no-http", "--depth", "1", "--budget", BUDGET];
            let proof = ["--certificate-games", "2", "--hall-games", "2"];
            let these = ["-p", &name, "--window", &w, "--files", &f, "--seed", &s];
            loatune(place, &[&run[..], &proof, &these].concat());
            let own = champion(case, seed);
            to_source.push(elo(place, &own, "source"));
            if case != CASES[0] {
                to_narrow.push(elo(place, &own, &champion(CASES[0], seed)));
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
            "  window {window:>4}, {files:>4} files: {} against the source weights, {narrow} \
             against the champions of window {}",
            told(&to_source),
            CASES[0][0]
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
    let mut command = Command::new(program());
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
