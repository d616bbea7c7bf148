//! loatune evolves evaluation weights for the board game Lines of Action.
//!
//! The modules stand in the order in which data flows.
//!
//! Words used throughout, defined once:
//!
//! * **ply**: one move of one side; **side**: Black (`x`, moves first) or
//!   White (`o`);
//! * **line**: a row, column or diagonal; a piece moves along it exactly as
//!   many squares as it holds pieces;
//! * **quad**: a 2×2 window of the board; **Euler number**: a side's groups
//!   minus its holes, from counting quads;
//! * **snapshot**: what can be known of a position without its line contents;
//! * **pair**: the two games of one opening, colours swapped;
//!   **pentanomial**: how many pairs brought 0, ½, 1, 1½ and 2 points.

pub mod util;

pub mod random;

pub mod board;

pub mod game;

pub mod notation;

pub mod eval;

pub mod search;

pub mod stats;

pub mod document;

pub mod params;

pub mod weights;

pub mod arena;

pub mod evolve;

pub mod store;

pub mod charts;

pub mod api;

pub mod run;

pub mod serve;

pub mod ugi;

pub mod cli;

#[cfg(test)]
mod layers;
