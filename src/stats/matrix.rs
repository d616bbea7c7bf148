//! Symmetric positive definite matrices, stored row by row.

/// The inverse, by Cholesky's decomposition A = L·Lᵀ; none where rounding
/// leaves the matrix without one.
pub(super) fn inverse(matrix: &[f64], size: usize) -> Option<Vec<f64>> {
    let at = |row: usize, column: usize| row * size + column;

    // L, below and on the diagonal.
    let mut lower = vec![0.0; size * size];
    for row in 0..size {
        for column in 0..=row {
            let done: f64 = (0..column)
                .map(|k| lower[at(row, k)] * lower[at(column, k)])
                .sum();
            let rest = matrix[at(row, column)] - done;
            lower[at(row, column)] = if column < row {
                rest / lower[at(column, column)]
            } else if rest > matrix[at(row, row)] * f64::EPSILON {
                rest.sqrt()
            } else {
                return None;
            };
        }
    }

    // L⁻¹, column by column from the identity.
    let mut turned = vec![0.0; size * size];
    for column in 0..size {
        for row in column..size {
            let done: f64 = (column..row)
                .map(|k| lower[at(row, k)] * turned[at(k, column)])
                .sum();
            let unit = if row == column { 1.0 } else { 0.0 };
            turned[at(row, column)] = (unit - done) / lower[at(row, row)];
        }
    }

    // A⁻¹ = (L⁻¹)ᵀ·L⁻¹.
    let mut inverse = vec![0.0; size * size];
    for row in 0..size {
        for column in 0..=row {
            let sum: f64 = (row..size)
                .map(|k| turned[at(k, row)] * turned[at(k, column)])
                .sum();
            inverse[at(row, column)] = sum;
            inverse[at(column, row)] = sum;
        }
    }
    inverse.iter().all(|x| x.is_finite()).then_some(inverse)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn by_hand() {
        // The determinant is 4·3 − 2·2 = 8.
        let found = inverse(&[4.0, 2.0, 2.0, 3.0], 2).expect("it has one");
        let expected = [0.375, -0.25, -0.25, 0.5];
        for (found, expected) in found.into_iter().zip(expected) {
            assert!((found - expected).abs() < 1e-15, "{found} {expected}");
        }
    }

    #[test]
    fn times_its_inverse_is_one() {
        const SIZE: usize = 12;
        // Hilbert-like, eased by a diagonal.
        let matrix: Vec<f64> = (0..SIZE * SIZE)
            .map(|i| {
                let (row, column) = (i / SIZE, i % SIZE);
                let eased = if row == column { 0.1 } else { 0.0 };
                1.0 / (row + column + 1) as f64 + eased
            })
            .collect();
        let inverse = inverse(&matrix, SIZE).expect("it has one");
        for row in 0..SIZE {
            for column in 0..SIZE {
                let product: f64 = (0..SIZE)
                    .map(|k| matrix[row * SIZE + k] * inverse[k * SIZE + column])
                    .sum();
                let expected = if row == column { 1.0 } else { 0.0 };
                assert!((product - expected).abs() < 1e-12, "{row} {column}");
            }
        }
    }

    #[test]
    fn singular_ones_have_none() {
        assert_eq!(inverse(&[1.0, 1.0, 1.0, 1.0], 2), None);
        assert_eq!(inverse(&[0.0], 1), None);
        assert_eq!(inverse(&[f64::NAN], 1), None);
        assert_eq!(inverse(&[], 0), Some(Vec::new()));
    }
}
