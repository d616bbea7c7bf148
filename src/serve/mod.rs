//! How a population is reached from outside its process: the page with its HTTP
//! interface, and the socket through which commands talk to a running daemon.
//!
//! Every answer comes through [`crate::api::Source`]; this module knows no
//! store.

pub mod control;
pub mod http;
