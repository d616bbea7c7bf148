//! The versions of the engine's behaviour. A population and a certificate name
//! the engine that played their games by its signature; this program plays as
//! any version that it knows, so that such games can be searched again and a
//! population goes on as it began.
//!
//! Only what a search visits depends on the version. The value of an exact search
//! never does: that is minimax's in all of them. The selective search and the
//! tree search have had one behaviour each so far, and their own signatures name
//! them.

use super::signature;
use super::{Algorithm, Limits};

/// A version of the engine's behaviour.
///
/// # Examples
///
/// ```
/// use loatune::search::{Algorithm, EngineVersion};
///
/// let first = EngineVersion::from_signature(Algorithm::Mtdf, 7_287_305);
/// assert_eq!(first, Some(EngineVersion::First));
/// assert_eq!(EngineVersion::from_signature(Algorithm::Mtdf, 1), None);
/// for player in Algorithm::SIGNED {
///     let present = EngineVersion::present_signature(player);
///     let version = EngineVersion::from_signature(player, present);
///     assert_eq!(version, Some(EngineVersion::PRESENT));
/// }
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum EngineVersion {
    /// Under a limit of depth MTD(f) searches on after a proven result; its null
    /// windows stand at the last bound. The signature is the node total of the
    /// default weights alone.
    First,
    /// A proven result ends the search, and its principal variation is searched
    /// to the end of the game; the steps of MTD(f) grow. The signature is the node
    /// total of three sets of weights.
    #[default]
    Second,
}

impl EngineVersion {
    /// All versions, the oldest first.
    pub const ALL: [EngineVersion; 2] = [EngineVersion::First, EngineVersion::Second];

    /// The version that new populations and all other commands play with.
    pub const PRESENT: EngineVersion = EngineVersion::Second;

    /// The number that identifies its exact searches: a node total, counted in
    /// the way of its time (see [`super::signature`]).
    pub const fn signature(self) -> u64 {
        match self {
            EngineVersion::First => 7_287_305,
            EngineVersion::Second => signature::SIGNATURE,
        }
    }

    /// The number that names this version of the engine where `player` plays.
    pub fn signature_for(self, player: Algorithm) -> u64 {
        if matches!(player, Algorithm::Selective | Algorithm::Mcts) {
            return EngineVersion::present_signature(player);
        }
        self.signature()
    }

    /// The number that names this program's engine where `player` plays.
    pub fn present_signature(player: Algorithm) -> u64 {
        signature::of_players([player])
    }

    /// The version whose `player` has this signature; `None` for an engine that
    /// this program does not know.
    pub fn from_signature(player: Algorithm, signature: u64) -> Option<EngineVersion> {
        if matches!(player, Algorithm::Selective | Algorithm::Mcts) {
            let present = signature == EngineVersion::present_signature(player);
            return present.then_some(EngineVersion::PRESENT);
        }
        EngineVersion::ALL
            .into_iter()
            .find(|version| version.signature() == signature)
    }

    /// Whether a search that deepens ends with a proven result.
    pub(super) fn ends_with_proof(self, algorithm: Algorithm, limits: Limits) -> bool {
        self > EngineVersion::First || algorithm != Algorithm::Mtdf || limits.depth.is_none()
    }

    /// Whether every depth of a search that deepens counts as a search of its
    /// own for the age of table entries and of history.
    pub(super) fn ages_by_depth(self, algorithm: Algorithm, limits: Limits) -> bool {
        self == EngineVersion::First && algorithm != Algorithm::Mtdf && limits.depth.is_some()
    }

    /// Whether the steps of MTD(f) grow where its guess is far from the value.
    pub(super) fn grows_strides(self) -> bool {
        self > EngineVersion::First
    }

    /// Whether the principal variation of a proven result is searched to its end.
    pub(super) fn completes_proofs(self) -> bool {
        self > EngineVersion::First
    }
}
