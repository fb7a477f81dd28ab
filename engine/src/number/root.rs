//! Square roots.

use rust_decimal::Decimal;

use super::fit::{DecimalParts, Exact, round_to_fit};
use super::wide::{U256, digit_count};
use crate::types::Reason;

/// The digits to which the radicand is extended: the most that always fit in 256 bits.
const WORKING_DIGITS: u32 = 76;

/// Returns the square root to 28 significant digits, half-even.
///
/// # Errors
/// [`Reason::Domain`] for a negative number.
pub fn sqrt(x: Decimal) -> Result<Decimal, Reason> {
    let DecimalParts { negative, magnitude, scale } = DecimalParts::of(x);
    if negative {
        return Err(Reason::Domain);
    }
    let mut zeros = WORKING_DIGITS.saturating_sub(digit_count(magnitude));
    if scale.saturating_add(zeros) % 2 == 1 {
        zeros = zeros.saturating_sub(1);
    }
    let wide = U256::from(magnitude).scaled_up(zeros).ok_or(Reason::Overflow)?;
    let (root, has_more) = wide.square_root();
    let scale = i32::try_from(scale.saturating_add(zeros) / 2).unwrap_or(i32::MAX);
    let root = round_to_fit(Exact { negative: false, magnitude: root, scale, has_more })?;
    Ok(if has_more { root } else { root.normalize() })
}
