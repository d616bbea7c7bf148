//! What is learned from games: weights, what features are worth, what weights
//! value.

mod explain;
mod features;
mod fit;
