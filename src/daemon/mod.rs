//! The daemon: works on a population until one survives and is proved.
//!
//! Owns the course of a sitting: games played ahead and applied in order, the
//! proof, and what is shown meanwhile. The rule is [`crate::evolve`]'s, what is
//! kept and how is [`crate::store`]'s; nothing here prints or reads signals.
//!
//! | file | purpose |
//! |---|---|
//! | `crew` | threads that play the games of drawn matches |
//! | `early` | games that came before their turn |
//! | `ledger` | where results go |
//! | `evolving` | the main loop |
//! | `measuring` | the hall's strength while it goes on |
//! | `proving` | the matches of the certificate and of the hall |
//! | `champion` | the champion as a weight file |
//! | `session` | a sitting from start to end |
//! | `pace` | how fast it goes, and how long it will take |
//! | `glance` | the status of a population |
//! | `window` | what others see while it goes on |

mod champion;
mod crew;
mod early;
mod evolving;
mod glance;
mod ledger;
mod measuring;
mod pace;
mod proving;
mod session;
mod window;

pub use champion::{Births, champion_file};
pub use crew::{Crew, Desk, Measure, Played, Setup, Waited};
pub use evolving::{Ended, RunError, Watcher, evolve};
pub use glance::{Circumstances, status};
pub use ledger::Ledger;
pub use pace::{Forecast, Pace};
pub use session::{Audience, Session, SessionError, Sitting, immigrate, now};
pub use window::{Now, Window, Wish};
