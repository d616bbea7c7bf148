//! Small tools that know nothing of the game: files written whole, files and
//! lines of bounded length, text and numbers for messages, suggestions for mistyped words.
//!
//! Stands above everything else and uses nothing of this crate.

pub(crate) mod atomic_file;
pub(crate) mod bounded_lines;
pub(crate) mod input_file;
pub(crate) mod memory;
pub mod numbers;
pub(crate) mod size;
pub(crate) mod suggest;
pub(crate) mod text;
