//! Commands about the engine itself: its signature and speed, and the protocol
//! by which other programs use it.

mod bench;
mod scaling;
mod ugi;

pub(super) use bench::Bench;
pub(super) use ugi::Ugi;
