//! Numbers as plain text.

use rust_decimal::Decimal;

use super::fit::direct;

/// Parses a plain decimal: an optional sign, digits, and at most one point with digits after it.
///
/// `None` for anything else: exponents, blanks, separators, and more than 28 digits, which would
/// not be exact.
pub fn parse(text: &str) -> Option<Decimal> {
    let (negative, digits) = match text.as_bytes() {
        [b'-', digits @ ..] => (true, digits),
        [b'+', digits @ ..] | digits => (false, digits),
    };
    let mut magnitude = 0_i128;
    let mut scale = 0_u32;
    let mut after_point = false;
    for byte in digits {
        match byte {
            b'0'..=b'9' => {
                let digit = i128::from(byte.wrapping_sub(b'0'));
                magnitude = magnitude.checked_mul(10)?.checked_add(digit)?;
                scale = scale.checked_add(u32::from(after_point))?;
            }
            b'.' if !after_point => after_point = true,
            _ => return None,
        }
    }
    if !digits.last()?.is_ascii_digit() {
        return None;
    }
    direct(if negative { magnitude.checked_neg()? } else { magnitude }, scale)
}

/// Returns the shortest plain text of a number: no exponent, no trailing zeros, never `-0`.
pub fn to_plain(number: Decimal) -> String {
    if number.is_zero() { "0".to_owned() } else { number.normalize().to_string() }
}
