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
//! * **snapshot**: what can be known of a position without its line contents.

pub mod params;

pub mod rules;

pub mod board;

pub mod game;

pub mod notation;

pub mod eval;

pub mod search;

pub mod perft;

pub mod think;

mod input;

pub mod ugi;

pub mod cli;
