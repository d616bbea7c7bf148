//! What is shown of a population, a game or a position: one shape for the
//! commands' JSON, the page and whoever asks the running daemon.
//!
//! Owns the names and the meaning of every field that is printed or served. It
//! reads no store, knows no network and prints nothing; a field that is not
//! known is `null`, never left out and never guessed.
//!
//! | file | purpose |
//! |---|---|
//! | `status` | a population at a glance |
//! | `file` | a weight file: weights, ancestry, what it has done |
//! | `match_view` | a match with both its games |
//! | `event` | something that happened, numbered |
//! | `source` | what is asked of a population |
//! | `listing` | a position's legal moves, `loatune moves` |
//! | `analysis` | a position's evaluation and search, `loatune analyse` |

mod analysis;
mod event;
mod file;
mod listing;
mod match_view;
mod source;
mod status;

pub use analysis::{Analysis, BothSides, Depth, Timed, move_names};
pub use event::{EventView, Happening};
pub use file::{DeathView, FileRow, FileView, FilesView, GeneView, Range, origin_name};
pub use listing::{Listing, sorted_moves};
pub use match_view::{GameRow, GameView, MatchRow, MatchView, MatchesView};
pub use source::{ChartView, MatchQuery, Problem, Source};
pub use status::{ChampionView, FinalView, HallView, Leader, State, Status};
