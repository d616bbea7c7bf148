//! Powers with exponents in quarters, in whole numbers only: the same on every
//! machine, where a floating-point `pow` is not.

/// What one unit of a feature is in the fixed-point sums: 64.
pub const ONE: i32 = 64;

/// How many powers there are, in quarters from 0 to 3.
pub const POWERS: usize = 13;

/// `ONE` · (`numerator` / `denominator`)^(`quarters` / 4), rounded. The bounds
/// (a numerator up to 84, exponents up to 3) keep it inside 128 bits.
pub const fn scaled_power(numerator: u32, denominator: u32, quarters: u32) -> u32 {
    debug_assert!(numerator <= 84 && quarters <= 12 && denominator >= 1);
    // The fourth root of (2·ONE)^4 · numerator^q / denominator^q, rounded
    // down, is twice the result; its last bit rounds.
    let double = 2 * ONE as u128;
    let inside = double * double * double * double * (numerator as u128).pow(quarters);
    let inside = inside / (denominator as u128).pow(quarters);
    inside.isqrt().isqrt().div_ceil(2) as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn powers_are_those_of_floating_point_to_half_a_unit() {
        for denominator in 1..=12 {
            for numerator in 0..=84 {
                for quarters in 1..=12 {
                    let exact = f64::from(ONE)
                        * (f64::from(numerator) / f64::from(denominator))
                            .powf(f64::from(quarters) / 4.0);
                    let ours = f64::from(scaled_power(numerator, denominator, quarters));
                    assert!(
                        (ours - exact).abs() <= 0.5 + 1e-6,
                        "({numerator}/{denominator})^({quarters}/4)"
                    );
                }
            }
        }
    }

    #[test]
    fn the_first_power_of_a_whole_number_is_exact() {
        for n in 0..=84 {
            assert_eq!(scaled_power(n, 1, 4), n * ONE as u32);
        }
    }
}
