//! What played games teach: weights from positions and the outcomes of their
//! games, and opening books.
//!
//! Owns the way from games to weights: which positions of a game are looked
//! at, the regression's table, the shapes that the likelihood chooses, the
//! scale, and how well the result predicts games that it has not seen. It
//! never prints, and knows neither populations nor files. Everything here is
//! the same to the bit on every machine and with any number of threads.
//!
//! | file | purpose |
//! |---|---|
//! | `sample` | the positions of a game, with what came of it |
//! | `design` | positions as rows of a regression |
//! | `fit` | from games to weights |
//! | `shapes` | powers and other shapes, chosen by likelihood |
//! | `scale` | coefficients in nats as weights on the grid, within bounds |
//! | `self_play` | games that are played to be learned from |
//! | `held_out` | how well fits predict games that they have not seen |
//! | `explain` | what weights value, on real positions |
//! | `outside` | values from rows of features that another program has |
//! | `laboratory` | what features, and two phases, are worth |
//! | `phase_measures` | how far a game has gone, in several ways |
//! | `book` | opening books from games of a player against itself |
//!
//! A game becomes a [`SampledGame`], many of them a [`Fit`]:
//!
//! ```
//! use loatune::arena::openings::Start;
//! use loatune::arena::{Builtin, MoveLimits, Opening, play_game};
//! use loatune::board::Board;
//! use loatune::eval::Weights;
//! use loatune::game::Rules;
//! use loatune::learn::{FitSettings, SampledGame, Sampling, fit};
//! use loatune::search::Algorithm;
//!
//! let limits = MoveLimits { depth: Some(1), ..MoveLimits::default() };
//! let player = |weights: &Weights| Builtin::new("", Algorithm::Mtdf, weights, limits);
//! let start = Start {
//!     opening: Opening { first: Board::start(), moves: Vec::new() },
//!     seed: 0,
//! };
//! let games: Vec<SampledGame> = (0..4)
//!     .map(|seed| {
//!         let weights = loatune::weights::random_weights(seed);
//!         let [mut black, mut white] = [player(&weights), player(&Weights::source())];
//!         let record = play_game([&mut black, &mut white], &Rules::default(), &start, &|| false)
//!             .expect("nothing stops this game");
//!         SampledGame::from_record(&record, &Sampling::default())
//!     })
//!     .collect();
//! let fit = fit(&games, &FitSettings::default()).expect("there are positions");
//! fit.weights.validate()?;
//! # Ok::<(), loatune::eval::WeightsError>(())
//! ```
//!
//! The rows of a [`Position`] carry a target and a weight of their own, so a
//! caller may blend outcomes with the values of searches, or let a game count
//! as much as any other, by changing them before the fit; in self-play
//! [`SelfPlay::learn_budgets`] lets it do so.

pub mod book;
mod design;
mod explain;
mod fit;
mod forward;
mod held_out;
mod judge;
mod laboratory;
mod outside;
mod phase_measures;
mod sample;
mod scale;
mod self_play;
mod shapes;
#[cfg(test)]
mod test_support;

pub use design::{design_matrix, value_matrix};
pub use explain::{
    EXPLAINED_DEPTH, EXPLAINED_GAMES, Explanation, FeatureShare, explain, explain_by_play,
};
pub use fit::{Fit, FitSettings, fit, fit_unless_stopped};
pub use forward::{Forward, ForwardStep, select_forward};
pub use held_out::{Bin, FOLDS, HeldOut, MeanOverGames, held_out};
pub use laboratory::{FeatureWorth, PhaseWorth, TURN, Worths, measure_features};
pub use outside::{OutsideFit, fit_outside};
pub use sample::{Position, SampledGame, Sampling};
pub use self_play::{Prepare, SelfPlay, SelfPlayError, SelfPlayEvent, SelfPlayed};
