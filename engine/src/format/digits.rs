//! Display digits: rounded half away from zero, padded, grouped in threes.

use rust_decimal::Decimal;

use crate::number::{self, Rounding};

/// Limit: digits after the point of a number.
pub(super) const MAX_DECIMALS: u32 = 28;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct DigitLimits {
    /// The minimum number of digits before the point, padded with zeros.
    pub(super) min_whole: usize,
    /// The minimum number of digits after the point.
    pub(super) min_decimals: u32,
    /// The maximum number of digits after the point; further digits are rounded.
    pub(super) max_decimals: u32,
    /// Whether commas separate thousands.
    pub(super) is_grouped: bool,
}

impl DigitLimits {
    /// A fixed number of digits after the point, at most 28, grouped.
    pub(super) fn fixed(decimals: u32) -> Self {
        let decimals = decimals.min(MAX_DECIMALS);
        Self::up_to(decimals, decimals)
    }

    /// A range for the number of digits after the point, grouped.
    pub(super) const fn up_to(min_decimals: u32, max_decimals: u32) -> Self {
        Self { min_whole: 1, min_decimals, max_decimals, is_grouped: true }
    }
}

/// A displayed number with a separate sign, so that currency symbols can stand between.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct NumberText {
    /// Whether it has a minus sign; never for a number displayed as zero.
    pub(super) is_negative: bool,
    /// The digits without the sign.
    pub(super) digits: String,
}

impl NumberText {
    /// Joins the sign, `before`, the digits and `after`.
    pub(super) fn between(&self, before: &str, after: &str) -> String {
        let sign = if self.is_negative { "-" } else { "" };
        format!("{sign}{before}{}{after}", self.digits)
    }
}

/// Formats the digits of a number.
pub(super) fn digits(number: Decimal, places: DigitLimits) -> NumberText {
    let rounded = number::round(number, i64::from(places.max_decimals), Rounding::HalfUp)
        // Only the largest numbers cannot be rounded up; they are shown in full.
        .unwrap_or(number);
    let text = number::to_plain(rounded.abs());
    let (whole, decimals) = text.split_once('.').unwrap_or((&text, ""));
    let whole = if whole == "0" && places.min_whole == 0 { "" } else { whole };
    let whole = format!("{whole:0>width$}", width = places.min_whole);
    let mut digits = if places.is_grouped { grouped(&whole) } else { whole };
    let min_decimals = usize::try_from(places.min_decimals).unwrap_or(0);
    if !decimals.is_empty() || min_decimals > 0 {
        digits.push('.');
        digits.push_str(decimals);
        let missing = min_decimals.saturating_sub(decimals.len());
        digits.extend(std::iter::repeat_n('0', missing));
    }
    NumberText { is_negative: rounded.is_sign_negative() && !rounded.is_zero(), digits }
}

/// Returns the decimals with which a number too small for `decimals` still shows three digits.
pub(super) fn decimals_for_small(number: Decimal, decimals: u32) -> u32 {
    const DIGITS: u32 = 3;
    let normal = number.normalize();
    let length =
        normal.mantissa().unsigned_abs().checked_ilog10().map_or(0, |log| log.saturating_add(1));
    let leading_zeros = normal.scale().saturating_sub(length);
    if leading_zeros < decimals { decimals } else { leading_zeros.saturating_add(DIGITS) }
}

fn grouped(whole: &str) -> String {
    const GROUP: usize = 3;
    let mut out = String::with_capacity(whole.len().saturating_add(whole.len() / GROUP));
    for (index, digit) in whole.chars().enumerate() {
        let left = whole.len().saturating_sub(index);
        if index > 0 && left.is_multiple_of(GROUP) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}
