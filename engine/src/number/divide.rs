//! Division, averages, and division into wholes and a remainder.

use rust_decimal::Decimal;

use super::arithmetic::{aligned, aligned_wide};
use super::fit::{DecimalParts, Exact, MAX_DIGITS, MAX_SCALE, TOO_LARGE, direct, round_to_fit};
use super::wide::Wide;
use crate::types::Reason;

/// How many digits one step of a long division adds: a remainder below 2^96 times 10^9 fits 128 bits.
const STEP_DIGITS: i32 = 9;
const STEP: u128 = 1_000_000_000;
/// The least digits a step of a division in 64 bits may have, or else it has too many steps.
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

/// `a / b` to 28 significant digits, half-even.
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

/// The digits of `top / bottom / 10^scale` to 28 significant ones and 28 after the point, half-even,
/// and how many of them are after the point; without zeros at the end of an exact quotient, but for
/// those that `scale` has.
///
/// `None` for a division by zero, and for a divisor of more than 34 bits that leaves a rest.
#[inline]
pub(super) fn quotient_digits(top: u64, bottom: u64, scale: u32) -> Option<(u128, u32)> {
    let (whole, mut rest) = divided(top, bottom)?;
    if rest == 0 {
        return Some((u128::from(whole), scale));
    }
    // A rest below 2^bits times 10^digits stays below 2^64 where 10^digits is below 2^(64 - bits);
    // 1233 / 4096 is a little less than the logarithm of 2.
    let longest = bottom.leading_zeros().wrapping_mul(1_233) >> 12;
    if longest < LEAST_STEP {
        return None;
    }
    // A first digit that is not zero counts; before it only the digits after the point do.
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

/// How many digits a number has; zero has none.
#[inline]
fn digits_of(number: u64) -> u32 {
    number.checked_ilog10().map_or(0, |log| log.wrapping_add(1))
}

/// Quotient and remainder.
#[inline]
fn divided(number: u64, divisor: u64) -> Option<(u64, u64)> {
    let quotient = number.checked_div(divisor)?;
    Some((quotient, number.wrapping_sub(quotient.wrapping_mul(divisor))))
}

/// The digits before and the last group, which leaves nothing over, without the zeros at its end.
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

/// The mean of `count` numbers whose sum is `sum / 10^scale`, to 28 significant digits, half-even.
///
/// # Errors
/// [`Reason::NoRows`] if the count is zero; [`Reason::Overflow`] if the mean does not fit.
pub fn average(sum: i128, scale: u32, count: u64) -> Result<Decimal, Reason> {
    if count == 0 {
        return Err(Reason::NoRows);
    }
    long_division(sum < 0, sum.unsigned_abs(), u128::from(count), signed(scale))
}

/// `a - b * quotient(a, b)`: the remainder with the sign of `b`, exact.
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
        // Euclid's remainder is never negative; the sign of `b` wants it on the other side of zero.
        let rest = if right < 0 && rest != 0 { rest.saturating_add(right) } else { rest };
        if let Some(rest) = direct(rest, scale) {
            return Ok(rest);
        }
    }
    let (_, rest) = wholes(DecimalParts::of(a), DecimalParts::of(b))?;
    round_to_fit(rest)
}

/// The whole number of times that `b` goes into `a`, rounded down.
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

/// `top / bottom / 10^scale`, digit group by digit group until it ends or is longer than needed.
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
            // The end: leave off the zeros of the last group.
            while group != 0 && group % 10 == 0 {
                group /= 10;
                shift /= 10;
                scale = scale.saturating_sub(1);
            }
        }
        quotient = quotient.saturating_mul(shift).saturating_add(group);
    }
    let magnitude = Wide::from(quotient);
    round_to_fit(Exact { negative, magnitude, scale, has_more: rest != 0 })
}

/// Floor and remainder of `a / b` for a `b` other than zero, exact.
fn wholes(a: DecimalParts, b: DecimalParts) -> Result<(Exact, Exact), Reason> {
    let (left, right, scale) = aligned_wide(a, b).ok_or(Reason::Overflow)?;
    let (mut whole, mut rest) = left.divide(right).ok_or(Reason::DivisionByZero)?;
    if a.negative != b.negative && !rest.is_zero() {
        whole = whole.checked_add(Wide::from(1)).ok_or(Reason::Overflow)?;
        rest = right.checked_sub(rest).ok_or(Reason::Overflow)?;
    }
    let negative = a.negative != b.negative;
    Ok((
        Exact { negative, magnitude: whole, scale: 0, has_more: false },
        Exact { negative: b.negative, magnitude: rest, scale: signed(scale), has_more: false },
    ))
}
