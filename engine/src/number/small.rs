//! Division of two integers of 64 bits: the same result as [`divide`](super::divide()), in two
//! steps of a long division instead of four.

use rust_decimal::Decimal;

use super::fit::{MAX_DIGITS, MAX_SCALE, TOO_LARGE, direct};
use super::wide::{digit_count, power_of_ten};
use crate::types::Reason;

/// A remainder below 2^63 times 10^19 fits 128 bits.
const STEP_DIGITS: u32 = 19;
const STEP: u128 = 10_000_000_000_000_000_000;

/// `top / bottom / 10^scale` to 28 significant digits, half-even.
///
/// # Errors
/// [`Reason::DivisionByZero`].
pub(crate) fn divide_small(top: i64, bottom: i64, scale: u32) -> Result<Decimal, Reason> {
    let negative = (top < 0) != (bottom < 0);
    let (top, bottom) = (top.unsigned_abs(), bottom.unsigned_abs());
    let (Some(whole), Some(rest)) = (top.checked_div(bottom), top.checked_rem(bottom)) else {
        return Err(Reason::DivisionByZero);
    };
    let whole = u128::from(whole);
    if rest == 0 {
        return finished(negative, whole, scale);
    }
    // Digits in front of the first that counts are zeros only where the whole part is zero; then
    // the scale alone is the bound.
    let room = MAX_SCALE.saturating_sub(scale);
    let digits = room.min(MAX_DIGITS.saturating_sub(digit_count(whole)));
    let divisor = u128::from(bottom);
    let first = digits.min(STEP_DIGITS);
    let (mut fraction, mut rest) = step(u128::from(rest), divisor, first);
    let second = digits.saturating_sub(first);
    if rest != 0 && second > 0 {
        let (more, left) = step(rest, divisor, second);
        let shift = power_of_ten(second).unwrap_or(1);
        fraction = fraction.saturating_mul(shift).saturating_add(more);
        rest = left;
        return ended(negative, whole, (fraction, digits), (rest, divisor), scale);
    }
    ended(negative, whole, (fraction, first), (rest, divisor), scale)
}

/// The next digits of a fraction, and what remains.
fn step(rest: u128, divisor: u128, digits: u32) -> (u128, u128) {
    let factor = if digits == STEP_DIGITS { STEP } else { power_of_ten(digits).unwrap_or(1) };
    let grown = rest.saturating_mul(factor);
    (grown.checked_div(divisor).unwrap_or(0), grown.checked_rem(divisor).unwrap_or(0))
}

/// Whole part and fraction put together, without the zeros at the end of a fraction that ended.
fn ended(
    negative: bool,
    whole: u128,
    (mut fraction, mut digits): (u128, u32),
    (rest, divisor): (u128, u128),
    scale: u32,
) -> Result<Decimal, Reason> {
    if rest == 0 {
        while digits > 0 && fraction % 10 == 0 {
            fraction /= 10;
            digits = digits.saturating_sub(1);
        }
    }
    let shift = power_of_ten(digits).unwrap_or(1);
    let mut magnitude = whole.saturating_mul(shift).saturating_add(fraction);
    let mut scale = scale.saturating_add(digits);
    let twice = rest.saturating_mul(2);
    if twice > divisor || (twice == divisor && magnitude % 2 == 1) {
        magnitude = magnitude.saturating_add(1);
    }
    if magnitude == TOO_LARGE {
        magnitude /= 10;
        scale = scale.checked_sub(1).ok_or(Reason::Overflow)?;
    }
    finished(negative, magnitude, scale)
}

fn finished(negative: bool, magnitude: u128, scale: u32) -> Result<Decimal, Reason> {
    let mantissa = i128::try_from(magnitude).map_err(|_too_large| Reason::Overflow)?;
    direct(if negative { mantissa.saturating_neg() } else { mantissa }, scale)
        .ok_or(Reason::Overflow)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use rust_decimal::Decimal;

    use super::divide_small;
    use crate::number::divide;

    #[test]
    fn it_is_the_division_of_decimals() {
        for (top, bottom, scale) in [
            (1, 3, 0),
            (1, 3, 2),
            (2, 3, 28),
            (-5, 2, 1),
            (i64::MAX, 7, 0),
            (i64::MIN, i64::MAX, 3),
            (i64::MIN, -1, 0),
            (0, 5, 2),
            (1, 1 << 62, 0),
            (9_999_999_999_999_999, 10_000_000_000_000_000, 0),
            (1, 0, 0),
        ] {
            assert_same(top, bottom, scale);
        }
    }

    proptest! {
        #[test]
        fn it_is_the_division_of_any_decimals(
            top in prop_oneof![any::<i64>(), -10_000..10_000_i64],
            bottom in prop_oneof![any::<i64>(), -100..100_i64],
            scale in 0..=28_u32,
        ) {
            assert_same(top, bottom, scale);
        }
    }

    fn assert_same(top: i64, bottom: i64, scale: u32) {
        let expected = divide(Decimal::new(top, scale), Decimal::from(bottom));
        let found = divide_small(top, bottom, scale);
        let scales = (found.map(|it| it.scale()), expected.map(|it| it.scale()));
        assert_eq!(found, expected, "{top} / {bottom} at {scale}");
        assert_eq!(scales.0, scales.1, "{top} / {bottom} at {scale}");
    }
}
