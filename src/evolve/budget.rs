//! How the budget is divided: matches of the evolution, of the final, and how
//! many files may live when.

use super::Plan;

impl Plan {
    /// Matches that the evolution learns from: what the final leaves of the
    /// budget, in whole matches of two games.
    pub fn evolution_matches(&self) -> u64 {
        let budget = self.evolution.budget as f64;
        let matches = ((budget - self.share() * budget) / 2.0) as u64;
        matches.min(self.evolution.budget / 2)
    }

    /// Matches of the final.
    pub fn final_matches(&self) -> u64 {
        let whole = self.evolution.budget / 2;
        let share = (self.share() * self.evolution.budget as f64 / 2.0) as u64;
        share.min(whole.saturating_sub(self.evolution_matches()))
    }

    /// The part of the evolution that so many matches are, from 0 to 1.
    pub(super) fn part(&self, matches: u64) -> f64 {
        let all = self.evolution_matches();
        if matches >= all {
            return 1.0;
        }
        matches as f64 / all as f64
    }

    /// How many whole `parts`-ths of the evolution so many matches are.
    pub(super) fn whole_parts(&self, matches: u64, parts: u32) -> u32 {
        let all = self.evolution_matches();
        if matches >= all {
            return parts;
        }
        let parts = u128::from(matches) * u128::from(parts) / u128::from(all);
        u32::try_from(parts).unwrap_or(u32::MAX)
    }

    /// Files that may live at a part of the evolution: all until it shrinks,
    /// then linearly fewer, one at its end and not before.
    pub(super) fn room(&self, part: f64) -> u32 {
        let most = self.evolution.population.max(1);
        let from = self.evolution.shrink_from;
        if part >= 1.0 {
            return 1;
        }
        if part <= from {
            return most;
        }
        let more = f64::from(most - 1) * (1.0 - part) / (1.0 - from);
        (more.ceil() as u32).saturating_add(1).min(most)
    }

    fn share(&self) -> f64 {
        self.final_stage.share.clamp(0.0, 1.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::params::Params;

    #[test]
    fn the_default_budget_is_used_up() {
        let plan = Plan::new(&Params::default(), &[]);
        assert_eq!(plan.evolution_matches(), 71_250);
        assert_eq!(plan.final_matches(), 3_750);
    }

    #[test]
    fn no_share_exceeds_the_budget() {
        let mut plan = Plan::new(&Params::default(), &[]);
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
    fn the_room_shrinks_to_one() {
        let plan = Plan::new(&Params::default(), &[]);
        assert_eq!(plan.room(0.0), 32);
        assert_eq!(plan.room(0.95), 32);
        assert_eq!(plan.room(0.999_999), 2);
        assert_eq!(plan.room(1.0), 1);
        let rooms: Vec<u32> = (0..=100).map(|n| plan.room(f64::from(n) / 100.0)).collect();
        assert!(rooms.is_sorted_by(|a, b| a >= b));
    }
}
