//! The positions that may still be looked at. Whatever would exceed them is not
//! begun, so that a limit of positions is kept exactly and always at the same place.

/// Positions that were looked at, and how many there may be.
#[derive(Clone, Copy, Debug)]
pub(super) struct Budget {
    used: u64,
    most: u64,
}

impl Budget {
    pub(super) fn new(most: u64) -> Budget {
        Budget { used: 0, most }
    }

    /// Positions that were looked at.
    pub(super) fn used(&self) -> u64 {
        self.used
    }

    /// Positions that may still be looked at.
    #[inline(always)]
    pub(super) fn left(&self) -> u64 {
        self.most - self.used
    }

    /// Counts positions if there is room for all of them; returns whether there
    /// was.
    #[inline(always)]
    #[must_use]
    pub(super) fn take(&mut self, positions: u64) -> bool {
        let fits = positions <= self.left();
        if fits {
            self.used += positions;
        }
        fits
    }

    /// Counts positions that must be looked at, also beyond the limit.
    pub(super) fn force(&mut self, positions: u64) {
        self.used += positions;
        self.most = self.most.max(self.used);
    }

    /// Keeps `kept` positions back: what `look` takes leaves them.
    #[inline(always)]
    pub(super) fn keeping<T>(&mut self, kept: u64, look: impl FnOnce(&mut Budget) -> T) -> T {
        let kept = kept.min(self.left());
        self.most -= kept;
        let found = look(self);
        self.most += kept;
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_limit_is_never_exceeded() {
        let mut budget = Budget::new(10);
        assert!(budget.take(7) && !budget.take(4));
        assert_eq!((budget.used(), budget.left()), (7, 3));
        let taken = budget.keeping(2, |rest| (rest.take(2), rest.take(1)));
        assert_eq!(taken, (false, true));
        assert_eq!((budget.used(), budget.left()), (8, 2));
        budget.force(5);
        assert_eq!((budget.used(), budget.left()), (13, 0));
    }
}
