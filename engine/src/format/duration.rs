//! Durations: `2d 4h`, `45m 10s`, `1.5s`.

use rust_decimal::Decimal;

use super::digits::{DigitLimits, NumberText, decimals_for_small, digits};
use crate::number::{self, Rounding};

/// The units, longest first, in seconds. Months have no fixed length, so days come first.
const UNITS: [(&str, i64); 4] = [("d", 86_400), ("h", 3_600), ("m", 60), ("s", 1)];

/// Formats the two longest parts of a duration; with `decimals` only the longest, with that many
/// digits.
pub(super) fn duration(seconds: Decimal, decimals: Option<u32>) -> NumberText {
    let length = seconds.abs();
    let text = match decimals {
        Some(decimals) => single(length, decimals),
        None => parts(length),
    };
    let is_zero = !text.bytes().any(|byte| matches!(byte, b'1'..=b'9'));
    NumberText { is_negative: seconds.is_sign_negative() && !is_zero, digits: text }
}

fn single(length: Decimal, decimals: u32) -> String {
    let (name, unit) = unit_of(length);
    let count = number::divide(length, Decimal::from(unit)).unwrap_or(length);
    digits(count, DigitLimits::fixed(decimals)).between("", name)
}

fn parts(length: Decimal) -> String {
    let (_, unit) = unit_of(length);
    let Some((_, shorter)) = following(unit) else { return in_seconds(length) };
    // Rounding to the shorter part may carry into the longer one, so the unit is looked up again.
    let rounded = number::divide(length, Decimal::from(shorter))
        .and_then(|count| number::round(count, 0, Rounding::HalfUp))
        .and_then(|count| number::multiply(count, Decimal::from(shorter)))
        .unwrap_or(length);
    let (name, unit) = unit_of(rounded);
    let whole = number::quotient(rounded, Decimal::from(unit)).unwrap_or(rounded);
    let rest = number::remainder(rounded, Decimal::from(unit)).unwrap_or(Decimal::ZERO);
    let whole = digits(whole, DigitLimits::fixed(0)).between("", name);
    match following(unit) {
        Some((name, shorter)) if !rest.is_zero() => {
            let count = number::quotient(rest, Decimal::from(shorter)).unwrap_or(Decimal::ZERO);
            let count = digits(count, DigitLimits::fixed(0)).between("", name);
            format!("{whole} {count}")
        }
        _ => whole,
    }
}

fn in_seconds(length: Decimal) -> String {
    const DECIMALS: u32 = 3;
    let places = DigitLimits::up_to(0, decimals_for_small(length, DECIMALS));
    let shown = digits(length, places).between("", "s");
    if shown == "60s" { "1m".to_owned() } else { shown }
}

/// Returns the longest unit that the length reaches.
fn unit_of(length: Decimal) -> (&'static str, i64) {
    UNITS.into_iter().find(|(_, unit)| length >= Decimal::from(*unit)).unwrap_or(("s", 1))
}

fn following(unit: i64) -> Option<(&'static str, i64)> {
    UNITS.into_iter().find(|(_, shorter)| *shorter < unit)
}
