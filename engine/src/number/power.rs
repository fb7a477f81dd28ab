//! Powers: by repeated squaring for integer exponents, by logarithms for others. Square roots.

use rust_decimal::Decimal;

use super::binary::{Fixed, exponential, logarithm};
use super::fit::{DecimalParts, Exact, round_to_fit};
use super::wide::{U256, digit_count, power_of_ten};
use crate::types::Reason;

/// The digits kept between multiplications; ten more than in a result.
const WORKING_DIGITS: u32 = 38;
/// The digits to which the radicand of a root is extended: the most that always fit in 256 bits.
const RADICAND_DIGITS: u32 = 76;
/// Beyond 10^this, neither a power nor its reciprocal fits a result.
const MAX_MAGNITUDE: i64 = 62;

/// Returns `a ^ b`. Exact for integer exponents if the result has at most 28 digits; `0 ^ 0` is 1.
///
/// All 28 digits are correct for exponents up to about 10^8. Larger exponents, which stay in range
/// only for bases very near to 1, cost one digit for each further digit of the exponent.
///
/// # Errors
/// [`Reason::Overflow`]; [`Reason::DivisionByZero`] for a negative power of zero;
/// [`Reason::Domain`] for a fractional power of a negative number.
pub fn power(a: Decimal, b: Decimal) -> Result<Decimal, Reason> {
    let exponent = DecimalParts::of(b.normalize());
    if exponent.magnitude == 0 {
        return Ok(Decimal::ONE);
    }
    if a.is_zero() {
        return if exponent.negative { Err(Reason::DivisionByZero) } else { Ok(Decimal::ZERO) };
    }
    if exponent.scale == 0 {
        return whole_power(DecimalParts::of(a.normalize()), exponent);
    }
    let log = logarithm(a)?;
    // 135 bits times 96 bits.
    let magnitude = log.magnitude.checked_mul(exponent.magnitude).ok_or(Reason::Overflow)?;
    let (magnitude, _) = magnitude.scaled_down(exponent.scale);
    exponential(Fixed { negative: log.negative != exponent.negative, magnitude })
}

/// `digits * 10^exponent`.
#[derive(Debug, Clone, Copy)]
struct Float {
    digits: u128,
    exponent: i64,
}

/// The range of a power.
enum Size {
    Fits(Float),
    TooLarge,
    TooSmall,
}

impl Float {
    fn multiplied(self, other: Self) -> Self {
        let product = U256::product(self.digits, other.digits);
        let exponent = self.exponent.saturating_add(other.exponent);
        let excess = product.digit_count().saturating_sub(WORKING_DIGITS);
        if excess == 0 {
            return Self { digits: product.low, exponent };
        }
        let exponent = exponent.saturating_add(i64::from(excess));
        Self { digits: product.rounded(excess, false), exponent }
    }

    fn size(self) -> Size {
        let magnitude = self.exponent.saturating_add(i64::from(digit_count(self.digits)));
        if magnitude > MAX_MAGNITUDE {
            Size::TooLarge
        } else if magnitude < MAX_MAGNITUDE.saturating_neg() {
            Size::TooSmall
        } else {
            Size::Fits(self)
        }
    }
}

fn whole_power(base: DecimalParts, exponent: DecimalParts) -> Result<Decimal, Reason> {
    let negative = base.negative && exponent.magnitude % 2 == 1;
    let float = Float { digits: base.magnitude, exponent: 0_i64.saturating_sub(base.scale.into()) };
    match (raised(float, exponent.magnitude), exponent.negative) {
        (Size::Fits(power), false) => {
            let scale = i32::try_from(power.exponent.saturating_neg());
            round_to_fit(Exact {
                negative,
                magnitude: U256::from(power.digits),
                scale: scale.map_err(|_too_far| Reason::Overflow)?,
                has_more: false,
            })
        }
        (Size::Fits(power), true) => reciprocal(power, negative),
        (Size::TooLarge, false) | (Size::TooSmall, true) => Err(Reason::Overflow),
        (Size::TooLarge, true) | (Size::TooSmall, false) => Ok(Decimal::ZERO),
    }
}

/// Computes the power from the exponent's highest bit down, so that no step exceeds the result.
fn raised(base: Float, exponent: u128) -> Size {
    let mut power = base;
    // Limit: an exponent has 96 bits.
    for bit in (0..exponent.checked_ilog2().unwrap_or(0)).rev() {
        power = power.multiplied(power);
        if exponent & 1_u128.checked_shl(bit).unwrap_or(0) != 0 {
            power = power.multiplied(base);
        }
        // The powers of a number are monotonic, so the result is out of range too.
        match power.size() {
            Size::Fits(_) => {}
            out @ (Size::TooLarge | Size::TooSmall) => return out,
        }
    }
    Size::Fits(power)
}

fn reciprocal(power: Float, negative: bool) -> Result<Decimal, Reason> {
    const DIGITS: u32 = 38;
    let one = power_of_ten(DIGITS).map(|half| U256::product(half, half));
    let divided = one.and_then(|one| one.divide(U256::from(power.digits)));
    let (magnitude, rest) = divided.ok_or(Reason::Overflow)?;
    let scale = power.exponent.saturating_add(i64::from(DIGITS)).saturating_add(DIGITS.into());
    let scale = i32::try_from(scale).map_err(|_too_far| Reason::Overflow)?;
    let result = round_to_fit(Exact { negative, magnitude, scale, has_more: !rest.is_zero() })?;
    Ok(result.normalize())
}

/// Returns the square root to 28 significant digits, half-even.
///
/// # Errors
/// [`Reason::Domain`] for a negative number.
pub fn sqrt(x: Decimal) -> Result<Decimal, Reason> {
    let DecimalParts { negative, magnitude, scale } = DecimalParts::of(x);
    if negative {
        return Err(Reason::Domain);
    }
    let mut zeros = RADICAND_DIGITS.saturating_sub(digit_count(magnitude));
    if scale.saturating_add(zeros) % 2 == 1 {
        zeros = zeros.saturating_sub(1);
    }
    let wide = U256::from(magnitude).scaled_up(zeros).ok_or(Reason::Overflow)?;
    let (root, has_more) = wide.square_root();
    let scale = i32::try_from(scale.saturating_add(zeros) / 2).unwrap_or(i32::MAX);
    let root = round_to_fit(Exact { negative: false, magnitude: root, scale, has_more })?;
    Ok(if has_more { root } else { root.normalize() })
}
