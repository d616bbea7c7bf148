//! Commands about one position and about the weights that judge it. They play
//! no game and know no population.

mod analyse;
mod explanation;
mod moves;
mod perft;
mod show;
mod solve;
mod trace_table;
mod weights;

pub(super) use analyse::Analyse;
pub(super) use moves::Moves;
pub(super) use perft::Perft;
pub(super) use show::Show;
pub(super) use solve::Solve;
pub(super) use weights::Weights;
