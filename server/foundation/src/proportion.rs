//! Exact shares of integer amounts: the only place where money is multiplied, divided and rounded.
//!
//! Everything is computed in 128 bits and rounded once, half away from zero, so no intermediate result is inexact or
//! out of range; only a result that does not fit 64 bits is an error.

use thiserror::Error;

/// One whole in parts per million: rates and percentages are integers of this unit (7.25 % = 72 500).
pub const PPM: i64 = 1_000_000;

/// An amount that does not fit 64 bits, or a division without a result.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error("the amount is out of range")]
pub struct OutOfRange;

/// Returns `left + right`.
pub fn add(left: i64, right: i64) -> Result<i64, OutOfRange> {
    left.checked_add(right).ok_or(OutOfRange)
}

/// Returns `left - right`.
pub fn subtract(left: i64, right: i64) -> Result<i64, OutOfRange> {
    left.checked_sub(right).ok_or(OutOfRange)
}

/// Returns `left * right`.
pub fn multiply(left: i64, right: i64) -> Result<i64, OutOfRange> {
    left.checked_mul(right).ok_or(OutOfRange)
}

pub fn sum(amounts: impl IntoIterator<Item = i64>) -> Result<i64, OutOfRange> {
    amounts.into_iter().try_fold(0, add)
}

/// Returns `amount * numerator / denominator`, rounded half away from zero.
///
/// The denominator must be positive, otherwise the result is an error.
pub fn portion(amount: i64, numerator: i64, denominator: i64) -> Result<i64, OutOfRange> {
    let product = i128::from(amount).checked_mul(i128::from(numerator)).ok_or(OutOfRange)?;
    let quotient = rounded(product, i128::from(denominator))?;
    i64::try_from(quotient).map_err(|_too_large| OutOfRange)
}

/// Returns `amount * numerator / denominator`, rounded up; for non-negative amounts.
pub fn portion_rounded_up(
    amount: i64,
    numerator: i64,
    denominator: i64,
) -> Result<i64, OutOfRange> {
    if amount < 0 || numerator < 0 || denominator <= 0 {
        return Err(OutOfRange);
    }
    let denominator = i128::from(denominator);
    let product = i128::from(amount).checked_mul(i128::from(numerator)).ok_or(OutOfRange)?;
    let raised = product.checked_add(denominator.checked_sub(1).ok_or(OutOfRange)?);
    let quotient = raised.and_then(|value| value.checked_div(denominator)).ok_or(OutOfRange)?;
    i64::try_from(quotient).map_err(|_too_large| OutOfRange)
}

/// Splits `total` by `weights` so that the parts add up to it exactly.
///
/// Every part is its exact share rounded down, and the remaining units go to the largest remainders, earlier ones
/// first. So a part differs from its exact share by less than one unit, and if the total is at most the sum of the
/// weights, no part exceeds its weight. The total and the weights must not be negative; weights that add up to zero can
/// only split zero.
pub fn split(total: i64, weights: &[i64]) -> Result<Vec<i64>, OutOfRange> {
    let whole = weights.iter().try_fold(0_i128, |so_far, weight| {
        if *weight < 0 {
            return Err(OutOfRange);
        }
        so_far.checked_add(i128::from(*weight)).ok_or(OutOfRange)
    })?;
    if total == 0 {
        return Ok(vec![0; weights.len()]);
    }
    if total < 0 || whole == 0 {
        return Err(OutOfRange);
    }
    let mut parts = Vec::with_capacity(weights.len());
    let mut remainders = Vec::with_capacity(weights.len());
    for (index, weight) in weights.iter().enumerate() {
        let product = i128::from(total).checked_mul(i128::from(*weight)).ok_or(OutOfRange)?;
        let floor = product.checked_div(whole).ok_or(OutOfRange)?;
        parts.push(i64::try_from(floor).map_err(|_too_large| OutOfRange)?);
        remainders.push((product.checked_rem(whole).ok_or(OutOfRange)?, index));
    }
    let left_over = subtract(total, sum(parts.iter().copied())?)?;
    let left_over = usize::try_from(left_over).map_err(|_negative| OutOfRange)?;
    remainders.sort_by(|left, right| right.0.cmp(&left.0).then(left.1.cmp(&right.1)));
    for (_, index) in remainders.into_iter().take(left_over) {
        if let Some(part) = parts.get_mut(index) {
            *part = add(*part, 1)?;
        }
    }
    Ok(parts)
}

/// Returns the share of `total` for the units after the first `before` up to `after` of `quantity`.
///
/// Consecutive slices add up to the total exactly, so refunding a line unit by unit returns exactly what was paid for it.
pub fn slice(total: i64, before: i64, after: i64, quantity: i64) -> Result<i64, OutOfRange> {
    if before < 0 || after < before || quantity < after {
        return Err(OutOfRange);
    }
    subtract(portion(total, after, quantity)?, portion(total, before, quantity)?)
}

fn rounded(product: i128, denominator: i128) -> Result<i128, OutOfRange> {
    if denominator <= 0 {
        return Err(OutOfRange);
    }
    let half = denominator.checked_div(2).ok_or(OutOfRange)?;
    let magnitude = product.checked_abs().and_then(|value| value.checked_add(half));
    let quotient = magnitude.and_then(|value| value.checked_div(denominator)).ok_or(OutOfRange)?;
    quotient.checked_mul(product.signum()).ok_or(OutOfRange)
}

#[cfg(test)]
#[expect(clippy::arithmetic_side_effects, reason = "overflow fails a test")]
mod tests {
    use proptest::prelude::*;

    use super::{
        OutOfRange, add, multiply, portion, portion_rounded_up, slice, split, subtract, sum,
    };

    #[test]
    fn sums_and_products_are_exact_or_refused() {
        assert_eq!((add(2, 3), subtract(2, 3), multiply(-2, 3)), (Ok(5), Ok(-1), Ok(-6)));
        assert_eq!((sum([2, 3, -7]), sum([])), (Ok(-2), Ok(0)));
        assert_eq!((portion_rounded_up(0, 2, 3), portion_rounded_up(2, 0, 3)), (Ok(0), Ok(0)));
        assert_eq!(add(i64::MAX, 1), Err(OutOfRange));
        assert_eq!(subtract(i64::MIN, 1), Err(OutOfRange));
        assert_eq!(multiply(i64::MAX, 2), Err(OutOfRange));
        assert_eq!(sum([i64::MAX, 1, -1]), Err(OutOfRange));
    }

    #[test]
    fn a_slice_lies_within_the_whole() {
        assert_eq!(slice(100, 1, 1, 3), Ok(0));
        assert_eq!(slice(100, 0, 3, 3), Ok(100));
        for (before, after) in [(-1, 1), (2, 1), (0, 4)] {
            assert_eq!(slice(100, before, after, 3), Err(OutOfRange), "{before} to {after}");
        }
        assert_eq!(slice(100, 0, 0, 0), Err(OutOfRange));
    }

    #[test]
    fn halves_round_away_from_zero_and_everything_else_to_the_nearest() {
        for (amount, numerator, denominator, expected) in [
            (5, 1, 2, 3),
            (-5, 1, 2, -3),
            (4, 1, 3, 1),
            (5, 1, 3, 2),
            (2_598, 72_500, 1_000_000, 188),
            (1, 1, 3, 0),
            (0, 7, 9, 0),
        ] {
            let outcome = portion(amount, numerator, denominator);
            assert_eq!(outcome, Ok(expected), "{amount} x {numerator} / {denominator}");
        }
    }

    #[test]
    fn a_result_that_does_not_fit_is_an_error_and_never_wraps() {
        assert_eq!(portion(i64::MAX, 2, 1), Err(OutOfRange));
        assert_eq!(portion(i64::MIN, 1, 1), Ok(i64::MIN));
        assert_eq!(portion(i64::MIN, -1, 1), Err(OutOfRange));
        assert_eq!(portion(i64::MAX, i64::MAX, i64::MAX), Ok(i64::MAX));
        assert_eq!(portion(1, 1, 0), Err(OutOfRange));
        assert_eq!(portion(1, 1, -1), Err(OutOfRange));
        for (amount, numerator, denominator) in [(-1, 1, 1), (1, -1, 1), (1, 1, 0)] {
            assert_eq!(portion_rounded_up(amount, numerator, denominator), Err(OutOfRange));
        }
        assert_eq!(split(5, &[0, 0]), Err(OutOfRange));
        assert_eq!(split(-1, &[1]), Err(OutOfRange));
        assert_eq!(split(1, &[-1, 2]), Err(OutOfRange));
    }

    #[test]
    fn the_units_left_over_go_to_the_largest_remainders_first() {
        assert_eq!(split(100, &[1, 1, 1]), Ok(vec![34, 33, 33]));
        assert_eq!(split(10, &[1, 2, 3]), Ok(vec![2, 3, 5]));
        assert_eq!(split(0, &[]), Ok(vec![]));
    }

    proptest! {
        #[test]
        fn parts_add_up_stay_near_their_share_and_never_exceed_their_weight(
            weights in prop::collection::vec(0_i64..10_000_000, 1..12),
            permille in 0_i64..=1_000,
        ) {
            let whole: i64 = weights.iter().sum();
            let total = whole * permille / 1_000;
            let parts = split(total, &weights).unwrap();
            prop_assert_eq!(parts.iter().sum::<i64>(), total);
            for (part, weight) in parts.iter().zip(&weights) {
                prop_assert!(part <= weight);
                let exact = i128::from(total) * i128::from(*weight);
                prop_assert!((i128::from(*part) * i128::from(whole) - exact).abs() <= i128::from(whole));
            }
        }

        #[test]
        fn refunds_of_single_pieces_add_up_to_the_whole(
            total in 0_i64..1_000_000_000, quantity in 1_i64..50,
        ) {
            let given: i64 = (0..quantity).map(|piece| slice(total, piece, piece + 1, quantity).unwrap()).sum();
            prop_assert_eq!(given, total);
        }

        #[test]
        fn rounding_up_is_the_smallest_whole_amount_not_below(
            amount in 0_i64..1_000_000, numerator in 0_i64..1_000, denominator in 1_i64..1_000,
        ) {
            let up = portion_rounded_up(amount, numerator, denominator).unwrap();
            prop_assert!(up * denominator >= amount * numerator);
            prop_assert!((up - 1) * denominator < amount * numerator);
        }
    }
}
