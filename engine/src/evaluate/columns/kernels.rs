//! Loops over integers of one block. Each tells whether everything fitted 64 bits; where it did
//! not, the block is computed again in decimals, so what a loop leaves then means nothing.
//!
//! Additions wrap on purpose and their overflow is gathered in one word, because a check in every
//! row would keep the loops from running several rows at once.

use crate::check::Comparison;
use crate::number::Rounding;

/// `a + b`
pub(super) fn add(out: &mut [i64], a: &[i64], b: &[i64]) -> bool {
    let mut spilt = 0_i64;
    for ((out, a), b) in out.iter_mut().zip(a).zip(b) {
        let sum = a.wrapping_add(*b);
        spilt |= (a ^ sum) & (b ^ sum);
        *out = sum;
    }
    spilt >= 0
}

/// `a - b`
pub(super) fn subtract(out: &mut [i64], a: &[i64], b: &[i64]) -> bool {
    let mut spilt = 0_i64;
    for ((out, a), b) in out.iter_mut().zip(a).zip(b) {
        let difference = a.wrapping_sub(*b);
        spilt |= (a ^ b) & (a ^ difference);
        *out = difference;
    }
    spilt >= 0
}

/// `a * b`
pub(super) fn multiply(out: &mut [i64], a: &[i64], b: &[i64]) -> bool {
    let mut bits = 0_i64;
    for ((out, a), b) in out.iter_mut().zip(a).zip(b) {
        bits |= folded(*a) | folded(*b);
        *out = a.wrapping_mul(*b);
    }
    if bits < SMALL_FACTOR {
        return true;
    }
    // A factor is large: whether the products fit must be seen row by row.
    a.iter().zip(b).all(|(a, b)| a.checked_mul(*b).is_some())
}

/// Factors below this have a product below 2^62.
const SMALL_FACTOR: i64 = 1 << 31;

/// `a * factor`, to write a number at a finer scale.
pub(super) fn scale_up(out: &mut [i64], a: &[i64], factor: i64) -> bool {
    let limit = i64::MAX.checked_div(factor).unwrap_or(0);
    let mut bits = 0_i64;
    for (out, a) in out.iter_mut().zip(a) {
        bits |= folded(*a);
        *out = a.wrapping_mul(factor);
    }
    bits < limit || a.iter().all(|a| a.checked_mul(factor).is_some())
}

/// `-a`
pub(super) fn negate(out: &mut [i64], a: &[i64]) -> bool {
    let mut least = 0_i64;
    for (out, a) in out.iter_mut().zip(a) {
        *out = a.wrapping_neg();
        least = least.min(*a);
    }
    least != i64::MIN
}

/// `abs(a)`
pub(super) fn absolute(out: &mut [i64], a: &[i64]) -> bool {
    let mut least = 0_i64;
    for (out, a) in out.iter_mut().zip(a) {
        *out = a.wrapping_abs();
        least = least.min(*a);
    }
    least != i64::MIN
}

/// The bits that a number has beside its sign: not below its magnitude less one, and below twice
/// its magnitude.
const fn folded(number: i64) -> i64 {
    number ^ (number >> 63)
}

/// What a division found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Divided {
    pub(super) fits: bool,
    /// Whether a divisor was zero; the rows must be looked for.
    pub(super) zeros: bool,
}

/// Numbers below this are whole in a float with room for a rounding: 2^51.
const EXACT_IN_FLOAT: i64 = 1 << 51;

/// `round(top * factors.0 / (bottom * factors.1))`, ties away from zero.
///
/// The quotient is guessed with floats, which is off by one at most while both sides are below
/// 2^51, and put right by the remainder: the result is that of the integer division.
pub(super) fn round_quotient(
    out: &mut [i64],
    (top, bottom): (&[i64], &[i64]),
    factors: (i64, i64),
) -> Divided {
    let limit = |factor: i64| (EXACT_IN_FLOAT - 1).checked_div(factor).unwrap_or(0);
    // The bits folded are up to one below the magnitude.
    let limits = (limit(factors.0).saturating_sub(1), limit(factors.1).saturating_sub(1));
    let (mut top_bits, mut bottom_bits, mut zeros) = (0_i64, 0_i64, 0_i64);
    for ((out, top), bottom) in out.iter_mut().zip(top).zip(bottom) {
        top_bits |= folded(*top);
        bottom_bits |= folded(*bottom);
        let sign = (top ^ bottom) >> 63;
        let zero = i64::from(*bottom == 0);
        zeros |= zero;
        let top = magnitude(top.wrapping_mul(factors.0));
        let bottom = magnitude(bottom.wrapping_mul(factors.1)).wrapping_add(zero);
        let guess = guess(top, bottom);
        let rest = top.wrapping_sub(guess.wrapping_mul(bottom));
        let twice = rest.wrapping_add(rest);
        // One more where twice the rest reaches the divisor, one less where it is below its negative.
        let reaches = (twice.wrapping_sub(bottom) >> 63).wrapping_add(1);
        let falls = twice.wrapping_add(bottom) >> 63;
        let quotient = guess.wrapping_add(reaches).wrapping_add(falls);
        *out = (quotient ^ sign).wrapping_sub(sign);
    }
    if top_bits <= limits.0 && bottom_bits <= limits.1 {
        return Divided { fits: true, zeros: zeros != 0 };
    }
    round_quotient_slowly(out, (top, bottom), factors, Rounding::HalfUp)
}

/// The same for every way of rounding and any 64 bits.
pub(super) fn round_quotient_slowly(
    out: &mut [i64],
    (top, bottom): (&[i64], &[i64]),
    factors: (i64, i64),
    rounding: Rounding,
) -> Divided {
    let mut divided = Divided { fits: true, zeros: false };
    for ((out, top), bottom) in out.iter_mut().zip(top).zip(bottom) {
        let sides = (top.checked_mul(factors.0), bottom.checked_mul(factors.1));
        let (Some(top), Some(bottom)) = sides else {
            divided.fits = false;
            continue;
        };
        if bottom == 0 {
            divided.zeros = true;
            continue;
        }
        match rounded(top, bottom, rounding) {
            Some(quotient) => *out = quotient,
            None => divided.fits = false,
        }
    }
    divided
}

/// `top / bottom` rounded to a whole number; none past 64 bits.
pub(super) fn rounded(top: i64, bottom: i64, rounding: Rounding) -> Option<i64> {
    let negative = (top < 0) != (bottom < 0);
    let (top, bottom) = (top.unsigned_abs(), bottom.unsigned_abs());
    let (whole, rest) = (top.checked_div(bottom)?, top.checked_rem(bottom)?);
    let left = bottom.saturating_sub(rest);
    let away = rest != 0
        && match rounding {
            Rounding::HalfUp => rest >= left,
            Rounding::HalfEven => rest > left || (rest == left && whole % 2 == 1),
            Rounding::Floor => negative,
            Rounding::Ceiling => !negative,
            Rounding::Truncate => false,
        };
    let whole = i64::try_from(whole.saturating_add(u64::from(away))).ok()?;
    Some(if negative { whole.saturating_neg() } else { whole })
}

/// `a / divisor` rounded to whole numbers.
pub(super) fn round(out: &mut [i64], a: &[i64], divisor: i64, rounding: Rounding) -> bool {
    for (out, a) in out.iter_mut().zip(a) {
        *out = rounded(*a, divisor, rounding).unwrap_or(0);
    }
    true
}

/// The one that stands so to the other.
pub(super) fn extreme(out: &mut [i64], op: Comparison, a: &[i64], b: &[i64]) -> bool {
    match op {
        Comparison::LessOrEqual => each(out, a, b, i64::min),
        _ => each(out, a, b, i64::max),
    }
    true
}

/// A number without its sign.
const fn magnitude(number: i64) -> i64 {
    let sign = number >> 63;
    (number ^ sign).wrapping_sub(sign)
}

/// The nearest whole number to `top / bottom`, off by one at most; both below 2^51, not negative.
#[expect(
    clippy::float_arithmetic,
    reason = "a guess: the caller puts it right by the remainder, so the result is exact"
)]
fn guess(top: i64, bottom: i64) -> i64 {
    // A float at this size has no room for a fraction, so adding it rounds, and whole numbers
    // become floats and back by the bits alone, in any number of rows at once.
    const WHOLE: f64 = 6_755_399_441_055_744.0;
    let float =
        |number: i64| f64::from_bits(WHOLE.to_bits().wrapping_add(number.cast_unsigned())) - WHOLE;
    let quotient = float(top) / float(bottom) + WHOLE;
    quotient.to_bits().wrapping_sub(WHOLE.to_bits()).cast_signed()
}

/// Whether the comparison holds, row by row.
pub(super) fn compare(out: &mut [bool], op: Comparison, a: &[i64], b: &[i64]) {
    match op {
        Comparison::Equal => each(out, a, b, |a, b| a == b),
        Comparison::NotEqual => each(out, a, b, |a, b| a != b),
        Comparison::Less => each(out, a, b, |a, b| a < b),
        Comparison::LessOrEqual => each(out, a, b, |a, b| a <= b),
        Comparison::Greater => each(out, a, b, |a, b| a > b),
        Comparison::GreaterOrEqual => each(out, a, b, |a, b| a >= b),
    }
}

/// One thing of two others in every row.
pub(super) fn each<T: Copy, U>(out: &mut [U], a: &[T], b: &[T], of: impl Fn(T, T) -> U) {
    for ((out, a), b) in out.iter_mut().zip(a).zip(b) {
        *out = of(*a, *b);
    }
}

/// The second where the condition holds, else the third.
pub(super) fn choose<T: Copy>(out: &mut [T], condition: &[bool], a: &[T], b: &[T]) {
    for (((out, condition), a), b) in out.iter_mut().zip(condition).zip(a).zip(b) {
        *out = if *condition { *a } else { *b };
    }
}
