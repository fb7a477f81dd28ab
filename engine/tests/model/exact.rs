//! Numbers as the language means them: each result is exact, or rounded once at 28 digits.
//!
//! A number is a multiple of 10^-28, the smallest unit of any result. Computations use fractions of two
//! integers of any length, and only [`fit`] rounds.

use std::cmp::Ordering;

use num_bigint::{BigInt, Sign};
use quotient::types::Reason;
use rust_decimal::Decimal;

/// The most digits of a number, and the most of them after the point.
const DIGITS: u32 = 28;

/// A number in units of 10^-28.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Exact(BigInt);

/// A quantity, or why it is null.
pub(crate) type Outcome = Result<Exact, Reason>;

fn power_of_ten(exponent: u32) -> BigInt {
    BigInt::from(10).pow(exponent)
}

/// The integer nearest to a fraction; for a tie, `middle` decides by the lower neighbour.
fn nearest(numerator: &BigInt, denominator: &BigInt, middle: fn(&BigInt) -> bool) -> BigInt {
    let (numerator, denominator) = match denominator.sign() {
        Sign::Minus => (-numerator, -denominator),
        Sign::NoSign | Sign::Plus => (numerator.clone(), denominator.clone()),
    };
    let mut below = &numerator / &denominator;
    if &below * &denominator > numerator {
        below -= 1;
    }
    let twice_rest: BigInt = (numerator - &below * &denominator) * 2;
    match twice_rest.cmp(&denominator) {
        Ordering::Less => below,
        Ordering::Equal if !middle(&below) => below,
        Ordering::Equal | Ordering::Greater => below + 1,
    }
}

fn is_odd(number: &BigInt) -> bool {
    number.bit(0)
}

/// Away from zero: up where the lower neighbour is not negative.
fn is_not_negative(number: &BigInt) -> bool {
    number.sign() != Sign::Minus
}

/// The fraction with as many decimal places as fit into 28 digits, ties to even.
fn fit(numerator: &BigInt, denominator: &BigInt) -> Outcome {
    let most = power_of_ten(DIGITS);
    for places in (0..=DIGITS).rev() {
        let digits = nearest(&(numerator * power_of_ten(places)), denominator, is_odd);
        if digits.magnitude() < most.magnitude() {
            return Ok(Exact(digits * power_of_ten(DIGITS - places)));
        }
    }
    Err(Reason::Overflow)
}

impl Exact {
    /// So many units with so many digits after the point.
    pub(crate) fn new(units: i64, places: u32) -> Self {
        Self(BigInt::from(units) * power_of_ten(DIGITS - places))
    }

    pub(crate) fn whole(number: usize) -> Self {
        Self(BigInt::from(number) * power_of_ten(DIGITS))
    }

    pub(crate) fn zero() -> Self {
        Self(BigInt::ZERO)
    }

    pub(crate) fn is_negative(&self) -> bool {
        self.0.sign() == Sign::Minus
    }

    pub(crate) fn is_zero(&self) -> bool {
        self.0.sign() == Sign::NoSign
    }

    pub(crate) fn negated(&self) -> Self {
        Self(-&self.0)
    }

    pub(crate) fn plus(&self, other: &Self) -> Outcome {
        fit(&(&self.0 + &other.0), &power_of_ten(DIGITS))
    }

    pub(crate) fn minus(&self, other: &Self) -> Outcome {
        fit(&(&self.0 - &other.0), &power_of_ten(DIGITS))
    }

    pub(crate) fn times(&self, other: &Self) -> Outcome {
        fit(&(&self.0 * &other.0), &power_of_ten(2 * DIGITS))
    }

    pub(crate) fn over(&self, other: &Self) -> Outcome {
        if other.is_zero() {
            return Err(Reason::DivisionByZero);
        }
        fit(&self.0, &other.0)
    }

    /// All of them together, rounded once.
    pub(crate) fn sum(numbers: &[Self]) -> Outcome {
        fit(&Self::total(numbers), &power_of_ten(DIGITS))
    }

    /// The mean of at least one number, rounded once.
    pub(crate) fn mean(numbers: &[Self]) -> Outcome {
        fit(&Self::total(numbers), &(power_of_ten(DIGITS) * numbers.len()))
    }

    fn total(numbers: &[Self]) -> BigInt {
        numbers.iter().map(|number| &number.0).sum()
    }

    /// This many tenths of the way from one number to another, rounded once.
    pub(crate) fn between(&self, other: &Self, tenths: usize) -> Outcome {
        let way = (&other.0 - &self.0) * tenths;
        fit(&(&self.0 * 10 + way), &power_of_ten(DIGITS + 1))
    }

    /// With so many digits after the point, in the middle away from zero.
    pub(crate) fn rounded(&self, places: u32) -> Self {
        let step = power_of_ten(DIGITS - places);
        Self(nearest(&self.0, &step, is_not_negative) * step)
    }
}

impl From<Decimal> for Exact {
    fn from(number: Decimal) -> Self {
        Self(BigInt::from(number.mantissa()) * power_of_ten(DIGITS - number.scale()))
    }
}

impl std::fmt::Debug for Exact {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let sign = if self.is_negative() { "-" } else { "" };
        let digits = format!("{:0>29}", self.0.magnitude().to_string());
        let (whole, part) = digits.split_at(digits.len() - 28);
        write!(f, "{sign}{whole}.{part}")
    }
}

#[test]
fn numbers_are_exact_or_rounded_once_at_28_digits() {
    let number = |units| Exact::new(units, 0);
    let third = number(1).over(&number(3));
    assert_eq!(format!("{third:?}"), "Ok(0.3333333333333333333333333333)");
    let hundred_thirds = number(100).over(&number(3));
    assert_eq!(format!("{hundred_thirds:?}"), "Ok(33.3333333333333333333333333300)");
    let sevenths = number(-200).over(&number(7));
    assert_eq!(format!("{sevenths:?}"), "Ok(-28.5714285714285714285714285700)");
    let large = number(i64::MAX).times(&number(i64::MAX));
    assert_eq!(large, Err(Reason::Overflow));
    assert_eq!(number(1).over(&Exact::zero()), Err(Reason::DivisionByZero));
    assert_eq!(Exact::new(-25, 1).rounded(0), number(-3));
    assert_eq!(number(1).between(&number(2), 9), Ok(Exact::new(19, 1)));
}
