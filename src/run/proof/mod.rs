//! The proof of a champion: matches on openings that the evolution never saw,
//! and whether those of a certificate hold when they are played again.
//!
//! Owns how such matches are played and judged. What a certificate says is
//! [`crate::params`]'s; nothing here prints, asks for entropy or looks at the
//! clock.
//!
//! | file | purpose |
//! |---|---|
//! | `duel` | one match on held-out openings |
//! | `judge` | a certificate's match against the same match played again |

mod duel;
mod judge;

pub use duel::{Contestant, duel, play};
pub use judge::{Holds, Judgement, judge};
