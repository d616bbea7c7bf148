//! How others reach a population: the page with its interface for programs,
//! and the socket through which commands talk to a running daemon.
//!
//! Everything that is answered comes through [`crate::api::Source`]; nothing
//! here knows the store.

pub mod control;
pub mod http;
