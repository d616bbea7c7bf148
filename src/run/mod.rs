//! A run: works on a population until one survives and is proved.
//!
//! Owns the course of a run: games played ahead and applied in order, the
//! proof, the champion's file, verification, and what is shown meanwhile. The
//! rule is [`crate::evolve`]'s, what is kept and how is [`crate::store`]'s, the
//! threads are [`crate::arena::WorkerPool`]'s; nothing here prints or reads
//! signals.
//!
//! | file | purpose |
//! |---|---|
//! | `run` | a run from start to end |
//! | `event_loop` | matches played ahead and applied in order |
//! | `game_source` | who plays: threads of this process, or a fleet |
//! | `worker` | the players and openings of one thread |
//! | `foreign` | another program whose options are the genes |
//! | `same_engine` | whether that program still plays as it did |
//! | `fault_limit` | when that program has failed too often |
//! | `engine_lesson` | what games teach about that program's options |
//! | `result_sink` | where results go |
//! | `school` | what the positions of recent games teach |
//! | `lessons` | lessons on a thread of their own, beside the games |
//! | `hall_matches` | the hall's strength while the evolution goes on |
//! | `proof` | the matches of the certificate, and whether they hold |
//! | `champion` | the champion as a weight file |
//! | `command` | commands from outside: stop, import |
//! | `reporter` | keeps status and observers up to date |
//! | `workload` | games that are done, and that are left |
//! | `pace` | games a second, and the time that is left |
//! | `status` | the status of a population |
//! | `event_feed` | matches and what they brought, in one order |
//! | `event_index` | the notable events in memory, for the history |
//! | `file_index` | all files in memory, to search and sort them |
//! | `speed_history` | how fast it went so far |
//! | `match_list` | matches that fit a query |
//! | `source_answer` | what is answered where the store cannot be read |
//! | `live_population` | what other threads see while it goes on |
//! | `verify` | is everything that a population says true? |

mod champion;
mod command;
mod engine_lesson;
mod event_feed;
mod event_index;
mod event_loop;
mod fault_limit;
mod file_index;
mod foreign;
mod game_source;
mod hall_matches;
mod lessons;
mod live_population;
mod match_list;
mod pace;
pub mod proof;
mod reporter;
mod result_sink;
#[allow(clippy::module_inception)]
mod run;
mod same_engine;
mod school;
mod source_answer;
mod speed_history;
mod status;
pub mod verify;
mod worker;
mod workload;

pub use champion::{
    Births, ChampionFile, champion_file, champion_name, keep_former_champion, option_file,
    remove_former_champion,
};
pub use command::{Command, immigrate};
pub use event_loop::{Ended, LoopError, LoopHandler, drive, evolve};
pub use fault_limit::KeepsFailing;
pub use foreign::{Foreign, ForeignError};
pub use game_source::{GameEvent, GameSource, OpenFleet, SourceFault, Task};
pub use live_population::{Latest, LivePopulation};
pub use pace::{Forecast, Pace};
pub use result_sink::ResultSink;
pub use run::{Observer, Run, RunError, RunOutcome};
pub use same_engine::{SameEngineError, match_that_differs};
pub use status::{RunContext, status};
pub use worker::{GameSettings, Measurement, Played, RunPool, RunWorker};
