//! Opening books from games of a player against itself.
//!
//! Each game begins at an opening and follows the book as far as it goes, each
//! side choosing as a bandit does: moves that have won, and moves of which
//! little is known. Where it leaves the book the player plays on by itself, and
//! what comes of the game is counted for every move on the way. So a book grows
//! as the tree of a Monte-Carlo tree search does, with whole games of a real
//! player in place of simulations.
//!
//! A game follows from the settings, its number and the results of all games but
//! the last few before it (`WINDOW`), so any number of threads plays the same
//! games, and a stopped building goes on from the results alone.
//!
//! | file | purpose |
//! |---|---|
//! | `planner` | which moves a game begins with, and what its result adds |
//! | `ranking` | the order in which further moves are tried |
//! | `play` | the games themselves, by a worker pool |

mod planner;
mod play;
mod ranking;

pub use planner::{BookGame, Growth, Plan, Planner, WrongGame};
pub use play::{BookBuild, BookBuildError, book_openings};
