//! Sum, difference and product: exact if the result fits, otherwise rounded once.

use rust_decimal::Decimal;

use super::fit::{DecimalParts, Exact, MAX_SCALE, direct, round_to_fit};
use super::wide::{Wide, power_of_ten};
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
    // The sums of the positive and of the negative numbers, in units of the smallest scale.
    let (mut above, mut below) = (Wide::ZERO, Wide::ZERO);
    for number in numbers {
        let part = DecimalParts::of(number);
        let side = if part.negative { &mut below } else { &mut above };
        let units = Wide::from(part.magnitude).scaled_up(MAX_SCALE.saturating_sub(part.scale));
        let sum = units.and_then(|units| side.checked_add(units));
        *side = sum.ok_or(Reason::Overflow)?;
    }
    let negative = above < below;
    let (larger, smaller) = if negative { (below, above) } else { (above, below) };
    round_to_fit(Exact {
        negative,
        magnitude: larger.checked_sub(smaller).ok_or(Reason::Overflow)?,
        scale: MAX_SCALE.cast_signed(),
        has_more: false,
    })
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
    round_to_fit(Exact {
        negative: left.negative != right.negative,
        magnitude: Wide::product(left.magnitude, right.magnitude),
        scale: i32::try_from(scale).unwrap_or(i32::MAX),
        has_more: false,
    })
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
pub(super) fn aligned_wide(a: DecimalParts, b: DecimalParts) -> Option<(Wide, Wide, u32)> {
    let scale = a.scale.max(b.scale);
    let raise =
        |part: DecimalParts| Wide::from(part.magnitude).scaled_up(scale.saturating_sub(part.scale));
    Some((raise(a)?, raise(b)?, scale))
}

fn add_wide(a: DecimalParts, b: DecimalParts) -> Result<Decimal, Reason> {
    let (left, right, scale) = aligned_wide(a, b).ok_or(Reason::Overflow)?;
    let (negative, magnitude) = if a.negative == b.negative {
        (a.negative, left.checked_add(right))
    } else if left >= right {
        (a.negative, left.checked_sub(right))
    } else {
        (b.negative, right.checked_sub(left))
    };
    round_to_fit(Exact {
        negative,
        magnitude: magnitude.ok_or(Reason::Overflow)?,
        scale: i32::try_from(scale).unwrap_or(i32::MAX),
        has_more: false,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sum_is_rounded_once() {
        let large = Decimal::from(9_999_999_999_999_999_999_999_999_999_i128);
        let small = Decimal::new(1, 28);

        assert_eq!(sum([large, small, negate(large)].into_iter()), Ok(small));
        assert_eq!(sum([large, small].into_iter()), Ok(large));
        assert_eq!(sum([large, Decimal::ONE].into_iter()), Err(Reason::Overflow));
        assert_eq!(sum([negate(large), small, large].into_iter()), Ok(small));
    }
}
