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

/// Parses a number with an exponent, such as `1.5e-3`; `None` if it cannot be represented exactly.
pub(crate) fn parse_scientific(text: &str) -> Option<Decimal> {
    let (digits, exponent) = text.split_once(['e', 'E'])?;
    let number = parse(digits)?.normalize();
    let exponent: i32 = exponent.parse().ok()?;
    let scale = i32::try_from(number.scale()).ok()?.checked_sub(exponent)?;
    if number.is_zero() {
        return Some(Decimal::ZERO);
    }
    match u32::try_from(scale) {
        Ok(scale) => Decimal::try_from_i128_with_scale(number.mantissa(), scale).ok(),
        Err(_negative) => {
            let raised = 10_i128.checked_pow(scale.unsigned_abs())?;
            let whole = number.mantissa().checked_mul(raised)?;
            parse(&whole.to_string())
        }
    }
}

/// Returns the shortest plain text of a number: no exponent, no trailing zeros, never `-0`.
pub fn to_plain(number: Decimal) -> String {
    if number.is_zero() { "0".to_owned() } else { number.normalize().to_string() }
}
