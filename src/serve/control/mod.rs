//! The control socket of a running daemon: a Unix socket in the population's
//! directory.
//!
//! Owns the socket, the requests and the answers. The answers come from a
//! [`Source`](crate::api::Source), and this module opens no store: a command
//! sees no difference between a daemon's answers and those of a store that it
//! has opened itself.
//!
//! A connection carries one request and one answer, each one line of JSON.

mod address;
mod answers;
mod client;
mod connection;
mod protocol;
mod server;
mod wake;

pub use client::{DaemonClient, connect, is_of_another_user};
pub use server::Server;
