//! Loops over the integers of one block. Each returns whether everything fitted in 64 bits; if not, the
//! block is computed again in decimals and the loop's output is meaningless.
//!
//! Additions wrap on purpose and their overflow is collected in one word, because a check in every row
//! would prevent vectorization.

use fearless_simd::{Level, dispatch};

use crate::check::Comparison;
use crate::number::Rounding;

/// Runs a loop that is compiled for each vector width, with the widest that the processor supports. Sums and differences
/// do not use it: they are bound by memory, and become slower by a quarter.
#[inline]
fn widest<R>(kernel: impl FnOnce() -> R) -> R {
    dispatch!(Level::new(), _simd => kernel())
}

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
    let bits = widest(
        #[inline(always)]
        || {
            let mut bits = 0_i64;
            for ((out, a), b) in out.iter_mut().zip(a).zip(b) {
                bits |= folded(*a) | folded(*b);
                *out = a.wrapping_mul(*b);
            }
            bits
        },
    );
    if bits < SMALL_FACTOR {
        return true;
    }
    // With a large factor, each product is checked for overflow.
    a.iter().zip(b).all(|(a, b)| a.checked_mul(*b).is_some())
}

/// Two numbers with [`folded`] bits below this have a product of at most 2^62.
const SMALL_FACTOR: i64 = 1 << 31;

/// `a * factor`
pub(super) fn scale_up(out: &mut [i64], a: &[i64], factor: i64) -> bool {
    // The largest power of two that, times the factor, is at most 2^62; or zero.
    let bits = factor.unsigned_abs().checked_next_power_of_two().map_or(64, u64::trailing_zeros);
    let room = 62_u32.checked_sub(bits).and_then(|bits| 1_i64.checked_shl(bits)).unwrap_or(0);
    let bits = match u32::try_from(factor) {
        // The product of a number of 32 bits takes a third fewer instructions.
        Ok(factor) => scaled(out, a, room, i64::from(factor)),
        Err(_) => scaled(out, a, room, factor),
    };
    in_room(bits, room) || a.iter().all(|a| a.checked_mul(factor).is_some())
}

/// Writes the products; returns the bitwise or of the numbers plus `room`.
#[inline]
fn scaled(out: &mut [i64], a: &[i64], room: i64, factor: i64) -> i64 {
    widest(
        #[inline(always)]
        || {
            let mut bits = 0_i64;
            for (out, a) in out.iter_mut().zip(a) {
                bits |= a.wrapping_add(room);
                *out = a.wrapping_mul(factor);
            }
            bits
        },
    )
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

/// Returns a number if it is not negative, otherwise its magnitude minus one.
const fn folded(number: i64) -> i64 {
    number ^ (number >> 63)
}

/// The outcome of a division loop.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Divided {
    pub(super) fits: bool,
    /// Whether any divisor was zero; the rows must then be searched for it.
    pub(super) zeros: bool,
}

/// Below this many bits, the floating-point quotient rounds to the right whole number.
const EXACT_BITS: u32 = 50;

/// A float of this size has no room for a fraction: adding it rounds to the nearest whole number,
/// and whole numbers become floats and back by their bits alone.
const WHOLE: f64 = 6_755_399_441_055_744.0;

/// `round(top * factors.0 / (bottom * factors.1))`, ties away from zero.
///
/// Divides in floating point while both sides are below 2^50, which is exact enough; else in integers.
pub(super) fn round_quotient(
    out: &mut [i64],
    top: &[i64],
    bottom: &[i64],
    factors: (i64, i64),
) -> Divided {
    let rooms = (room(factors.0), room(factors.1));
    let raised = (float(factors.0), float(factors.1));
    let (top_bits, bottom_bits, nonzero) = widest(
        #[inline(always)]
        || {
            let (mut top_bits, mut bottom_bits, mut nonzero) = (0_i64, 0_i64, -1_i64);
            for ((out, top), bottom) in out.iter_mut().zip(top).zip(bottom) {
                top_bits |= top.wrapping_add(rooms.0);
                bottom_bits |= bottom.wrapping_add(rooms.1);
                // Only zero has no sign on either side of zero.
                nonzero &= bottom | bottom.wrapping_neg();
                *out = nearest(float(*top), float(*bottom), raised);
            }
            (top_bits, bottom_bits, nonzero)
        },
    );
    if in_room(top_bits, rooms.0) && in_room(bottom_bits, rooms.1) {
        return Divided { fits: true, zeros: nonzero >= 0 };
    }
    round_quotient_slowly(out, top, bottom, factors, Rounding::HalfUp)
}

/// Returns whether all numbers were in `-room..room`; `bits` is the bitwise or of the numbers plus
/// `room`.
const fn in_room(bits: i64, room: i64) -> bool {
    room > 0 && bits & !(room | room.wrapping_sub(1)) == 0
}

/// Returns the largest power of two that, times the factor, is at most 2^50; or zero. A number is within
/// it on both sides of zero if adding it leaves no bit above it.
const fn room(factor: i64) -> i64 {
    let bits = factor.unsigned_abs().next_power_of_two().trailing_zeros();
    match EXACT_BITS.checked_sub(bits) {
        Some(bits) => 1 << bits,
        None => 0,
    }
}

/// Converts a whole number to a float, by its bits.
#[expect(clippy::float_arithmetic, reason = "exact: both are whole numbers below 2^53")]
fn float(number: i64) -> f64 {
    f64::from_bits(WHOLE.to_bits().wrapping_add(number.cast_unsigned())) - WHOLE
}

/// `top * raised.0 / (bottom * raised.1)` to the nearest whole number, ties away from zero.
///
/// The float quotient is off by at most half an ulp. One more ulp away from zero makes a tie round away
/// from zero. No other quotient reaches a tie: it is at least `1 / (2 bottom)` away from one, while one
/// and a half ulps are at most `3 top / (2^53 bottom)`.
#[expect(clippy::float_arithmetic, reason = "the quotient is near enough to round correctly")]
fn nearest(top: f64, bottom: f64, raised: (f64, f64)) -> i64 {
    let quotient = (top * raised.0) / (bottom * raised.1);
    let further = f64::from_bits(quotient.to_bits().wrapping_add(1));
    (further + WHOLE).to_bits().wrapping_sub(WHOLE.to_bits()).cast_signed()
}

/// Computes the same quotient for every rounding mode and any 64-bit integers.
pub(super) fn round_quotient_slowly(
    out: &mut [i64],
    top: &[i64],
    bottom: &[i64],
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

/// Returns `top / bottom` rounded to a whole number; `None` if it does not fit in 64 bits.
pub(super) fn rounded(top: i64, bottom: i64, rounding: Rounding) -> Option<i64> {
    let negative = (top < 0) != (bottom < 0);
    let (top, bottom) = (top.unsigned_abs(), bottom.unsigned_abs());
    let (whole, rest) = (top.checked_div(bottom)?, top.checked_rem(bottom)?);
    let half = rest.cmp(&bottom.saturating_sub(rest));
    let away = rest != 0 && rounding.rounds_away(negative, whole % 2 == 1, half);
    let whole = i64::try_from(whole.saturating_add(u64::from(away))).ok()?;
    Some(if negative { whole.saturating_neg() } else { whole })
}

/// `a / divisor` rounded to whole numbers.
pub(super) fn round(out: &mut [i64], a: &[i64], divisor: i64, rounding: Rounding) -> bool {
    let limit = room(1);
    if rounding == Rounding::HalfUp && divisor < limit {
        let by = float(divisor);
        let bits = widest(
            #[inline(always)]
            || {
                let mut bits = 0_i64;
                for (out, a) in out.iter_mut().zip(a) {
                    bits |= a.wrapping_add(limit);
                    *out = nearest(float(*a), by, (1.0, 1.0));
                }
                bits
            },
        );
        if in_room(bits, limit) {
            return true;
        }
    }
    for (out, a) in out.iter_mut().zip(a) {
        *out = rounded(*a, divisor, rounding).unwrap_or(0);
    }
    true
}

/// The minimum or maximum, selected by the comparison.
pub(super) fn extreme(out: &mut [i64], op: Comparison, a: &[i64], b: &[i64]) -> bool {
    match op {
        Comparison::LessOrEqual => each(out, a, b, i64::min),
        _ => each(out, a, b, i64::max),
    }
    true
}

/// Returns the exact sum of a block, in 64 bits if all numbers are small enough not to overflow.
pub(super) fn sum(values: &[i64]) -> i128 {
    // 1,024 numbers of at most 2^51 stay below 2^62.
    const ROOM: i64 = 1 << 51;
    let (bits, sum) = widest(
        #[inline(always)]
        || {
            let (mut bits, mut sum) = (0_i64, 0_i64);
            for value in values {
                bits |= value.wrapping_add(ROOM);
                sum = sum.wrapping_add(*value);
            }
            (bits, sum)
        },
    );
    if bits & !(ROOM | (ROOM - 1)) == 0 {
        return i128::from(sum);
    }
    values.iter().fold(0, |sum, value| sum.saturating_add(i128::from(*value)))
}

/// Takes the first branch where the comparison of the two sides is true, otherwise the second.
pub(super) fn select(
    out: &mut [i64],
    op: Comparison,
    sides: (&[i64], &[i64]),
    branches: (&[i64], &[i64]),
) {
    match op {
        Comparison::Equal => select_by(out, sides, branches, |a, b| a == b),
        Comparison::NotEqual => select_by(out, sides, branches, |a, b| a != b),
        Comparison::Less => select_by(out, sides, branches, |a, b| a < b),
        Comparison::LessOrEqual => select_by(out, sides, branches, |a, b| a <= b),
        Comparison::Greater => select_by(out, sides, branches, |a, b| a > b),
        Comparison::GreaterOrEqual => select_by(out, sides, branches, |a, b| a >= b),
    }
}

fn select_by(
    out: &mut [i64],
    sides: (&[i64], &[i64]),
    branches: (&[i64], &[i64]),
    holds: impl Fn(i64, i64) -> bool,
) {
    let sides = sides.0.iter().zip(sides.1);
    let branches = branches.0.iter().zip(branches.1);
    widest(
        #[inline(always)]
        || {
            for ((out, (a, b)), (then, otherwise)) in out.iter_mut().zip(sides).zip(branches) {
                // A mask, because a branch would be mispredicted every other row.
                let mask = i64::from(holds(*a, *b)).wrapping_neg();
                *out = otherwise ^ ((then ^ otherwise) & mask);
            }
        },
    );
}

/// Evaluates the comparison row by row.
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

/// Applies a function to each pair of rows.
pub(super) fn each<T: Copy, U>(out: &mut [U], a: &[T], b: &[T], of: impl Fn(T, T) -> U) {
    widest(
        #[inline(always)]
        || {
            for ((out, a), b) in out.iter_mut().zip(a).zip(b) {
                *out = of(*a, *b);
            }
        },
    );
}

/// Takes `a` where the condition is true, otherwise `b`.
pub(super) fn choose<T: Copy>(out: &mut [T], condition: &[bool], a: &[T], b: &[T]) {
    for (((out, condition), a), b) in out.iter_mut().zip(condition).zip(a).zip(b) {
        *out = if *condition { *a } else { *b };
    }
}
