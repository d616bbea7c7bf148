//! Opening books: which first moves have won in games, by position.
//!
//! Owns what a book knows, its file, and what can be done with books: look a
//! position up, merge, prune, write as a tree of games. Positions are kept under
//! the board's symmetries: one of the eight images stands for all, and a look-up
//! turns the move back. It plays no games: [`crate::learn`] builds books by
//! self-play, and [`crate::arena`] lets players follow them.
//!
//! A *book* is not a file of openings (`crate::arena::openings`): that says
//! where the games of a match begin, a book says what a player plays there.
//!
//! | file | purpose |
//! |---|---|
//! | `entry` | the games of one move: score, error, the bound that moves are chosen by |
//! | `table` | positions and moves, adding games, looking up |
//! | `making` | the conditions under which a book was made |
//! | `combine` | merging and pruning |
//! | `file` | the file: header, a line a position, checksum |
//! | `tree` | the book as trees of moves, for SGF |

mod combine;
mod entry;
mod file;
mod making;
mod table;
mod tree;

pub use combine::{MergeError, Pruning};
pub use entry::BookMove;
pub use file::{BookFileError, FileProblem, LineProblem};
pub use making::{Making, MakingOpenings};
pub(crate) use table::PositionKey;
pub use table::{Book, BookPosition, LEAST_GAMES};
