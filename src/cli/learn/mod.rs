//! Commands that learn from games: weights, and what features are worth.
//!
//! | file | purpose |
//! |---|---|
//! | `fit` | `loatune fit`: weights from games |
//! | `fit_report` | what a fit found, as text and JSON |
//! | `features` | `loatune features`: what features are worth |
//! | `features_report` | what was measured, as text, JSON and bars |
//! | `cost` | how much slower a feature makes a search |
//! | `game_source` | games of SGF files, of a population, or freshly played |

mod cost;
mod features;
mod features_report;
mod fit;
mod fit_report;
pub(super) mod game_source;

pub(super) use features::Features;
pub(super) use fit::Fit;
