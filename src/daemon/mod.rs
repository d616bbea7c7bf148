//! The daemon: plays a population's matches until one survives.
mod crew;
pub use crew::{Crew, Played, Setup, Waited};
