//! The weights of one phase, laid out so that a leaf is valued with few
//! multiplications.

use crate::board::{Side, Snapshot};

use super::PHASES;
use super::genes::GeneId;
use super::place::PlaceTerms;
use super::power::ONE;
use super::weights::Weights;

/// The genes of [`Snapshot::move_differences`].
const MOVE_GENES: [GeneId; 4] = [
    GeneId::Mobility,
    GeneId::Capturable,
    GeneId::EdgeMoves,
    GeneId::CentreMoves,
];

/// The weight of every feature in one phase, times [`PHASES`]; where a feature is
/// a plain count, times [`ONE`] as well.
pub(super) struct PhaseWeights {
    /// Of the classes of moves, in the order of [`MOVE_GENES`].
    moves: [i32; 4],
    /// Of a quarter of the Euler number.
    euler4: i32,
    quad3: i32,
    quad4: i32,
    blocked: i32,
    spread: i32,
    pieces: i32,
    extent: i32,
    concentration: i32,
    /// Of moves to a power other than 1.
    pub(super) powered: i32,
    pub(super) powered_centre: i32,
}

impl PhaseWeights {
    pub(super) fn new(weights: &Weights, phase: i32) -> PhaseWeights {
        let blended = |gene: GeneId| {
            let n = gene as usize;
            weights.opening[n] * (PHASES - phase) + weights.endgame[n] * phase
        };
        let plain = weights.get(GeneId::MobilityPower) == 4;
        let moves = MOVE_GENES.map(|gene| match gene {
            GeneId::Mobility if !plain => 0,
            gene => blended(gene) * ONE,
        });
        PhaseWeights {
            moves,
            euler4: -blended(GeneId::Euler) * (ONE / 4),
            quad3: blended(GeneId::Quad3) * ONE,
            quad4: blended(GeneId::Quad4) * ONE,
            blocked: -blended(GeneId::Blocked) * ONE,
            spread: blended(GeneId::Spread),
            pieces: blended(GeneId::Pieces),
            extent: blended(GeneId::Extent),
            concentration: blended(GeneId::Concentration),
            powered: if plain { 0 } else { blended(GeneId::Mobility) },
            powered_centre: blended(GeneId::MobilityCentre),
        }
    }

    /// What the classes of moves are worth to the side to move.
    #[inline(always)]
    pub(super) fn of_moves(&self, now: &Snapshot) -> i32 {
        let differences = now.move_differences();
        (0..4).map(|n| self.moves[n] * differences[n]).sum()
    }

    /// What the quads are worth to the side to move, given four times the Euler
    /// numbers of both sides, its own first.
    #[inline(always)]
    pub(super) fn of_quads(&self, now: &Snapshot, euler4: [i32; 2]) -> i32 {
        let (own, theirs) = (now.turn(), !now.turn());
        let difference =
            |count: fn(&Snapshot, Side) -> u32| count(now, own) as i32 - count(now, theirs) as i32;
        self.euler4 * (euler4[0] - euler4[1])
            + self.quad3 * difference(Snapshot::quad3)
            + self.quad4 * difference(Snapshot::quad4)
    }

    /// What pieces without a move are worth, given how many more the side to move
    /// has than the other one.
    #[inline(always)]
    pub(super) fn of_blocked(&self, more: i32) -> i32 {
        self.blocked * more
    }

    /// What the places of the side to move and of the other one are worth to the
    /// former; terms that were not asked for are 0 on both sides.
    #[inline(always)]
    pub(super) fn of_places(&self, [own, theirs]: &[PlaceTerms; 2]) -> i32 {
        self.spread * (own.spread - theirs.spread)
            + self.pieces * (own.pieces - theirs.pieces)
            + self.extent * (own.extent - theirs.extent)
            + self.concentration * (own.concentration - theirs.concentration)
    }
}
