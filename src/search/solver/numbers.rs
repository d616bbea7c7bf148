//! Proof and disproof numbers, seen from the side to move: `phi` is what it still
//! takes to reach this side's aim, `delta` what it takes to prevent it. The
//! attacker's aim is to win; the other side's is not to lose.

/// More than any sum of numbers.
pub(super) const INFINITE: u32 = 1 << 30;

/// The numbers of one position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Numbers {
    pub(super) phi: u32,
    pub(super) delta: u32,
    /// Where the attacker's win is proved: the plies to it at most.
    pub(super) plies: u32,
}

impl Numbers {
    /// The side to move has reached its aim.
    pub(super) const REACHED: Numbers = Numbers {
        phi: 0,
        delta: INFINITE,
        plies: 0,
    };

    /// It has been prevented.
    pub(super) const PREVENTED: Numbers = Numbers {
        phi: INFINITE,
        delta: 0,
        plies: 0,
    };

    /// A position that nothing is known of but its number of moves.
    pub(super) fn unknown(moves: u32) -> Numbers {
        Numbers {
            phi: 1,
            delta: moves.max(1),
            plies: 0,
        }
    }

    /// Whether the attacker's win is proved; `attacks` is whether it is to move.
    pub(super) fn is_proved(self, attacks: bool) -> bool {
        if attacks {
            self.phi == 0
        } else {
            self.delta == 0
        }
    }

    /// Whether there is no win for the attacker, as far as the way here tells.
    pub(super) fn is_refuted(self, attacks: bool) -> bool {
        self.is_proved(!attacks)
    }
}
