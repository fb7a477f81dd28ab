//! Variances and standard deviations: sums of integers, divided and rounded once.

use rust_decimal::Decimal;

use super::arithmetic::{add, multiply, subtract};
use super::divide::divide;
use super::fit::{Exact, MAX_SCALE, TOO_LARGE, round_to_fit};
use super::power::sqrt;
use super::wide::{U256, power_of_ten};
use crate::types::Reason;

/// Digits for each step of a division.
const STEP_DIGITS: u32 = 9;

/// A measure of how far numbers lie apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Spread {
    /// Whether the numbers are a sample of others: the divisor is then one less than their number.
    pub(crate) of_sample: bool,
    /// Whether it is the root of the variance, the standard deviation.
    pub(crate) is_root: bool,
}

/// The number of some integers, their sum, and the sum of their squares.
#[derive(Debug, Clone, Copy)]
pub(crate) struct PowerSums {
    count: u64,
    sum: i128,
    squares: U256,
}

impl PowerSums {
    pub(crate) fn new(count: u64, sum: i128, squares: u128) -> Self {
        Self { count, sum, squares: U256::from(squares) }
    }

    /// Adds an integer; `None` if the sums become too large.
    fn add(&mut self, value: i128) -> Option<()> {
        let magnitude = value.unsigned_abs();
        self.squares = self.squares.checked_add(U256::product(magnitude, magnitude))?;
        self.sum = self.sum.checked_add(value)?;
        self.count = self.count.checked_add(1)?;
        Some(())
    }

    /// Returns the spread of the integers over 10^`scale`, rounded once; `None` if 256 bits do not
    /// suffice.
    ///
    /// The variance is (n·Σx² − (Σx)²) / (n·(n − 1)), of a whole population / n².
    pub(crate) fn spread(&self, scale: u32, spread: Spread) -> Option<Result<Decimal, Reason>> {
        let count = u128::from(self.count);
        let degrees = count.saturating_sub(u128::from(spread.of_sample));
        if degrees == 0 {
            return Some(Err(Reason::NoRows));
        }
        let sum = self.sum.unsigned_abs();
        let above = self.squares.checked_mul(count)?.checked_sub(U256::product(sum, sum))?;
        let variance = quotient(above, count.checked_mul(degrees)?, scale.checked_mul(2)?)?;
        Some(if spread.is_root { variance.and_then(sqrt) } else { variance })
    }
}

/// Returns the spread of numbers, rounded once unless they have too many digits for 256 bits.
///
/// # Errors
/// [`Reason::NoRows`] if there are too few numbers, [`Reason::Overflow`].
pub(crate) fn spread(numbers: &[Decimal], spread: Spread) -> Result<Decimal, Reason> {
    in_integers(numbers, spread).unwrap_or_else(|| in_decimals(numbers, spread))
}

fn in_integers(numbers: &[Decimal], spread: Spread) -> Option<Result<Decimal, Reason>> {
    let scale = numbers.iter().map(Decimal::scale).max().unwrap_or(0);
    let mut sums = PowerSums::new(0, 0, 0);
    for number in numbers {
        let factor = power_of_ten(scale.checked_sub(number.scale())?)?;
        sums.add(number.mantissa().checked_mul(i128::try_from(factor).ok()?)?)?;
    }
    sums.spread(scale, spread)
}

/// Adds the squares of the distances from the mean, each rounded.
fn in_decimals(numbers: &[Decimal], spread: Spread) -> Result<Decimal, Reason> {
    let count = Decimal::from(numbers.len());
    let sum = numbers.iter().try_fold(Decimal::ZERO, |sum, number| add(sum, *number))?;
    let mean = divide(sum, count)?;
    let squares = numbers.iter().try_fold(Decimal::ZERO, |sum, number| {
        let distance = subtract(*number, mean)?;
        add(sum, multiply(distance, distance)?)
    })?;
    let degrees = if spread.of_sample { subtract(count, Decimal::ONE)? } else { count };
    let variance = divide(squares, degrees)?;
    if spread.is_root { sqrt(variance) } else { Ok(variance) }
}

/// Returns `top / bottom / 10^scale`, rounded once and without trailing zeros; `None` for a
/// division by zero.
fn quotient(top: U256, bottom: u128, mut scale: u32) -> Option<Result<Decimal, Reason>> {
    let bottom = U256::from(bottom);
    let (mut quotient, mut rest) = top.divide(bottom)?;
    while !rest.is_zero() && quotient < U256::from(TOO_LARGE) && scale <= MAX_SCALE {
        let (digits, left) = rest.scaled_up(STEP_DIGITS)?.divide(bottom)?;
        quotient = quotient.scaled_up(STEP_DIGITS)?.checked_add(digits)?;
        rest = left;
        scale = scale.checked_add(STEP_DIGITS)?;
    }
    let exact = Exact { has_more: !rest.is_zero(), ..Exact::new(false, quotient, scale) };
    Some(round_to_fit(exact).map(|variance| variance.normalize()))
}

#[cfg(test)]
mod tests {
    use super::*;

    const VARIANCE: Spread = Spread { of_sample: true, is_root: false };
    const OF_ALL: Spread = Spread { of_sample: false, is_root: false };
    const DEVIATION: Spread = Spread { of_sample: true, is_root: true };

    fn numbers(texts: &[&str]) -> Vec<Decimal> {
        texts.iter().map(|text| text.parse().unwrap()).collect()
    }

    #[test]
    fn numbers_are_computed_by_hand() {
        for (texts, kind, expected) in [
            // Mean 5, distances −3, −1, 1, 3: squares 20.
            (&["2", "4", "6", "8"][..], VARIANCE, "6.666666666666666666666666667"),
            (&["2", "4", "6", "8"], OF_ALL, "5"),
            (&["1", "3"], DEVIATION, "1.414213562373095048801688724"),
            (&["0.1", "0.30"], OF_ALL, "0.01"),
            (&["100.00", "20.00", "80.00"], VARIANCE, "1733.333333333333333333333333"),
            (&["-7"], OF_ALL, "0"),
        ] {
            let found = spread(&numbers(texts), kind).map(|found| found.to_string());
            assert_eq!(found.as_deref(), Ok(expected), "{texts:?}");
        }
    }

    #[test]
    fn too_few_numbers_have_no_spread() {
        assert_eq!(spread(&numbers(&["5"]), VARIANCE), Err(Reason::NoRows));
        assert_eq!(spread(&[], OF_ALL), Err(Reason::NoRows));
        assert_eq!(spread(&[], DEVIATION), Err(Reason::NoRows));
    }

    #[test]
    fn large_numbers_lose_no_digit() {
        let large = Decimal::from(9_000_000_000_000_000_000_i64);
        let near = subtract(large, Decimal::ONE).unwrap();

        assert_eq!(spread(&[large, near], VARIANCE), Ok(Decimal::new(5, 1)));
        assert_eq!(spread(&[large, near, large, near], OF_ALL), Ok(Decimal::new(25, 2)));
    }

    #[test]
    fn numbers_of_many_digits_are_rounded_on_the_way() {
        let third = divide(Decimal::ONE, Decimal::from(3)).unwrap();
        let large = Decimal::from(1_000_000_000_000_i64);

        assert_eq!(in_integers(&[third, large], OF_ALL), None);
        assert_eq!(
            spread(&[third, large], OF_ALL).map(|found| found.round().to_string()).as_deref(),
            Ok("249999999999833333333333")
        );
    }
}
