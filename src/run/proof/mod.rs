//! The proof of a champion: matches on openings that the evolution never saw,
//! and whether those of a certificate hold when they are played again.
//!
//! Owns how such matches are played and judged. What a certificate says is
//! [`crate::weights`]'s; nothing here prints, asks for entropy or looks at the
//! clock.
//!
//! | file | purpose |
//! |---|---|
//! | `planned` | the matches of a proof, and playing the pairs that are missing |
//! | `held_out` | one match on held-out openings, or some pairs of it |
//! | `judge` | a certificate's match against the same match played again |

mod held_out;
mod judge;
pub(super) mod planned;

pub use held_out::{Contestant, play_match, replay_certificate};
pub use judge::{Holds, Judgement, judge};
pub use planned::{ProofError, proof_workload};
