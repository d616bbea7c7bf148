//! What match results say about strength: Elo, likelihood of superiority, the
//! sequential test of a match and the ratings of a round robin.
//!
//! ```
//! use loatune::stats::{GameScore, Points, Tally};
//!
//! let mut tally = Tally::default();
//! let game = |points, plies| GameScore { points, plies };
//! tally.add_pair(game(Points::Win, 40), game(Points::Draw, 200));
//! tally.add_pair(game(Points::Win, 37), game(Points::Loss, 52));
//! tally.add_pair(game(Points::Win, 61), game(Points::Win, 45));
//! let moments = tally.moments().expect("pairs were counted");
//! assert_eq!(moments.mean, 4.5 / 6.0);
//! assert!((moments.elo().value - 190.85).abs() < 0.01);
//! assert!(moments.los() > 0.95);
//! ```
//!
//! | file | purpose |
//! |---|---|
//! | `tally` | counts the games and pairs of a match |
//! | `pentanomial` | the counts of opening pairs by their points |
//! | `elo` | scores as Elo and back, and estimates with an interval |
//! | `moments` | mean and variance of results; Elo, normalised Elo and LOS |
//! | `sprt` | the sequential test (GSPRT) of two Elo hypotheses |
//! | `sprt_text` | its settings as text, `elo0=0,elo1=10` |
//! | `crosstable` | who scored how much against whom |
//! | `ratings` | Bradley–Terry ratings of a cross table |
//! | `regression` | logistic regression, the same bits on every platform |
//! | `row_sums` | what its rows add up to, in a fixed order and fast |
//! | `strengths` | the likeliest Bradley–Terry strengths, and their errors |
//! | `calibration` | from the value of a position to a chance of winning |
//! | `matrix` | the inverse that the ratings' errors need |
//! | `normal` | the normal distribution, from libm's `erfc` |
//!
//! Deliberately absent: boards, games, clocks and any printing. Every
//! error is a 95 % one. Logarithms and exponentials come from the platform, so
//! the last digits may differ between two platforms: these numbers may be
//! printed and may stop a match, but nothing that must be equal to the bit may
//! depend on them. The exception is [`regression`], which is made for that.

mod calibration;
mod crosstable;
mod elo;
mod matrix;
mod moments;
mod normal;
mod pentanomial;
mod ratings;
pub mod regression;
mod row_sums;
mod sprt;
mod sprt_text;
mod strengths;
mod tally;

#[cfg(test)]
mod simulation;

pub use calibration::{Calibration, JudgedPosition, ReliabilityBin};
pub use crosstable::{Crosstable, CrosstableError};
pub use elo::{Estimate, elo_of_score, score_of_elo};
pub use moments::Moments;
pub use normal::normal_cdf;
pub use pentanomial::Pentanomial;
pub use ratings::{Rating, Ratings};
pub use sprt::{Model, Sprt, SprtState, Verdict};
pub use sprt_text::SprtError;
pub use tally::{GameScore, Points, Record, Tally};
