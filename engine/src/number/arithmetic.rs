//! Sum, difference and product: exact if the result fits, otherwise rounded once.

use rust_decimal::Decimal;

use super::divide::divide;
use super::fit::{DecimalParts, Exact, MAX_SCALE, direct, round_to_fit};
use super::wide::{U256, power_of_ten};
use crate::types::Reason;

/// `a + b`.
///
/// # Errors
/// [`Reason::Overflow`] if the whole part of the sum has more than 28 digits.
pub fn add(a: Decimal, b: Decimal) -> Result<Decimal, Reason> {
    if let Some((left, right, scale)) = aligned(a, b)
        && let Some(sum) = left.checked_add(right).and_then(|sum| direct(sum, scale))
    {
        return Ok(sum);
    }
    add_wide(DecimalParts::of(a), DecimalParts::of(b))
}

/// The sum of all numbers, rounded once.
///
/// # Errors
/// [`Reason::Overflow`] if the whole part of the sum has more than 28 digits.
pub fn sum(numbers: impl Iterator<Item = Decimal>) -> Result<Decimal, Reason> {
    let (negative, magnitude) = total(numbers)?;
    round_to_fit(Exact::new(negative, magnitude, MAX_SCALE))
}

/// The sum of all numbers divided by `count`, rounded once.
///
/// # Errors
/// [`Reason::NoRows`] for a count of zero, and [`Reason::Overflow`] if the whole part has more than 28
/// digits.
pub fn mean(numbers: impl Iterator<Item = Decimal>, count: u64) -> Result<Decimal, Reason> {
    let (negative, total) = total(numbers)?;
    // One digit more than can be kept: it decides how the last one is rounded.
    let total = total.scaled_up(1).ok_or(Reason::Overflow)?;
    let (magnitude, rest) = total.divide(U256::from(u128::from(count))).ok_or(Reason::NoRows)?;
    let scale = MAX_SCALE.cast_signed().saturating_add(1);
    round_to_fit(Exact { negative, magnitude, scale, has_more: !rest.is_zero() })
}

/// The sign and the magnitude of a sum, in units of the smallest scale.
fn total(numbers: impl Iterator<Item = Decimal>) -> Result<(bool, U256), Reason> {
    // The sums of the positive and of the negative numbers.
    let (mut above, mut below) = (U256::ZERO, U256::ZERO);
    for number in numbers {
        let part = DecimalParts::of(number);
        let side = if part.negative { &mut below } else { &mut above };
        let units = U256::from(part.magnitude).scaled_up(MAX_SCALE.saturating_sub(part.scale));
        let sum = units.and_then(|units| side.checked_add(units));
        *side = sum.ok_or(Reason::Overflow)?;
    }
    signed_sum((false, above), (true, below)).ok_or(Reason::Overflow)
}

/// The growth from `earlier` to `current`, as a fraction of `earlier`.
///
/// # Errors
/// [`Reason::DivisionByZero`] from zero, [`Reason::NotComparable`] from a negative number, and [`Reason::Overflow`] if
/// the whole part has more than 28 digits.
pub(crate) fn growth(current: Decimal, earlier: Decimal) -> Result<Decimal, Reason> {
    if earlier.is_sign_negative() && !earlier.is_zero() {
        return Err(Reason::NotComparable);
    }
    divide(subtract(current, earlier)?, earlier)
}

/// The number a part of the way from `low` up to `high`, rounded once: `low + (high - low) * part`.
///
/// # Errors
/// [`Reason::Overflow`] if the whole part has more than 28 digits.
pub fn interpolate(low: Decimal, high: Decimal, part: Decimal) -> Result<Decimal, Reason> {
    exactly_between(low, high, part).map_or_else(
        // A part of many digits: the way is rounded on its own.
        || add(low, multiply(part, subtract(high, low)?)?),
        round_to_fit,
    )
}

/// The exact number a part of the way; `None` if it does not fit in 256 bits.
fn exactly_between(low: Decimal, high: Decimal, part: Decimal) -> Option<Exact> {
    let (low, high) = (DecimalParts::of(low), DecimalParts::of(high));
    let part = DecimalParts::of(part);
    let (start, end, scale) = aligned_wide(low, high)?;
    let way = signed_sum((high.negative, end), (!low.negative, start))?;
    let way = (way.0 != part.negative, way.1.checked_mul(part.magnitude)?);
    let start = (low.negative, start.scaled_up(part.scale)?);
    let (negative, magnitude) = signed_sum(start, way)?;
    Some(Exact::new(negative, magnitude, scale.checked_add(part.scale)?))
}

/// `a - b`.
///
/// # Errors
/// [`Reason::Overflow`] if the whole part of the difference has more than 28 digits.
pub fn subtract(a: Decimal, b: Decimal) -> Result<Decimal, Reason> {
    add(a, negate(b))
}

/// `a * b`.
///
/// # Errors
/// [`Reason::Overflow`] if the whole part of the product has more than 28 digits.
pub fn multiply(a: Decimal, b: Decimal) -> Result<Decimal, Reason> {
    let scale = a.scale().saturating_add(b.scale());
    if let Some(product) = a.mantissa().checked_mul(b.mantissa()).and_then(|it| direct(it, scale)) {
        return Ok(product);
    }
    let (left, right) = (DecimalParts::of(a), DecimalParts::of(b));
    let magnitude = U256::product(left.magnitude, right.magnitude);
    round_to_fit(Exact::new(left.negative != right.negative, magnitude, scale))
}

/// `-a`; the negative of zero is zero.
pub fn negate(a: Decimal) -> Decimal {
    let mut negated = a;
    negated.set_sign_positive(a.is_zero() || a.is_sign_negative());
    negated
}

/// Returns both numbers as integers of the finer scale, if they fit in 128 bits.
pub(super) fn aligned(a: Decimal, b: Decimal) -> Option<(i128, i128, u32)> {
    let scale = a.scale().max(b.scale());
    let raise = |number: Decimal| {
        let digits = scale.saturating_sub(number.scale());
        if digits == 0 {
            return Some(number.mantissa());
        }
        let factor = i128::try_from(power_of_ten(digits)?).ok()?;
        number.mantissa().checked_mul(factor)
    };
    Some((raise(a)?, raise(b)?, scale))
}

/// Returns the magnitudes of both numbers at the finer scale. 96 bits times 10^28 is below 2^190.
pub(super) fn aligned_wide(a: DecimalParts, b: DecimalParts) -> Option<(U256, U256, u32)> {
    let scale = a.scale.max(b.scale);
    let raise =
        |part: DecimalParts| U256::from(part.magnitude).scaled_up(scale.saturating_sub(part.scale));
    Some((raise(a)?, raise(b)?, scale))
}

fn add_wide(a: DecimalParts, b: DecimalParts) -> Result<Decimal, Reason> {
    let (left, right, scale) = aligned_wide(a, b).ok_or(Reason::Overflow)?;
    let sum = signed_sum((a.negative, left), (b.negative, right));
    let (negative, magnitude) = sum.ok_or(Reason::Overflow)?;
    round_to_fit(Exact::new(negative, magnitude, scale))
}

/// The sum of two magnitudes that may be negative; `None` above 256 bits.
pub(super) fn signed_sum(a: (bool, U256), b: (bool, U256)) -> Option<(bool, U256)> {
    Some(if a.0 == b.0 {
        (a.0, a.1.checked_add(b.1)?)
    } else if a.1 >= b.1 {
        (a.0, a.1.checked_sub(b.1)?)
    } else {
        (b.0, b.1.checked_sub(a.1)?)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::number::divide;

    #[test]
    fn a_sum_is_rounded_once() {
        let large = Decimal::from(9_999_999_999_999_999_999_999_999_999_i128);
        let small = Decimal::new(1, 28);

        assert_eq!(sum([large, small, negate(large)].into_iter()), Ok(small));
        assert_eq!(sum([large, small].into_iter()), Ok(large));
        assert_eq!(sum([large, Decimal::ONE].into_iter()), Err(Reason::Overflow));
        assert_eq!(sum([negate(large), small, large].into_iter()), Ok(small));
    }

    #[test]
    fn a_mean_is_rounded_once() -> Result<(), Reason> {
        let numbers = [divide(67.into(), 9.into())?, divide(93.into(), 9.into())?, 12.into()];

        // Their sum has 29 digits.
        let mean = mean(numbers.into_iter(), 3)?;

        assert_eq!(mean.to_string(), "9.925925925925925925925925925");
        assert_eq!(super::mean(std::iter::empty(), 0), Err(Reason::NoRows));
        Ok(())
    }

    #[test]
    fn a_number_between_two_is_rounded_once() -> Result<(), Reason> {
        let (low, high) = (divide(7.into(), 3.into())?, Decimal::from(8));
        let half = Decimal::new(5, 1);

        // Half of the way has 29 digits.
        let middle = interpolate(low, high, half)?;

        assert_eq!(middle.to_string(), "5.166666666666666666666666666");
        assert_eq!(interpolate(high, low, half), Ok(middle));
        assert_eq!(interpolate(low, high, Decimal::ZERO), Ok(low));
        assert_eq!(interpolate(low, high, Decimal::ONE), Ok(high));
        Ok(())
    }
}
