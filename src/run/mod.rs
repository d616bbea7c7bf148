//! The daemon: works on a population until one survives and is proved.
//!
//! Owns the course of a sitting: games played ahead and applied in order, the
//! proof, and what is shown meanwhile. The rule is [`crate::evolve`]'s, what is
//! kept and how is [`crate::store`]'s; nothing here prints or reads signals.
//!
//! | file | purpose |
//! |---|---|
//! | `worker_pool` | threads that play the games of drawn matches |
//! | `reorder_buffer` | games that came before their turn |
//! | `result_sink` | where results go |
//! | `event_loop` | the main loop |
//! | `measuring` | the hall's strength while it goes on |
//! | `proving` | the matches of the certificate and of the hall |
//! | `champion` | the champion as a weight file |
//! | `session` | a sitting from start to end |
//! | `pace` | how fast it goes, and how long it will take |
//! | `status` | the status of a population |
//! | `live_population` | what others see while it goes on |

mod champion;
mod event_loop;
mod live_population;
mod measuring;
mod pace;
pub mod proof;
mod proving;
mod reorder_buffer;
mod result_sink;
mod session;
mod status;
pub mod verify;
mod worker_pool;

pub use champion::{Births, champion_file};
pub use event_loop::{Ended, RunError, Watcher, evolve};
pub use live_population::{Now, Window, Wish};
pub use pace::{Forecast, Pace};
pub use result_sink::Ledger;
pub use session::{Audience, Session, SessionError, Sitting, immigrate, now};
pub use status::{Circumstances, status};
pub use worker_pool::{Crew, Desk, Measure, Played, Setup, Waited};
