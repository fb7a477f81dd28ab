//! A 64-bit fast path for numbers whose digits fit in 64 bits.
//!
//! Every function returns exactly the result of the general one, digits and scale, or `None` if
//! that needs more bits.

use std::cmp::Ordering;

use rust_decimal::Decimal;

use super::divide::{POWERS, divided, quotient_digits};
use super::fit::MAX_SCALE;
use super::round::Rounding;
use crate::types::Reason;

/// `mantissa / 10^scale`, with at most 28 digits after the point.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Small {
    mantissa: i64,
    scale: u32,
}

/// Above this many digits, a quotient rounded at once may differ from one rounded to 28 digits
/// first.
pub(crate) const MOST_ROUNDED_DIGITS: u32 = 8;

fn power_of_ten(digits: u32) -> Option<i64> {
    i64::try_from(*POWERS.get(usize::try_from(digits).ok()?)?).ok()
}

impl Small {
    /// Converts a number whose digits fit in 64 bits.
    #[inline]
    pub(crate) fn of(number: Decimal) -> Option<Self> {
        let parts = number.unpack();
        let magnitude = u64::from(parts.mid) << 32 | u64::from(parts.lo);
        let mantissa = i64::try_from(magnitude).ok().filter(|_| parts.hi == 0)?;
        // The sign of a zero would be lost.
        if parts.negative && mantissa == 0 {
            return None;
        }
        let mantissa = if parts.negative { mantissa.saturating_neg() } else { mantissa };
        Some(Self { mantissa, scale: parts.scale })
    }

    /// Creates `mantissa / 10^scale`; `None` above 28 digits after the point.
    #[inline]
    pub(crate) const fn new(mantissa: i64, scale: u32) -> Option<Self> {
        if scale <= MAX_SCALE { Some(Self { mantissa, scale }) } else { None }
    }

    #[inline]
    pub(crate) const fn scale(self) -> u32 {
        self.scale
    }

    #[inline]
    pub(crate) const fn mantissa(self) -> i64 {
        self.mantissa
    }

    #[inline]
    pub(crate) fn decimal(self) -> Decimal {
        let magnitude = self.mantissa.unsigned_abs();
        let part = |bits: u64| u32::try_from(bits & 0xffff_ffff).unwrap_or(0);
        let (low, middle) = (part(magnitude), part(magnitude >> 32));
        Decimal::from_parts(low, middle, 0, self.mantissa < 0, self.scale)
    }

    /// Returns both as integers of the finer scale.
    #[inline]
    fn aligned(self, other: Self) -> Option<(i64, i64, u32)> {
        if self.scale == other.scale {
            return Some((self.mantissa, other.mantissa, self.scale));
        }
        let scale = self.scale.max(other.scale);
        let raise = |number: Self| {
            let factor = power_of_ten(scale.saturating_sub(number.scale))?;
            number.mantissa.checked_mul(factor)
        };
        Some((raise(self)?, raise(other)?, scale))
    }

    #[inline]
    pub(crate) fn add(self, other: Self) -> Option<Self> {
        let (left, right, scale) = self.aligned(other)?;
        Some(Self { mantissa: left.checked_add(right)?, scale })
    }

    #[inline]
    pub(crate) fn subtract(self, other: Self) -> Option<Self> {
        let (left, right, scale) = self.aligned(other)?;
        Some(Self { mantissa: left.checked_sub(right)?, scale })
    }

    #[inline]
    pub(crate) fn multiply(self, other: Self) -> Option<Self> {
        let mantissa = self.mantissa.checked_mul(other.mantissa)?;
        Self::new(mantissa, self.scale.checked_add(other.scale)?)
    }

    /// Compares two numbers of any scales.
    #[inline]
    pub(crate) fn order(self, other: Self) -> Option<Ordering> {
        let (left, right, _) = self.aligned(other)?;
        Some(left.cmp(&right))
    }

    /// Returns the quotient to 28 digits; `None` if it needs more than 64 bits.
    #[inline]
    pub(crate) fn divide(self, divisor: Self) -> Option<Result<Quotient, Reason>> {
        if divisor.mantissa == 0 {
            return Some(Err(Reason::DivisionByZero));
        }
        let scale = self.scale.checked_sub(divisor.scale)?;
        let negative = (self.mantissa < 0) != (divisor.mantissa < 0);
        let (top, bottom) = (self.mantissa.unsigned_abs(), divisor.mantissa.unsigned_abs());
        let (digits, scale) = quotient_digits(top, bottom, scale)?;
        if let Ok(magnitude) = i64::try_from(digits) {
            let mantissa = if negative { magnitude.checked_neg()? } else { magnitude };
            return Some(Ok(Quotient::Small(Self { mantissa, scale })));
        }
        let part = |bits: u128| u32::try_from(bits & 0xffff_ffff).unwrap_or(0);
        let (low, middle, high) = (part(digits), part(digits >> 32), part(digits >> 64));
        let number = Decimal::from_parts(low, middle, high, negative, scale);
        Some(Ok(Quotient::Large(number)))
    }

    /// Rounds like `round`, for digits after the point.
    #[inline]
    pub(crate) fn round(self, digits: u32, rounding: Rounding) -> Option<Self> {
        if self.scale <= digits || self.mantissa == 0 {
            return Some(self);
        }
        let divisor = power_of_ten(self.scale.saturating_sub(digits))?.unsigned_abs();
        let (whole, rest) = divided(self.mantissa.unsigned_abs(), divisor)?;
        rounded(self.mantissa < 0, (whole, rest), divisor, digits, rounding)
    }

    /// Returns the quotient rounded once. It equals the quotient to 28 digits rounded again, since
    /// no quotient of two 64-bit numbers is that close to a tie without being one.
    #[inline]
    pub(crate) fn divide_rounded(
        self,
        divisor: Self,
        digits: u32,
        rounding: Rounding,
    ) -> Option<Self> {
        if digits > MOST_ROUNDED_DIGITS {
            return None;
        }
        let zeros = Self::zeros_of_quotient(self.scale, divisor.scale, digits);
        self.divide_integers(divisor, zeros, digits, rounding)
    }

    /// Returns the zeros to append to the dividend and the divisor, of these scales, so that their
    /// integers have a quotient with `digits` after the point. One of the two is zero.
    #[inline]
    pub(crate) const fn zeros_of_quotient(top: u32, bottom: u32, digits: u32) -> (u32, u32) {
        let wanted = digits.saturating_add(bottom);
        (wanted.saturating_sub(top), top.saturating_sub(wanted))
    }

    /// Like [`Self::divide_rounded`], with precomputed zeros.
    #[inline]
    pub(crate) fn divide_integers(
        self,
        divisor: Self,
        zeros: (u32, u32),
        digits: u32,
        rounding: Rounding,
    ) -> Option<Self> {
        if divisor.mantissa == 0 {
            return None;
        }
        // The digits that the quotient has even if they are zeros.
        let least = digits.saturating_add(zeros.1).saturating_sub(zeros.0);
        if self.mantissa == 0 {
            return Some(Self { mantissa: 0, scale: least });
        }
        let negative = (self.mantissa < 0) != (divisor.mantissa < 0);
        let (top, bottom) = (self.mantissa.unsigned_abs(), divisor.mantissa.unsigned_abs());
        let (top, bottom) = if zeros.1 == 0 {
            (top.checked_mul(power_of_ten(zeros.0)?.unsigned_abs())?, bottom)
        } else {
            (top, bottom.checked_mul(power_of_ten(zeros.1)?.unsigned_abs())?)
        };
        let (whole, rest) = divided(top, bottom)?;
        if rest == 0 && least <= digits {
            return without_zeros(negative, whole, digits, least);
        }
        rounded(negative, (whole, rest), bottom, digits, rounding)
    }
}

/// A quotient to 28 digits.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Quotient {
    Small(Small),
    Large(Decimal),
}

/// Removes trailing zeros, down to a minimum scale.
fn without_zeros(negative: bool, mut whole: u64, mut scale: u32, least: u32) -> Option<Small> {
    while scale > least && whole.is_multiple_of(10) {
        whole /= 10;
        scale = scale.saturating_sub(1);
    }
    signed(negative, whole, scale)
}

#[inline]
fn rounded(
    negative: bool,
    (whole, rest): (u64, u64),
    divisor: u64,
    digits: u32,
    rounding: Rounding,
) -> Option<Small> {
    let half = rest.cmp(&divisor.saturating_sub(rest));
    let away = rest != 0 && rounding.rounds_away(negative, whole % 2 == 1, half);
    let whole = whole.checked_add(u64::from(away))?;
    signed(negative, whole, if whole == 0 { 0 } else { digits })
}

#[inline]
fn signed(negative: bool, magnitude: u64, scale: u32) -> Option<Small> {
    let magnitude = i64::try_from(magnitude).ok()?;
    let mantissa = if negative { magnitude.saturating_neg() } else { magnitude };
    Some(Small { mantissa, scale })
}
