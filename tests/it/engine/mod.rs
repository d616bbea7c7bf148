//! The engine as a library: the board, the rules, how they are written down,
//! what a position is worth and what is best in it.

mod board;
mod connect;
mod mcts;
mod notation;
mod ports;
mod published_champion;
mod rules;
mod search;
mod selective;
mod signature;
mod solver;
mod suite;
mod trace;
