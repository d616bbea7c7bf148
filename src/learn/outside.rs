//! Values for genes of another program, from rows of features that it printed:
//! the regression of [`super::fit`] without anything that belongs to the
//! evaluation of this one.
//!
//! Nothing is known about the scale of such values but that a common factor
//! changes no move. They are made as large as they can be before the first of
//! them would come closer to its bound than [`ROOM`]: so little is rounded away,
//! and mutations have room on either side.

use crate::stats::regression::{Regression, Rows};

/// The part of the way to its bound that no value is scaled beyond.
const ROOM: f64 = 0.75;

/// What games taught about the genes of another program.
#[derive(Clone, Debug, PartialEq)]
pub struct OutsideFit {
    /// A value for each column that has bounds, within them.
    pub values: Vec<i32>,
    /// Nats a position: how likely the outcomes are.
    pub log_likelihood: f64,
}

/// The values under which the outcomes of the rows are likeliest. Each of the
/// first columns is what one step of a gene changes for Black, and has bounds;
/// columns after them, such as the turn, have none. `None` where nothing can be
/// learned: without rows, or where no gene has an effect within its bounds.
pub fn fit_outside(rows: &Rows, bounds: &[[i32; 2]]) -> Option<OutsideFit> {
    if rows.is_empty() {
        return None;
    }
    let mut held = vec![false; bounds.len()];
    let found = loop {
        let mut regression = Regression::new(rows);
        for (column, _) in held.iter().enumerate().filter(|(_, is_held)| **is_held) {
            regression = regression.with_held(column, 0.0);
        }
        let found = regression.fit();
        // A sign that the bounds do not allow is no effect at all.
        let is_wrong = |column: &usize| {
            let nats = found.coefficients[*column];
            let [low, high] = bounds[*column];
            !held[*column] && ((nats > 0.0 && high <= 0) || (nats < 0.0 && low >= 0))
        };
        let wrong: Vec<usize> = (0..bounds.len()).filter(is_wrong).collect();
        if wrong.is_empty() {
            break found;
        }
        wrong.into_iter().for_each(|column| held[column] = true);
    };
    let limit = |(&[low, high], &nats): (&[i32; 2], &f64)| {
        let bound = if nats > 0.0 { high } else { low };
        (nats != 0.0).then(|| f64::from(bound) / nats)
    };
    let limits = bounds.iter().zip(&found.coefficients).filter_map(limit);
    let units = ROOM * limits.fold(f64::INFINITY, f64::min);
    if !units.is_finite() {
        return None;
    }
    let value = |(&[low, high], &nats): (&[i32; 2], &f64)| {
        let value = (nats * units + 0.5).floor();
        value.clamp(f64::from(low), f64::from(high)) as i32
    };
    Some(OutsideFit {
        values: bounds.iter().zip(&found.coefficients).map(value).collect(),
        log_likelihood: found.log_likelihood / found.total_weight.max(1e-300),
    })
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    /// Rows in which the first column decides, the second a third as much the
    /// other way round, and the third nothing.
    fn rows() -> Rows {
        let mut rows = Rows::new(4);
        for n in 0..4000u32 {
            let [a, b, c] = [n % 5, n / 5 % 5, n / 25 % 5].map(|x| f64::from(x) - 2.0);
            let turn = if n % 2 == 0 { 1.0 } else { -1.0 };
            let ahead = 0.9 * a - 0.3 * b;
            let chance = 1.0 / (1.0 + (-ahead).exp());
            rows.push(&[a, b, c, turn], chance, 1.0);
        }
        rows
    }

    #[test]
    fn ratios_are_found_and_the_scale_follows_the_bounds() {
        let found = fit_outside(&rows(), &[[-100, 100], [-100, 100], [-100, 100]]).unwrap();
        assert_eq!(found.values[0], 75);
        assert!((found.values[1] + 25).abs() <= 1, "{found:?}");
        assert!(found.values[2].abs() <= 1, "{found:?}");
        assert!(found.log_likelihood > -0.69);
        let found = fit_outside(&rows(), &[[-100, 100], [-10, 100], [-100, 100]]).unwrap();
        assert!((21..=24).contains(&found.values[0]), "{found:?}");
    }

    #[test]
    fn a_sign_that_is_not_allowed_is_none() {
        let found = fit_outside(&rows(), &[[-100, 100], [0, 100], [-100, 100]]).unwrap();
        assert_eq!((found.values[0], found.values[1]), (75, 0));
        assert_eq!(fit_outside(&rows(), &[[-9, -2], [3, 9], [0, 0]]), None);
        assert_eq!(fit_outside(&Rows::new(4), &[[0, 9]]), None);
    }
}
