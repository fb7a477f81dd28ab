//! Division, averages, and integer division with remainder.

use rust_decimal::Decimal;

use super::arithmetic::{aligned, aligned_wide};
use super::fit::{DecimalParts, Exact, MAX_DIGITS, MAX_SCALE, TOO_LARGE, direct, round_to_fit};
use super::wide::U256;
use crate::types::Reason;

/// Digits per step of a long division: a remainder below 2^96 times 10^9 fits in 128 bits.
const STEP_DIGITS: i32 = 9;
const STEP: u128 = 1_000_000_000;
/// The minimum digits per step of a 64-bit division; with fewer, it has too many steps.
const LEAST_STEP: u32 = 9;
/// The powers of ten in 64 bits.
pub(super) const POWERS: [u64; 20] = {
    let mut powers = [1_u64; 20];
    let mut index = 1;
    while index < powers.len() {
        #[expect(
            clippy::indexing_slicing,
            reason = "the loop ends with the table, and the last power fits"
        )]
        {
            powers[index] = powers[index - 1] * 10;
        }
        index = index.saturating_add(1);
    }
    powers
};

/// Returns `a / b` to 28 significant digits, half-even.
///
/// # Errors
/// [`Reason::DivisionByZero`], and [`Reason::Overflow`] if the whole part has more than 28 digits.
pub fn divide(a: Decimal, b: Decimal) -> Result<Decimal, Reason> {
    let (top, bottom) = (DecimalParts::of(a), DecimalParts::of(b));
    let negative = top.negative != bottom.negative;
    if let Some(quotient) = in_64_bits(negative, top, bottom) {
        return Ok(quotient);
    }
    let scale = signed(top.scale).saturating_sub(signed(bottom.scale));
    long_division(negative, top.magnitude, bottom.magnitude, scale)
}

fn in_64_bits(negative: bool, top: DecimalParts, bottom: DecimalParts) -> Option<Decimal> {
    let scale = top.scale.checked_sub(bottom.scale)?;
    let top = u64::try_from(top.magnitude).ok()?;
    let bottom = u64::try_from(bottom.magnitude).ok()?;
    let (digits, scale) = quotient_digits(top, bottom, scale)?;
    let mantissa = i128::try_from(digits).ok()?;
    direct(if negative { mantissa.saturating_neg() } else { mantissa }, scale)
}

/// Returns the digits of `top / bottom / 10^scale`, half-even, to 28 significant digits and 28
/// after the point, and the number of digits after the point. An exact quotient has no trailing
/// zeros, except for those that `scale` has.
///
/// `None` for a division by zero, and for a divisor of more than 34 bits that leaves a remainder.
#[inline]
pub(super) fn quotient_digits(top: u64, bottom: u64, scale: u32) -> Option<(u128, u32)> {
    let (whole, mut rest) = divided(top, bottom)?;
    if rest == 0 {
        return Some((u128::from(whole), scale));
    }
    // A remainder below 2^bits times 10^digits stays below 2^64 if 10^digits is below 2^(64 -
    // bits); 1233 / 4096 is slightly less than the logarithm of 2.
    let longest = bottom.leading_zeros().wrapping_mul(1_233) >> 12;
    if longest < LEAST_STEP {
        return None;
    }
    // Digits count from the first non-zero one; before it, only the scale counts.
    let mut wanted = MAX_DIGITS.saturating_sub(digits_of(whole)).min(MAX_SCALE.checked_sub(scale)?);
    let mut scale = scale;
    let mut digits = u128::from(whole);
    while wanted > 0 {
        let count = wanted.min(longest);
        let step = *POWERS.get(usize::try_from(count).ok()?)?;
        let (group, left) = divided(rest.wrapping_mul(step), bottom)?;
        rest = left;
        scale = scale.wrapping_add(count);
        if rest == 0 {
            return Some(ended(digits, group, step, scale));
        }
        digits = digits.wrapping_mul(u128::from(step)).wrapping_add(u128::from(group));
        wanted = wanted.wrapping_sub(count);
    }
    let above = bottom.wrapping_sub(rest);
    if rest > above || (rest == above && digits & 1 == 1) {
        digits = digits.wrapping_add(1);
        if digits == TOO_LARGE {
            // Rounding up carried through every nine.
            return Some((digits / 10, scale.checked_sub(1)?));
        }
    }
    Some((digits, scale))
}

/// Returns the number of digits; zero has none.
#[inline]
fn digits_of(number: u64) -> u32 {
    number.checked_ilog10().map_or(0, |log| log.wrapping_add(1))
}

/// Returns quotient and remainder.
#[inline]
pub(super) fn divided(number: u64, divisor: u64) -> Option<(u64, u64)> {
    let quotient = number.checked_div(divisor)?;
    Some((quotient, number.wrapping_sub(quotient.wrapping_mul(divisor))))
}

/// Appends the last, exact group to the digits, without its trailing zeros.
fn ended(digits: u128, mut group: u64, mut step: u64, mut scale: u32) -> (u128, u32) {
    for zeros in [16_u32, 8, 4, 2, 1] {
        let power = POWERS.get(usize::try_from(zeros).unwrap_or(0)).copied().unwrap_or(1);
        if step >= power && group.is_multiple_of(power) {
            group = group.checked_div(power).unwrap_or(0);
            step = step.checked_div(power).unwrap_or(1);
            scale = scale.saturating_sub(zeros);
        }
    }
    (digits.wrapping_mul(u128::from(step)).wrapping_add(u128::from(group)), scale)
}

/// Returns the mean of `count` numbers with the sum `sum / 10^scale`, to 28 significant digits,
/// half-even.
///
/// # Errors
/// [`Reason::NoRows`] if the count is zero; [`Reason::Overflow`] if the mean does not fit.
pub fn average(sum: i128, scale: u32, count: u64) -> Result<Decimal, Reason> {
    if count == 0 {
        return Err(Reason::NoRows);
    }
    long_division(sum < 0, sum.unsigned_abs(), u128::from(count), signed(scale))
}

/// Returns `a - b * quotient(a, b)`: the remainder with the sign of `b`, exact unless it has more than 28
/// digits, which only happens if the signs differ.
///
/// # Errors
/// [`Reason::DivisionByZero`].
pub fn remainder(a: Decimal, b: Decimal) -> Result<Decimal, Reason> {
    if b.is_zero() {
        return Err(Reason::DivisionByZero);
    }
    if let Some((left, right, scale)) = aligned(a, b)
        && let Some(rest) = left.checked_rem_euclid(right)
    {
        // Euclid's remainder is never negative; for a negative `b` it must be on the other side of
        // zero.
        let rest = if right < 0 && rest != 0 { rest.saturating_add(right) } else { rest };
        if let Some(rest) = direct(rest, scale) {
            return Ok(rest);
        }
    }
    let (_, rest) = wholes(DecimalParts::of(a), DecimalParts::of(b))?;
    round_to_fit(rest)
}

/// Returns the integer quotient of `a` and `b`, rounded down.
///
/// # Errors
/// [`Reason::DivisionByZero`], and [`Reason::Overflow`] if it has more than 28 digits.
pub fn quotient(a: Decimal, b: Decimal) -> Result<Decimal, Reason> {
    if b.is_zero() {
        return Err(Reason::DivisionByZero);
    }
    let (whole, _) = wholes(DecimalParts::of(a), DecimalParts::of(b))?;
    round_to_fit(whole)
}

fn signed(scale: u32) -> i32 {
    i32::try_from(scale).unwrap_or(i32::MAX)
}

/// Computes `top / bottom / 10^scale` in groups of digits, until it ends or is long enough.
pub(super) fn long_division(
    negative: bool,
    top: u128,
    bottom: u128,
    mut scale: i32,
) -> Result<Decimal, Reason> {
    let (Some(mut quotient), Some(mut rest)) = (top.checked_div(bottom), top.checked_rem(bottom))
    else {
        return Err(Reason::DivisionByZero);
    };
    while rest != 0 && quotient < TOO_LARGE && scale <= signed(MAX_SCALE) {
        let grown = rest.saturating_mul(STEP);
        let mut group = grown.checked_div(bottom).unwrap_or(0);
        rest = grown.checked_rem(bottom).unwrap_or(0);
        let mut shift = STEP;
        scale = scale.saturating_add(STEP_DIGITS);
        if rest == 0 {
            // The end: remove the trailing zeros of the last group.
            while group != 0 && group % 10 == 0 {
                group /= 10;
                shift /= 10;
                scale = scale.saturating_sub(1);
            }
        }
        quotient = quotient.saturating_mul(shift).saturating_add(group);
    }
    let magnitude = U256::from(quotient);
    round_to_fit(Exact { negative, magnitude, scale, has_more: rest != 0 })
}

/// Returns floor and remainder of `a / b` for a non-zero `b`, exact.
fn wholes(a: DecimalParts, b: DecimalParts) -> Result<(Exact, Exact), Reason> {
    let (left, right, scale) = aligned_wide(a, b).ok_or(Reason::Overflow)?;
    let (mut whole, mut rest) = left.divide(right).ok_or(Reason::DivisionByZero)?;
    let negative = a.negative != b.negative;
    if negative && !rest.is_zero() {
        whole = whole.checked_add(U256::from(1)).ok_or(Reason::Overflow)?;
        rest = right.checked_sub(rest).ok_or(Reason::Overflow)?;
    }
    Ok((Exact::new(negative, whole, 0), Exact::new(b.negative, rest, scale)))
}
