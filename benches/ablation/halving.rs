//! Random search with successive halving: many random files, as many games in
//! each round, and after each round the better half stays.
//!
//! There are as many files as leave each at least eight matches in the
//! first round. On every opening all files of a round play one match, against an
//! opponent drawn at random.

use loatune::eval::Weights;
use rand::SeedableRng;
use rand::rngs::ChaCha8Rng;
use rand::seq::SliceRandom;

use crate::method::Task;
use crate::ring::Ring;

/// Matches of a file in the first round, at least.
const FEWEST: u64 = 8;

struct Candidate {
    weights: Weights,
    score: f64,
    matches: u64,
}

/// Rounds: the binary logarithm of the number of files.
fn rounds(games: u64) -> u32 {
    let fits = |rounds: &u32| (1 << rounds) * FEWEST * u64::from(*rounds) <= games;
    (1..32).take_while(fits).last().unwrap_or(1)
}

pub(crate) fn learn(task: &Task) -> (Weights, u64) {
    let params = task.params();
    let genome = &params.genome;
    let mut rng = ChaCha8Rng::seed_from_u64(task.seed);
    let rounds = rounds(task.games);
    let mut files: Vec<Candidate> = (0..1 << rounds)
        .map(|_| Candidate {
            weights: Weights::draw(&mut rng, &genome.bounds, genome.phases),
            score: 0.0,
            matches: 0,
        })
        .collect();
    let mut ring = Ring::new(params.clone());
    let mut opening = 0;
    for round in 1..=u64::from(rounds) {
        // What an uneven division leaves goes to the next round.
        let until = task.games * round / u64::from(rounds);
        while ring.games() + 2 <= until {
            files.shuffle(&mut rng);
            let left = (until - ring.games()) / 2;
            let mut pairs: Vec<&mut [Candidate]> =
                files.chunks_exact_mut(2).take(left as usize).collect();
            let matches: Vec<[Weights; 2]> = pairs
                .iter()
                .map(|pair| [pair[0].weights, pair[1].weights])
                .collect();
            for (pair, score) in pairs.iter_mut().zip(ring.play(opening, &matches)) {
                pair[0].score += score;
                pair[1].score -= score;
                pair.iter_mut().for_each(|file| file.matches += 1);
            }
            opening += 1;
        }
        let mean = |file: &Candidate| file.score / file.matches.max(1) as f64;
        files.sort_by(|a, b| mean(b).total_cmp(&mean(a)));
        files.truncate(files.len().div_ceil(2));
        // The next round's opponents are others.
        for file in &mut files {
            (file.score, file.matches) = (0.0, 0);
        }
    }
    (files[0].weights, ring.games())
}
