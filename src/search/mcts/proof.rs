//! What is proven of a position, seen from its side to move.

/// A proven result; plies are those of the proof, so that of a win is at most so
/// far away.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Proof {
    /// Nothing is proven.
    #[default]
    Unknown,
    /// The side to move wins within so many plies.
    Win(u8),
    /// The side to move loses, at most so many plies from now.
    Loss(u8),
    /// A finished game without a winner, or one that cannot end otherwise.
    Draw,
}

impl Proof {
    /// Whether something is proven.
    pub(super) fn is_known(self) -> bool {
        self != Proof::Unknown
    }

    /// What follows for a position from those after all of its moves.
    pub(super) fn from_children(children: impl Iterator<Item = Proof>) -> Proof {
        let (mut win, mut loss) = (None, 0);
        let (mut drawn, mut open) = (false, false);
        for child in children {
            match child {
                Proof::Loss(plies) => {
                    win = Some(win.map_or(plies, |least: u8| least.min(plies)));
                }
                Proof::Win(plies) => loss = loss.max(plies),
                Proof::Draw => drawn = true,
                Proof::Unknown => open = true,
            }
        }
        match win {
            Some(plies) => Proof::Win(plies.saturating_add(1)),
            None if open => Proof::Unknown,
            None if drawn => Proof::Draw,
            None => Proof::Loss(loss.saturating_add(1)),
        }
    }

    /// The result for the side to move; `None` where nothing is proven.
    pub(super) fn result(self) -> Option<f64> {
        match self {
            Proof::Unknown => None,
            Proof::Win(_) => Some(1.0),
            Proof::Loss(_) => Some(0.0),
            Proof::Draw => Some(0.5),
        }
    }

    /// The order for the side that moves here: a quick win best, a quick loss
    /// worst.
    pub(super) fn order(self) -> i32 {
        match self {
            Proof::Win(plies) => 1000 - i32::from(plies),
            Proof::Loss(plies) => -1000 + i32::from(plies),
            Proof::Unknown | Proof::Draw => 0,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_lost_answer_wins_and_all_won_answers_lose() {
        let of = |children: &[Proof]| Proof::from_children(children.iter().copied());
        use Proof::{Draw, Loss, Unknown, Win};
        assert_eq!(of(&[Win(3), Loss(4), Loss(2), Unknown]), Win(3));
        assert_eq!(of(&[Win(3), Win(5)]), Loss(6));
        assert_eq!(of(&[Win(3), Unknown]), Unknown);
        assert_eq!(of(&[Win(3), Draw]), Draw);
        assert_eq!(of(&[Draw, Unknown]), Unknown);
    }
}
