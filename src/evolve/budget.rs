//! How the budget of games is divided: matches of the evolution, matches of
//! the final, and the capacity of the population over the evolution.

use super::Plan;

impl Plan {
    /// Matches that the evolution learns from: what the final leaves of the
    /// budget, in whole matches of two games.
    pub fn evolution_matches(&self) -> u64 {
        let budget = self.evolution.budget as f64;
        let matches = ((budget - self.final_share() * budget) / 2.0) as u64;
        matches.min(self.evolution.budget / 2)
    }

    /// Matches that are reserved for the final.
    pub fn final_matches(&self) -> u64 {
        let whole = self.evolution.budget / 2;
        let share = (self.final_share() * self.evolution.budget as f64 / 2.0) as u64;
        share.min(whole.saturating_sub(self.evolution_matches()))
    }

    /// The fraction of the evolution, from 0 to 1, that is done after so many
    /// matches.
    pub(super) fn progress_at(&self, matches: u64) -> f64 {
        let all = self.evolution_matches();
        if matches >= all {
            return 1.0;
        }
        matches as f64 / all as f64
    }

    /// How many of `parts` equal parts of the evolution are complete after so
    /// many matches. Whole numbers only: the moments of samples and of the hall
    /// of fame must not depend on rounding.
    pub(super) fn complete_parts(&self, matches: u64, parts: u32) -> u32 {
        let all = self.evolution_matches();
        if matches >= all {
            return parts;
        }
        let complete = u128::from(matches) * u128::from(parts) / u128::from(all);
        u32::try_from(complete).unwrap_or(u32::MAX)
    }

    /// How many individuals may live when `progress` of the evolution is done:
    /// the whole population until `shrink_from`, then linearly fewer, and one at
    /// the end but not before.
    pub(super) fn capacity_at(&self, progress: f64) -> u32 {
        let full = self.evolution.population.max(1);
        let shrink_from = self.evolution.shrink_from;
        if progress >= 1.0 {
            return 1;
        }
        if progress <= shrink_from {
            return full;
        }
        let more_than_one = f64::from(full - 1) * (1.0 - progress) / (1.0 - shrink_from);
        (more_than_one.ceil() as u32).saturating_add(1).min(full)
    }

    fn final_share(&self) -> f64 {
        self.final_stage.share.clamp(0.0, 1.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::genome::GeneTable;
    use crate::params::Params;

    #[test]
    fn the_default_budget_is_used_up() {
        let plan = Plan::with_genes(&Params::with_first_genes(), &GeneTable::first(), &[]);
        assert_eq!(plan.evolution_matches(), 71_250);
        assert_eq!(plan.final_matches(), 3_750);
    }

    #[test]
    fn no_share_exceeds_the_budget() {
        let mut plan = Plan::with_genes(&Params::with_first_genes(), &GeneTable::first(), &[]);
        for budget in [0, 1, 2, 3, 7, 10, 99, 1000, 12_345, 1 << 50, u64::MAX] {
            for percent in 0..=100 {
                plan.evolution.budget = budget;
                plan.final_stage.share = f64::from(percent) / 100.0;
                let matches = plan.evolution_matches() + plan.final_matches();
                assert!(matches <= budget / 2, "{budget} {percent}");
                if budget <= 1 << 50 {
                    assert!(matches + 2 >= budget / 2, "{budget} {percent}");
                }
            }
        }
    }

    #[test]
    fn the_capacity_shrinks_to_one() {
        let plan = Plan::with_genes(&Params::with_first_genes(), &GeneTable::first(), &[]);
        assert_eq!(plan.capacity_at(0.0), 32);
        assert_eq!(plan.capacity_at(0.95), 32);
        assert_eq!(plan.capacity_at(0.999_999), 2);
        assert_eq!(plan.capacity_at(1.0), 1);
        let capacities: Vec<u32> = (0..=100)
            .map(|percent| plan.capacity_at(f64::from(percent) / 100.0))
            .collect();
        assert!(capacities.is_sorted_by(|a, b| a >= b));
    }
}
