//! What the width of the window costs in learning: whole evolutions on a known
//! fitness function, the loss of strength being quadratic in the distance from an
//! optimum that is drawn for each world. Games are decided by chance according to
//! Elo.

use loatune::evolve::{MatchResult, Plan, State};
use loatune::genome::Genome;
use loatune::params::Params;
use rand::rngs::ChaCha8Rng;
use rand::{RngExt, SeedableRng};

/// Elo points lost by a gene that is off by its whole range.
const DEPTH: f64 = 400.0;

pub(crate) fn measure(worlds: u64) {
    println!("window: Elo below the optimum, median of {worlds} worlds; files are 2.5 windows");
    for games in [5_000, 20_000, 100_000] {
        for window in [1_u32, 8, 32, 128, 512] {
            let files = (window * 5 / 2).max(32);
            if u64::from(files) * 8 > games {
                continue;
            }
            let mut below: Vec<f64> = (0..worlds)
                .map(|seed| evolve(seed, games, window, files))
                .collect();
            below.sort_by(f64::total_cmp);
            let at = |share: f64| below[((below.len() - 1) as f64 * share) as usize];
            println!(
                "  {games:>7} games, window {window:>4}, {files:>5} files: {:>6.1}  [{:.1} .. {:.1}]",
                at(0.5),
                at(0.25),
                at(0.75)
            );
        }
    }
}

fn evolve(seed: u64, games: u64, window: u32, files: u32) -> f64 {
    let mut params = Params::default();
    params.run.seed = seed;
    params.run.window = window;
    params.evolution.population = files;
    params.evolution.budget = games;
    params.genome.normalise = false;
    let plan = Plan::new(&params, &[]);
    let mut rng = ChaCha8Rng::seed_from_u64(seed + 1000);
    let bounds = &plan.genome.bounds;
    let best: Vec<f64> = bounds
        .iter()
        .map(|&[min, max]| f64::from(min) + f64::from(max - min) * rng.random_range(0.15..0.85))
        .collect();
    let below = |genome: &Genome| -> f64 {
        let genes = genome.opening.iter().zip(&best).zip(bounds);
        let off = genes.map(|((&value, best), &[min, max])| {
            (f64::from(value) - best) / f64::from((max - min).max(1))
        });
        DEPTH * off.map(|off| off * off).sum::<f64>()
    };
    let (mut state, _) = State::new(&plan);
    while let Some(pairing) = state.pending().front() {
        let lead = below(&pairing.weights[1]) - below(&pairing.weights[0]);
        let wins = 1.0 / (1.0 + 10_f64.powf(-lead / 400.0));
        let mut game = || if rng.random_bool(wins) { 0.5 } else { -0.5 };
        let score = game() + game();
        let result = MatchResult {
            number: pairing.number,
            files: pairing.files,
            score,
        };
        state.apply(&plan, &result).unwrap();
    }
    below(&state.champion().unwrap().weights)
}
