//! Rounding of results, only here: to 28 significant digits and 28 after the point.

use rust_decimal::Decimal;

use super::wide::{U256, power_of_ten};
use crate::types::Reason;

/// The significant digits of a result.
pub(super) const MAX_DIGITS: u32 = 28;
/// The digits after the point of a result.
pub(super) const MAX_SCALE: u32 = 28;
/// The first integer with too many digits: 10^28.
pub(super) const TOO_LARGE: u128 = 10_000_000_000_000_000_000_000_000_000;

/// The sign and the digits of a number: `magnitude / 10^scale`.
#[derive(Debug, Clone, Copy)]
pub(super) struct DecimalParts {
    pub(super) negative: bool,
    pub(super) magnitude: u128,
    pub(super) scale: u32,
}

impl DecimalParts {
    pub(super) const fn of(number: Decimal) -> Self {
        let mantissa = number.mantissa();
        Self { negative: mantissa < 0, magnitude: mantissa.unsigned_abs(), scale: number.scale() }
    }
}

/// An exact result before rounding: `magnitude / 10^scale`, and whether a remainder was cut off.
#[derive(Debug, Clone, Copy)]
pub(super) struct Exact {
    pub(super) negative: bool,
    pub(super) magnitude: U256,
    /// Digits after the point; negative for trailing zeros before it.
    pub(super) scale: i32,
    /// Whether the true result is slightly above the magnitude, by less than one unit.
    pub(super) has_more: bool,
}

impl Exact {
    /// `magnitude / 10^scale`, without a remainder.
    pub(super) fn new(negative: bool, magnitude: U256, scale: u32) -> Self {
        let scale = i32::try_from(scale).unwrap_or(i32::MAX);
        Self { negative, magnitude, scale, has_more: false }
    }
}

/// Returns `mantissa / 10^scale`, rounded half-even if it has more than 28 digits.
///
/// # Errors
/// [`Reason::Overflow`] if the whole part alone has more than 28 digits.
pub fn from_scaled(mantissa: i128, scale: u32) -> Result<Decimal, Reason> {
    if let Some(number) = direct(mantissa, scale) {
        return Ok(number);
    }
    round_to_fit(Exact::new(mantissa < 0, U256::from(mantissa.unsigned_abs()), scale))
}

/// Returns the number if it fits without rounding: the fast path of nearly every operation.
pub(super) fn direct(mantissa: i128, scale: u32) -> Option<Decimal> {
    if mantissa.unsigned_abs() < TOO_LARGE && scale <= MAX_SCALE {
        Decimal::try_from_i128_with_scale(mantissa, scale).ok()
    } else {
        None
    }
}

/// Rounds once, half-even.
pub(super) fn round_to_fit(exact: Exact) -> Result<Decimal, Reason> {
    let Exact { negative, mut magnitude, scale, has_more } = exact;
    if scale < 0 {
        magnitude = magnitude.scaled_up(scale.unsigned_abs()).ok_or(Reason::Overflow)?;
    }
    let mut scale = u32::try_from(scale).unwrap_or(0);
    let extra_digits = magnitude.digit_count().saturating_sub(MAX_DIGITS);
    let dropped = extra_digits.max(scale.saturating_sub(MAX_SCALE));
    if dropped > scale {
        return Err(Reason::Overflow);
    }
    let mut digits = magnitude.low;
    if dropped > 0 {
        digits = magnitude.rounded(dropped, has_more);
        scale = scale.saturating_sub(dropped);
    }
    if digits == TOO_LARGE {
        // Rounding up carried through every nine.
        digits = power_of_ten(MAX_DIGITS.saturating_sub(1)).unwrap_or(0);
        scale = scale.checked_sub(1).ok_or(Reason::Overflow)?;
    }
    let mantissa = i128::try_from(digits).map_err(|_too_large| Reason::Overflow)?;
    let mantissa = if negative { mantissa.saturating_neg() } else { mantissa };
    direct(mantissa, scale).ok_or(Reason::Overflow)
}
