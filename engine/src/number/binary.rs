//! Logarithms and exponentials in fixed point with 128 fractional bits.
//!
//! That is ten digits more than a result keeps, so the last digit of a result is correct unless the
//! true value lies within 10^-6 of a digit of a tie.

use rust_decimal::Decimal;

use super::arithmetic::signed_sum;
use super::fit::{DecimalParts, Exact, round_to_fit};
use super::wide::{U256, power_of_ten};
use crate::types::Reason;

/// The natural logarithm of 2, times 2^128.
const LN_2: u128 = 235_865_763_225_513_294_137_944_142_764_154_484_399;
/// The natural logarithm of 10, times 2^128.
const LN_10: U256 = U256 { high: 2, low: 102_964_371_639_006_139_878_589_267_839_910_946_980 };
/// Above this exponent, `e^x` has more than 28 digits, and `e^-x` none among the first 28.
const MAX_EXPONENT: u128 = 70;

/// A number in fixed point: `magnitude / 2^128`.
#[derive(Debug, Clone, Copy)]
pub(super) struct Fixed {
    pub(super) negative: bool,
    pub(super) magnitude: U256,
}

/// Returns the natural logarithm to 28 digits.
///
/// # Errors
/// [`Reason::Domain`] for zero and negative numbers.
pub fn ln(x: Decimal) -> Result<Decimal, Reason> {
    const DIGITS: u32 = 34;
    let Fixed { negative, magnitude } = logarithm(x)?;
    // A logarithm is below 70, so 7 + 128 bits times 113 bits.
    let scaled = power_of_ten(DIGITS).and_then(|factor| magnitude.checked_mul(factor));
    round_to_fit(Exact {
        negative,
        magnitude: U256::from(scaled.ok_or(Reason::Overflow)?.high),
        scale: DIGITS.cast_signed(),
        has_more: !magnitude.is_zero(),
    })
}

/// Returns `e^x` to 28 digits.
///
/// # Errors
/// [`Reason::Overflow`] if its whole part has more than 28 digits.
pub fn exp(x: Decimal) -> Result<Decimal, Reason> {
    let DecimalParts { negative, magnitude, scale } = DecimalParts::of(x);
    let divisor = power_of_ten(scale).ok_or(Reason::Overflow)?;
    let magnitude = U256 { high: magnitude, low: 0 }.divide(U256::from(divisor));
    let (magnitude, _) = magnitude.ok_or(Reason::Overflow)?;
    exponential(Fixed { negative, magnitude })
}

/// Returns the natural logarithm in fixed point.
pub(super) fn logarithm(x: Decimal) -> Result<Fixed, Reason> {
    let DecimalParts { negative, magnitude, scale } = DecimalParts::of(x.normalize());
    let Some(log) = magnitude.checked_ilog2().filter(|_| !negative) else {
        return Err(Reason::Domain);
    };
    // magnitude = 2^log * t with 1 <= t < 2, and ln t = 2 artanh((t - 1) / (t + 1)).
    let power = 1_u128.checked_shl(log).unwrap_or(0);
    let above = U256 { high: magnitude.saturating_sub(power), low: 0 };
    let below = U256::from(magnitude.saturating_add(power));
    let (ratio, _) = above.divide(below).ok_or(Reason::Domain)?;
    let fraction = U256::from(artanh(ratio.low)).shifted_left(1);
    let grown = U256::product(LN_2, u128::from(log)).checked_add(fraction);
    let shrunk = LN_10.checked_mul(u128::from(scale));
    let (Some(grown), Some(shrunk)) = (grown, shrunk) else { return Err(Reason::Overflow) };
    let difference = signed_sum((false, grown), (true, shrunk));
    let (negative, magnitude) = difference.ok_or(Reason::Overflow)?;
    Ok(Fixed { negative, magnitude })
}

/// Returns `e` to a fixed-point power, rounded.
pub(super) fn exponential(x: Fixed) -> Result<Decimal, Reason> {
    const DIGITS: u32 = 36;
    if x.magnitude.is_zero() {
        return Ok(Decimal::ONE);
    }
    if x.magnitude.high >= MAX_EXPONENT {
        return if x.negative { Ok(Decimal::ZERO) } else { Err(Reason::Overflow) };
    }
    // e^x = 2^twos * e^rest with 0 <= rest < ln 2.
    let (twos, rest) = x.magnitude.divide(U256::from(LN_2)).ok_or(Reason::Overflow)?;
    let twos = i32::try_from(twos.low).unwrap_or(i32::MAX);
    let (twos, rest) = if x.negative {
        (twos.saturating_neg().saturating_sub(1), LN_2.saturating_sub(rest.low))
    } else {
        (twos, rest.low)
    };
    // 129 bits times 120 bits; then the point is moved.
    let scaled = power_of_ten(DIGITS).and_then(|factor| series(rest).checked_mul(factor));
    let shift = 128_i32.saturating_sub(twos).cast_unsigned();
    let magnitude = scaled.ok_or(Reason::Overflow)?.shifted_right(shift);
    let scale = DIGITS.cast_signed();
    let power = round_to_fit(Exact { negative: false, magnitude, scale, has_more: true })?;
    Ok(power.normalize())
}

/// Returns the upper half of a product, which is the product of two fractions.
fn product(left: u128, right: u128) -> u128 {
    U256::product(left, right).high
}

/// `z + z^3 / 3 + z^5 / 5 + …` for a fraction up to one third.
fn artanh(z: u128) -> u128 {
    let square = product(z, z);
    let mut power = z;
    let mut sum = 0_u128;
    let mut odd = 1_u128;
    // Limit: each term is less than a ninth of the previous one, so 41 terms exhaust 128 bits.
    while power != 0 {
        sum = sum.saturating_add(power.checked_div(odd).unwrap_or(0));
        power = product(power, square);
        odd = odd.saturating_add(2);
    }
    sum
}

/// `1 + z + z^2 / 2! + …` for a fraction below ln 2.
fn series(z: u128) -> U256 {
    let mut sum = U256 { high: 1, low: 0 };
    let mut term = z;
    let mut index = 1_u128;
    // Limit: the terms shrink faster than 0.7^n, so 34 of them exhaust 128 bits.
    while term != 0 {
        sum = sum.checked_add(U256::from(term)).unwrap_or(sum);
        index = index.saturating_add(1);
        term = product(term, z).checked_div(index).unwrap_or(0);
    }
    sum
}
