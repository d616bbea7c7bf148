//! The generalised sequential probability ratio test of a match: plays on
//! until one of two Elo differences is much likelier than the other.
//!
//! H0 says that the difference is `elo0`, H1 that it is `elo1`. A hypothesis
//! fixes only the mean of a pair's score, so each is represented by the
//! likeliest distribution that has this mean (M. Van den Bergh, "The
//! generalized likelihood ratio test for a multinomial distribution"). In the
//! normalised model it fixes the mean in standard deviations instead (the same,
//! "Normalized Elo").
//!
//! The risks hold for long matches and, measured over 20,000 simulated matches
//! each, for short ones too: with both risks at 5 %, tests that took 17 to 670
//! pairs on average accepted H1 wrongly in 4.2–5.2 % of the matches and H0 in
//! 3.6–6.1 %, the most where 97 % of all pairs were split.

use serde::Serialize;

use std::f64::consts::SQRT_2;

use super::elo::score_of_elo;
use super::moments::Moments;
use super::pentanomial::Pentanomial;
use super::sprt_text::SprtError;

/// The settings of a test, checked.
///
/// # Examples
///
/// ```
/// use loatune::stats::{Pentanomial, Sprt, Verdict};
///
/// let sprt: Sprt = "elo0=0,elo1=10".parse()?;
/// let state = sprt.decide(&Pentanomial([200, 5, 600, 6, 330]));
/// assert!(state.llr >= state.upper);
/// assert_eq!(state.verdict, Verdict::AcceptH1);
/// # Ok::<(), loatune::stats::SprtError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Sprt {
    elo0: f64,
    elo1: f64,
    alpha: f64,
    beta: f64,
    model: Model,
}

/// What the Elo differences of a test are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Model {
    /// Elo as it is printed: a hypothesis fixes the mean score.
    #[default]
    Logistic,
    /// Normalised Elo: a hypothesis fixes how far the mean score is from ½, in
    /// standard deviations of a game.
    Normalized,
}

impl Model {
    /// The name in settings and in every JSON output.
    pub const fn name(self) -> &'static str {
        match self {
            Model::Logistic => "logistic",
            Model::Normalized => "normalized",
        }
    }

    /// What the numbers of the hypotheses are, for people.
    pub const fn meaning(self) -> &'static str {
        match self {
            Model::Logistic => "logistic Elo",
            Model::Normalized => "normalised Elo",
        }
    }
}

/// What a test says about the pairs so far.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct SprtState {
    /// The logarithm of the likelihood ratio, H1 over H0.
    pub llr: f64,
    /// H0 is accepted here or below.
    pub lower: f64,
    /// H1 is accepted here or above.
    pub upper: f64,
    /// Which bound the ratio has reached, if any.
    pub verdict: Verdict,
}

/// Whether to play on, or which hypothesis is accepted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// Neither bound is reached.
    Continue,
    /// The difference is `elo0` rather than `elo1`.
    AcceptH0,
    /// The difference is `elo1` rather than `elo0`.
    AcceptH1,
}

/// What an outcome class that never occurred counts as. With a zero, no
/// distribution could have the mean of a hypothesis where, say, all pairs were
/// won, and the test would stand still.
const EMPTY_CLASS: f64 = 1e-3;

impl Sprt {
    /// `alpha` and `beta` where none are given.
    pub const DEFAULT_RISK: f64 = 0.05;

    /// The largest hypothesis, either way: a score of 0.3 % or 99.7 %.
    pub const MAX_ELO: f64 = 1000.0;

    /// A test of `elo0` against `elo1`, where `alpha` is the risk of accepting
    /// H1 although H0 holds, and `beta` that of accepting H0 although H1 does.
    ///
    /// # Errors
    ///
    /// A hypothesis beyond ±[`Sprt::MAX_ELO`], an `elo0` that is not below
    /// `elo1`, or a risk that is not between 0 and ½.
    pub fn new(elo0: f64, elo1: f64, alpha: f64, beta: f64) -> Result<Sprt, SprtError> {
        for (key, elo) in [("elo0", elo0), ("elo1", elo1)] {
            if !(-Self::MAX_ELO..=Self::MAX_ELO).contains(&elo) {
                return Err(SprtError::Elo { key, value: elo });
            }
        }
        if elo0 >= elo1 {
            return Err(SprtError::Order { elo0, elo1 });
        }
        for (key, risk) in [("alpha", alpha), ("beta", beta)] {
            if !(risk > 0.0 && risk < 0.5) {
                return Err(SprtError::Risk { key, value: risk });
            }
        }
        Ok(Sprt {
            elo0,
            elo1,
            alpha,
            beta,
            model: Model::Logistic,
        })
    }

    /// The largest hypothesis in normalised Elo: beyond it the likeliest
    /// distribution need not exist.
    pub const MAX_NORMALIZED: f64 = 200.0;

    /// The same test, with hypotheses in the Elo of `model`.
    ///
    /// # Errors
    ///
    /// A hypothesis beyond ±[`Sprt::MAX_NORMALIZED`] where it is normalised.
    pub fn with_model(self, model: Model) -> Result<Sprt, SprtError> {
        if model == Model::Normalized {
            for (key, value) in [("elo0", self.elo0), ("elo1", self.elo1)] {
                if value.abs() > Self::MAX_NORMALIZED {
                    return Err(SprtError::Normalized { key, value });
                }
            }
        }
        Ok(Sprt { model, ..self })
    }

    /// What the hypotheses are.
    pub fn model(&self) -> Model {
        self.model
    }

    /// The Elo difference of H0.
    pub fn elo0(&self) -> f64 {
        self.elo0
    }

    /// The Elo difference of H1.
    pub fn elo1(&self) -> f64 {
        self.elo1
    }

    /// The risk of accepting H1 although H0 holds.
    pub fn alpha(&self) -> f64 {
        self.alpha
    }

    /// The risk of accepting H0 although H1 holds.
    pub fn beta(&self) -> f64 {
        self.beta
    }

    /// The log-likelihood ratio at or below which the test accepts H0.
    pub fn lower(&self) -> f64 {
        (self.beta / (1.0 - self.alpha)).ln()
    }

    /// The log-likelihood ratio at or above which the test accepts H1.
    pub fn upper(&self) -> f64 {
        ((1.0 - self.beta) / self.alpha).ln()
    }

    /// The state of the test after these pairs.
    pub fn decide(&self, pairs: &Pentanomial) -> SprtState {
        let llr = self.llr(pairs);
        let (lower, upper) = (self.lower(), self.upper());
        let verdict = if llr >= upper {
            Verdict::AcceptH1
        } else if llr <= lower {
            Verdict::AcceptH0
        } else {
            Verdict::Continue
        };
        SprtState {
            llr,
            lower,
            upper,
            verdict,
        }
    }

    fn llr(&self, pairs: &Pentanomial) -> f64 {
        if pairs.pairs() == 0 {
            return 0.0;
        }
        let counts = pairs.0.map(|n| if n == 0 { EMPTY_CLASS } else { n as f64 });
        let divisors = |elo: f64| match self.model {
            Model::Logistic => divisors_at(&counts, score_of_elo(elo)),
            Model::Normalized => divisors_at_t(&counts, SQRT_2 * elo / Moments::NELO_PER_SIGMA),
        };
        let (divisors0, divisors1) = (divisors(self.elo0), divisors(self.elo1));
        let ratios = divisors0.into_iter().zip(divisors1);
        let terms = counts.into_iter().zip(ratios);
        terms.map(|(n, (d0, d1))| n * (d0 / d1).ln()).sum()
    }
}

/// By what each class's observed share is divided in the likeliest distribution
/// with this mean: pᵢ = p̂ᵢ / (1 + θ·(aᵢ − mean)), with θ such that
/// Σ p̂ᵢ·(aᵢ − mean) / (1 + θ·(aᵢ − mean)) is zero.
fn divisors_at(counts: &[f64; 5], mean: f64) -> [f64; 5] {
    let offsets = Pentanomial::SCORES.map(|score| score - mean);
    divisors(counts, offsets)
}

/// The same for the likeliest distribution whose mean is `t` of its standard
/// deviations above ½. That is no linear condition, so it is replaced by its
/// tangent at the last distribution until nothing changes any more.
fn divisors_at_t(counts: &[f64; 5], t: f64) -> [f64; 5] {
    let all: f64 = counts.iter().sum();
    let mut shares = [0.2; 5];
    let mut found = [1.0; 5];
    for _ in 0..MAX_STEPS {
        let pairs = || shares.into_iter().zip(Pentanomial::SCORES);
        let whole: f64 = shares.iter().sum();
        let mean = pairs().map(|(p, a)| p * a).sum::<f64>() / whole;
        let variance = pairs()
            .map(|(p, a)| p * (a - mean) * (a - mean))
            .sum::<f64>()
            / whole;
        let sigma = variance.sqrt();
        let offsets = Pentanomial::SCORES.map(|a| {
            let z = (mean - a) / sigma;
            a - 0.5 - t * sigma * (1.0 + z * z) / 2.0
        });
        found = divisors(counts, offsets);
        let next: [f64; 5] = std::array::from_fn(|n| counts[n] / all / found[n]);
        let change = (0..5)
            .map(|n| (next[n] - shares[n]).abs())
            .fold(0.0, f64::max);
        shares = next;
        if change < 1e-12 {
            break;
        }
    }
    found
}

/// The divisors 1 + θ·offset with θ such that Σ p̂ᵢ·offsetᵢ / (1 + θ·offsetᵢ) is
/// zero.
fn divisors(counts: &[f64; 5], offsets: [f64; 5]) -> [f64; 5] {
    // The sum falls all the way from plus to minus infinity in this interval,
    // where every divisor is positive: Newton's steps find the one root, and
    // halving takes over where a step would leave what encloses it.
    let least = offsets.into_iter().fold(f64::INFINITY, f64::min);
    let most = offsets.into_iter().fold(f64::NEG_INFINITY, f64::max);
    let (mut low, mut high) = (-1.0 / most, -1.0 / least);
    let close_enough = 1e-15 * (high - low);
    let mut theta = 0.0;
    for _ in 0..MAX_STEPS {
        let (mut sum, mut fall) = (0.0, 0.0);
        for (count, offset) in counts.iter().zip(offsets) {
            let part = offset / (1.0 + theta * offset);
            sum += count * part;
            fall += count * part * part;
        }
        if sum > 0.0 {
            low = theta;
        } else {
            high = theta;
        }
        let step = sum / fall;
        if step.abs() <= close_enough {
            break;
        }
        theta += step;
        if !(low < theta && theta < high) {
            theta = 0.5 * (low + high);
        }
    }
    offsets.map(|offset| 1.0 + theta * offset)
}

/// Newton's method alone mostly takes 4 steps, with a class near its end about
/// 15; halving alone would take some 50.
const MAX_STEPS: u32 = 100;

#[cfg(test)]
mod tests {
    use super::*;

    fn test(elo0: f64, elo1: f64) -> Sprt {
        Sprt::new(elo0, elo1, 0.05, 0.05).expect("a valid test")
    }

    #[test]
    fn normalised_llr_of_an_independent_optimiser() {
        // The best over all means of the likeliest distribution with that mean
        // and the variance that belongs to it: two linear conditions each, by
        // Newton's method, and a golden section over the means.
        let known = [
            ([223, 9863, 21279, 10037, 246], 0.0, 2.0, 1.096_834_254),
            ([40, 3, 120, 2, 55], 0.0, 10.0, 0.710_948_555),
            ([20, 0, 60, 0, 41], 0.0, 10.0, 1.105_015_272),
            ([300, 10, 900, 12, 280], -10.0, 0.0, 0.005_247_428),
        ];
        for (pairs, elo0, elo1, llr) in known {
            let test = test(elo0, elo1).with_model(Model::Normalized);
            let found = test.expect("a valid test").decide(&Pentanomial(pairs)).llr;
            assert!((found - llr).abs() < 1e-6, "{pairs:?}: {found}, not {llr}");
        }
    }

    #[test]
    fn the_normalised_test_is_finite_at_its_limits() {
        let widest = test(-200.0, 200.0).with_model(Model::Normalized);
        let widest = widest.expect("a valid test");
        for pairs in [
            [0, 0, 1, 0, 0],
            [9, 0, 0, 0, 0],
            [0, 0, 0, 0, 9],
            [5, 1, 0, 0, 60],
        ] {
            let llr = widest.decide(&Pentanomial(pairs)).llr;
            assert!(llr.is_finite(), "{pairs:?}: {llr}");
        }
    }

    #[test]
    fn llr_of_an_independent_optimiser() {
        // The likeliest logarithms of probabilities under both constraints
        // (sum 1, mean of the hypothesis), by scipy's SLSQP followed by
        // Newton's method on the optimality conditions. The first two are
        // among the values fastchess tests itself against: -3.07 and -4.98.
        let known = [
            ([223, 9863, 21279, 10037, 246], 0.5, 2.5, -3.074_126_439_6),
            ([871, 26175, 55983, 26678, 821], 0.0, 2.0, -4.978_672_863_4),
            ([40, 3, 120, 2, 55], 0.0, 10.0, 0.747_739_195_0),
            ([20, 0, 60, 0, 41], 0.0, 10.0, 1.104_557_435_8),
            ([300, 10, 900, 12, 280], -10.0, 0.0, 0.192_734_829_1),
            ([5, 1, 0, 0, 60], 0.0, 200.0, 21.484_701_597_0),
            ([0, 0, 10, 0, 0], 0.0, 10.0, -0.285_795_862_0),
            ([0, 0, 1, 0, 0], 0.0, 5.0, -0.011_281_921_4),
            ([0, 0, 0, 0, 12], 0.0, 10.0, 0.340_473_807_2),
            ([12, 0, 0, 0, 0], 0.0, 10.0, -0.350_416_808_3),
            ([0, 0, 0, 0, 12], -20.0, 30.0, 1.702_410_126_5),
            ([0, 0, 0, 0, 1000], -5.0, 0.0, 14.494_735_150_9),
            ([1, 0, 0, 0, 0], 400.0, 600.0, -1.090_312_314_1),
        ];
        for (counts, elo0, elo1, expected) in known {
            let llr = test(elo0, elo1).decide(&Pentanomial(counts)).llr;
            assert!((llr - expected).abs() < 1e-8, "{counts:?}: {llr}");
        }
    }

    #[test]
    fn turning_the_match_around_turns_the_sign() {
        let pairs = Pentanomial([31, 2, 80, 0, 49]);
        let there = test(-3.0, 8.0).decide(&pairs).llr;
        let back = test(-8.0, 3.0).decide(&pairs.reversed()).llr;
        assert!((there + back).abs() < 1e-12);
    }

    #[test]
    fn only_wins_come_to_an_end() {
        let sprt = test(0.0, 10.0);
        let mut pairs = Pentanomial::default();
        let mut last = 0.0;
        while sprt.decide(&pairs).verdict == Verdict::Continue {
            pairs.0[4] += 1;
            let llr = sprt.decide(&pairs).llr;
            assert!(llr > last, "{llr} after {}", pairs.pairs());
            last = llr;
        }
        assert_eq!(sprt.decide(&pairs).verdict, Verdict::AcceptH1);
        // A won pair adds about ln(score1/score0) = 0.0284.
        assert_eq!(pairs.pairs(), 104);
    }

    #[test]
    fn bounds_by_wald() {
        let state = test(0.0, 10.0).decide(&Pentanomial::default());
        assert_eq!(state.llr, 0.0);
        assert_eq!(state.verdict, Verdict::Continue);
        // ln(0.05/0.95) and ln(0.95/0.05).
        assert!((state.lower + 2.944_438_979_166_44).abs() < 1e-12);
        assert!((state.upper - 2.944_438_979_166_44).abs() < 1e-12);
        // ln(0.2/0.9) and ln(0.8/0.1).
        let uneven = Sprt::new(0.0, 10.0, 0.1, 0.2).expect("a valid test");
        assert!((uneven.lower() + 1.504_077_396_776_27).abs() < 1e-12);
        assert!((uneven.upper() - 2.079_441_541_679_84).abs() < 1e-12);
    }

    #[test]
    fn clear_matches_are_decided() {
        let sprt = test(0.0, 10.0);
        let verdict = |counts| sprt.decide(&Pentanomial(counts)).verdict;
        assert_eq!(verdict([200, 5, 600, 6, 330]), Verdict::AcceptH1);
        assert_eq!(verdict([330, 6, 600, 5, 200]), Verdict::AcceptH0);
        assert_eq!(verdict([20, 1, 60, 1, 22]), Verdict::Continue);
    }

    #[test]
    fn the_form_in_json() {
        let state = SprtState {
            llr: 0.5,
            lower: -2.0,
            upper: 2.0,
            verdict: Verdict::AcceptH0,
        };
        let json = serde_json::to_string(&state).expect("a state is JSON");
        assert_eq!(
            json,
            r#"{"llr":0.5,"lower":-2.0,"upper":2.0,"verdict":"accept-h0"}"#
        );
    }

    #[test]
    fn extreme_counts_stay_finite() {
        let sprt = Sprt::new(-1000.0, 1000.0, 0.001, 0.499).expect("a valid test");
        for class in 0..5 {
            for count in [1, 1_000, 1_000_000_000_000] {
                let mut pairs = Pentanomial::default();
                pairs.0[class] = count;
                let llr = sprt.decide(&pairs).llr;
                assert!(llr.is_finite(), "{count} in {class}: {llr}");
                if class != 2 {
                    assert_eq!(llr > 0.0, class > 2, "{count} in {class}: {llr}");
                }
            }
        }
    }
}
