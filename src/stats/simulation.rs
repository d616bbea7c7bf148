//! Simulated matches: the sequential test errs no more often than its settings
//! allow.

use rand::rngs::ChaCha8Rng;
use rand::{RngExt, SeedableRng};

use super::{Pentanomial, Sprt, Verdict, elo_of_score, score_of_elo};

/// How pairs fall out in a match of Lines of Action: few draws, and an opening
/// that suits one side lets the same side win both games.
struct Openings {
    /// The share of pairs with a draw in them.
    drawn: f64,
    /// The share of pairs that one player takes with both games.
    swept: f64,
}

impl Openings {
    /// The chance of each class for a player who is `elo` stronger.
    fn chances(&self, elo: f64) -> [f64; 5] {
        let tilt = score_of_elo(elo) - 0.5;
        // A shift of `tilt` in the mean: by sweeps and by halves of drawn
        // pairs, in proportion to how many there are.
        let lean = tilt / (self.swept + self.drawn / 2.0);
        let sweep = |sign: f64| self.swept * (0.5 + sign * lean);
        let half = |sign: f64| self.drawn * (0.5 + sign * lean);
        let split = 1.0 - self.swept - self.drawn;
        [sweep(-1.0), half(-1.0), split, half(1.0), sweep(1.0)]
    }
}

fn draw(chances: &[f64; 5], random: &mut ChaCha8Rng) -> usize {
    let mut rest: f64 = random.random();
    for (class, chance) in chances.iter().enumerate() {
        rest -= chance;
        if rest < 0.0 {
            return class;
        }
    }
    4
}

/// The share of `matches` that end with H1 accepted.
fn accepted(sprt: &Sprt, chances: &[f64; 5], matches: u32, seed: u64) -> f64 {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let mut wins = 0;
    for _ in 0..matches {
        let mut pairs = Pentanomial::default();
        loop {
            pairs.0[draw(chances, &mut random)] += 1;
            match sprt.decide(&pairs).verdict {
                Verdict::Continue => {}
                Verdict::AcceptH0 => break,
                Verdict::AcceptH1 => {
                    wins += 1;
                    break;
                }
            }
        }
    }
    f64::from(wins) / f64::from(matches)
}

#[test]
fn the_simulated_openings_have_the_strength_they_claim() {
    let openings = Openings {
        drawn: 0.03,
        swept: 0.5,
    };
    for elo in [-40.0, 0.0, 25.0] {
        let chances = openings.chances(elo);
        assert!((chances.iter().sum::<f64>() - 1.0).abs() < 1e-12);
        let scores = Pentanomial::SCORES.iter().zip(chances);
        let mean: f64 = scores.map(|(score, chance)| score * chance).sum();
        assert!((elo_of_score(mean) - elo).abs() < 1e-9, "{elo} {mean}");
    }
}

#[test]
fn the_test_keeps_its_risks() {
    const MATCHES: u32 = 1500;
    // Four standard errors of a share of 5 % or 10 %.
    let slack = |risk: f64| 4.0 * (risk * (1.0 - risk) / f64::from(MATCHES)).sqrt();
    let cases = [
        // Settings, share of pairs drawn, share swept.
        ("elo0=0,elo1=40", 0.02, 0.5),
        ("elo0=-20,elo1=20", 0.0, 0.8),
        ("elo0=0,elo1=60,alpha=0.1,beta=0.05", 0.05, 0.3),
    ];
    for (seed, (settings, drawn, swept)) in (1..).zip(cases) {
        let sprt: Sprt = settings.parse().expect("valid settings");
        let openings = Openings { drawn, swept };
        let weak = openings.chances(sprt.elo0());
        let strong = openings.chances(sprt.elo1());
        let false_alarms = accepted(&sprt, &weak, MATCHES, seed);
        let power = accepted(&sprt, &strong, MATCHES, seed + 100);
        assert!(
            false_alarms <= sprt.alpha() + slack(sprt.alpha()),
            "{settings}: H1 accepted in {false_alarms} where H0 holds"
        );
        assert!(
            power >= 1.0 - sprt.beta() - slack(sprt.beta()),
            "{settings}: H1 accepted in {power} where it holds"
        );
    }
}
