//! The fleet: the games of one run, played on many machines.
//!
//! A coordinator, which is a run, gives out matches through a NATS broker with
//! JetStream; workers on other machines play them and send the games back. The
//! coordinator is one more [`GameSource`](crate::run::GameSource): what it hands
//! to the event loop is applied in the same order and with the same bytes as
//! games of its own threads, so the champion is the same.
//!
//! The broker is disposable. The journal on the coordinator's disk is the only
//! truth; what is not answered in time is published again, the first result of a
//! match counts, and a second one is compared with it. Workers are trusted as
//! far as they were checked: see the dispatcher of [`coordinator`].
//!
//! Only this module knows NATS. It reads no store and prints nothing.
//!
//! | file | purpose |
//! |---|---|
//! | `connection` | the broker's address, credentials, the connection |
//! | `subjects` | the names of subjects, streams and consumers |
//! | `wire` | the messages |
//! | `pair_player` | plays the two games of a task on a thread |
//! | `coordinator` | gives out work, takes results, checks workers |
//! | `worker` | takes work, plays, sends results |

pub mod connection;
pub mod coordinator;
mod pair_player;
mod subjects;
pub mod wire;
pub mod worker;

pub use connection::{Broker, BrokerError};
pub use coordinator::Coordinator;
pub use subjects::Subjects;
pub use worker::{WorkerEnd, WorkerError, WorkerSettings, WorkerStatus, work};
