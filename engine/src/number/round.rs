//! Explicit rounding.

use std::cmp::Ordering;

use rust_decimal::Decimal;

use super::fit::{DecimalParts, Exact, round_to_fit};
use super::wide::{U256, power_of_ten};
use crate::types::Reason;

/// The rounding mode.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize,
)]
pub enum Rounding {
    /// To the nearest; ties away from zero: 2.5 to 3, -2.5 to -3.
    HalfUp,
    /// To the nearest; ties to even: 2.5 to 2.
    HalfEven,
    /// Down, towards minus infinity.
    Floor,
    /// Up, towards plus infinity.
    Ceiling,
    /// Towards zero.
    Truncate,
}

impl Rounding {
    /// Every mode.
    pub const ALL: [Self; 5] =
        [Self::HalfUp, Self::HalfEven, Self::Floor, Self::Ceiling, Self::Truncate];

    /// Returns the name in formulas.
    pub const fn name(self) -> &'static str {
        match self {
            Self::HalfUp => "half_up",
            Self::HalfEven => "half_even",
            Self::Floor => "floor",
            Self::Ceiling => "ceiling",
            Self::Truncate => "truncate",
        }
    }

    /// Returns the mode with this name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|rounding| rounding.name() == name)
    }

    /// Whether a whole number with a remainder is rounded away from zero; `half` compares the
    /// remainder with half of a unit.
    #[inline]
    pub(crate) const fn rounds_away(self, negative: bool, is_odd: bool, half: Ordering) -> bool {
        match self {
            Self::HalfUp => half.is_ge(),
            Self::HalfEven => half.is_gt() || (half.is_eq() && is_odd),
            Self::Floor => negative,
            Self::Ceiling => !negative,
            Self::Truncate => false,
        }
    }
}

/// Rounds to `digits` after the point; negative digits round to tens, hundreds and so on.
///
/// A number with fewer digits is unchanged.
///
/// # Errors
/// [`Reason::Overflow`] if rounding away from zero makes a 29th digit before the point.
pub fn round(x: Decimal, digits: i64, rounding: Rounding) -> Result<Decimal, Reason> {
    let DecimalParts { negative, magnitude, scale } = DecimalParts::of(x);
    let dropped = i64::from(scale).saturating_sub(digits);
    if dropped <= 0 || magnitude == 0 {
        return Ok(x);
    }
    // A divisor above 128 bits is more than twice any number.
    let divisor = u32::try_from(dropped).ok().and_then(power_of_ten);
    let (whole, rest, rest_of_half) = match divisor {
        Some(divisor) => {
            let rest = magnitude.checked_rem(divisor).unwrap_or(0);
            (magnitude.checked_div(divisor).unwrap_or(0), rest, rest.cmp(&(divisor / 2)))
        }
        None => (0, magnitude, Ordering::Less),
    };
    let away = rest != 0 && rounding.rounds_away(negative, whole % 2 == 1, rest_of_half);
    let whole = whole.saturating_add(u128::from(away));
    if whole == 0 {
        return Ok(Decimal::ZERO);
    }
    let scale = i32::try_from(digits).map_err(|_too_far| Reason::Overflow)?;
    round_to_fit(Exact { negative, magnitude: U256::from(whole), scale, has_more: false })
}
