//! Laws that hold for all numbers.

use proptest::prelude::*;
use rust_decimal::Decimal;

use crate::number::{
    Rounding, add, divide, multiply, negate, parse, quotient, remainder, round, sqrt, subtract,
    to_plain,
};

/// Any number the engine can hold, small ones as likely as large ones.
fn numbers() -> impl Strategy<Value = Decimal> {
    let mantissas = prop_oneof![
        -1_000_i128..1_000,
        -1_000_000_000_000_i128..1_000_000_000_000,
        -9_999_999_999_999_999_999_999_999_999_i128..=9_999_999_999_999_999_999_999_999_999,
    ];
    (mantissas, 0_u32..=28)
        .prop_map(|(mantissa, scale)| Decimal::from_i128_with_scale(mantissa, scale))
}

proptest! {
    #[test]
    fn sums_and_products_commute(a in numbers(), b in numbers()) {
        prop_assert_eq!(add(a, b), add(b, a));
        prop_assert_eq!(multiply(a, b), multiply(b, a));
        prop_assert_eq!(subtract(a, b), subtract(b, a).map(negate));
    }

    #[test]
    fn nothing_changes_a_number_less_than_zero_and_one(a in numbers()) {
        prop_assert_eq!(add(a, Decimal::ZERO), Ok(a));
        prop_assert_eq!(multiply(a, Decimal::ONE), Ok(a));
        prop_assert_eq!(divide(a, Decimal::ONE), Ok(a));
        prop_assert_eq!(subtract(a, a), Ok(Decimal::ZERO));
    }

    #[test]
    fn a_text_reads_back_as_its_number(a in numbers()) {
        let text = to_plain(a);
        prop_assert!(!text.starts_with("-0") || a < Decimal::ZERO);
        prop_assert_eq!(parse(&text), Some(a));
    }

    #[test]
    fn wholes_and_remainder_make_up_the_number(a in -1_000_000_i64..1_000_000, b in 1_i64..5_000, cents in 0_u32..4) {
        let (a, b) = (Decimal::new(a, cents), Decimal::new(b, 2));
        let (whole, rest) = (quotient(a, b).unwrap(), remainder(a, b).unwrap());
        prop_assert!(Decimal::ZERO <= rest && rest < b);
        prop_assert_eq!(add(multiply(whole, b).unwrap(), rest), Ok(a));
    }

    #[test]
    fn a_remainder_is_smaller_than_its_divisor(a in numbers(), b in numbers()) {
        if let Ok(rest) = remainder(a, b) {
            prop_assert!(rest.abs() <= b.abs());
            prop_assert!(rest.is_zero() || rest.is_sign_negative() == b.is_sign_negative());
        }
    }

    #[test]
    fn rounding_moves_by_at_most_half_a_unit(a in -1_000_000_000_i64..1_000_000_000, scale in 0_u32..8, digits in -3_i64..8) {
        let a = Decimal::new(a, scale);
        let up = round(a, digits, Rounding::Ceiling).unwrap();
        let down = round(a, digits, Rounding::Floor).unwrap();
        let near = round(a, digits, Rounding::HalfUp).unwrap();
        prop_assert!(down <= a && a <= up);
        prop_assert!(near == up || near == down);
        let distance = |to: Decimal| subtract(to, a).unwrap().abs();
        prop_assert!(distance(near) <= distance(up).min(distance(down)));
    }

    #[test]
    fn a_square_has_its_root(a in 0_i64..10_000_000_000, scale in 0_u32..10) {
        let a = Decimal::new(a, scale);
        prop_assert_eq!(sqrt(multiply(a, a).unwrap()), Ok(a));
    }
}
