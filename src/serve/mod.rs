//! How a population is reached from outside its process: the page with its HTTP
//! interface, the socket through which commands talk to a running daemon, and
//! the fleet of machines that play for a run.
//!
//! Every answer comes through [`crate::api::Source`]; this module knows no
//! store.

pub mod control;
pub mod fleet;
pub mod http;
