//! The arena: games between players, and what follows from many of them.
//!
//! Owns players as opponents, openings, finished games, the worker pool that
//! plays them and the order in which a match counts them. It asks for no
//! entropy, only a player with a time limit and the wait for another program
//! look at the clock, and nothing here prints.
//!
//! | file | purpose |
//! |---|---|
//! | `contender` | what is asked of a player, and how one can fail |
//! | `builtin` | our own engine as a player |
//! | `book_player` | a player that follows an opening book |
//! | `external` | another program as a player |
//! | `spec` | players as people name them, `mine.toml@mtdf:5` |
//! | `panel` | who may sit on the panel of a proof |
//! | `openings` | random openings, and those of a file |
//! | `clock` | time controls of a whole game |
//! | `referee` | what may end a game beside its rules |
//! | `game` | one game between two players |
//! | `record` | a finished game as values, and its replay |
//! | `position_table` | games as a table of positions and features |
//! | `worker_pool` | the threads that play games |
//! | `reorder_buffer` | games that come before their turn |
//! | `schedule` | who plays whom, in which order |
//! | `fault_watch` | when a player is too broken to go on |
//! | `match_runner` | the games of a schedule, counted in order |
//! | `summary` | what a match adds up to |

pub mod book_player;
pub mod builtin;
pub mod clock;
pub mod contender;
pub mod external;
pub mod fault_watch;
pub mod game;
pub mod match_runner;
pub mod openings;
pub mod panel;
pub mod position_table;
pub mod record;
pub mod referee;
pub mod reorder_buffer;
pub mod schedule;
pub mod spec;
pub mod summary;
pub mod worker_pool;

pub use book_player::{BookPlayer, PlayerBook};
pub use builtin::{Builtin, SearchedPosition};
pub use clock::{Clocks, TimeControl};
pub use contender::{Choice, Contender, Fault, MoveLimits};
pub use external::{External, SpinOption, StartError, Timeouts};
pub use fault_watch::{Broken, FaultWatch};
pub use game::{TimeUsed, TimedGame, play_game, play_timed_game};
pub use openings::{Opening, Openings};
pub use record::{EndCause, GameOutcome, GameRecord, ReplayError};
pub use referee::{Adjudication, Referee};
pub use reorder_buffer::{PairHalf, ReorderBuffer};
pub use spec::{PlayerSpec, SpecError};
pub use summary::Summary;
pub use worker_pool::{PoolError, PoolEvent, Worker, WorkerPanic, WorkerPool};
