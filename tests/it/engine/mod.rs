//! The engine as a library: the board, the rules, how they are written down,
//! what a position is worth and what is best in it.

mod board;
mod notation;
mod rules;
mod search;
mod signature;
mod trace;
