//! The proof of a champion: matches on openings that the evolution never saw,
//! and whether those of a certificate hold when they are played again.
//!
//! Owns how such matches are played and judged. What a certificate says is
//! [`crate::weights`]'s; nothing here prints, asks for entropy or looks at the
//! clock.
//!
//! | file | purpose |
//! |---|---|
//! | `reference` | the weights that a population's strength is measured against |
//! | `planned` | the matches of a proof, and playing the pairs that are missing |
//! | `held_out` | one match on held-out openings, or some pairs of it |
//! | `panel` | players of other kinds that the champion meets |
//! | `judge` | a certificate's match against the same match played again |

mod held_out;
mod judge;
mod panel;
pub(super) mod planned;
mod reference;

pub use held_out::{Contestant, ReplayError, play_match, replay_certificate};
pub use judge::{Holds, Judgement, judge};
pub use panel::{PanelMember, UnusableMember, knows_opponent, panel_members};
pub(super) use panel::{player_in_journal, present_engine};
pub use planned::{Opponents, ProofError, proof_workload};
