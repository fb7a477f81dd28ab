//! The 64-bit fast paths give the digits and the scale of the general functions.

use proptest::prelude::*;
use rust_decimal::Decimal;

use crate::number::divide::long_division;
use crate::number::{Quotient, Rounding, Small, add, divide, multiply, round, subtract};

fn mantissas() -> impl Strategy<Value = i64> {
    prop_oneof![
        4 => -1_000_i64..1_000,
        4 => -10_000_000_000_i64..10_000_000_000,
        1 => (0_u32..62, -3_i64..3).prop_map(|(bits, off)| (1_i64 << bits).saturating_add(off)),
        1 => (0_u32..18, -3_i64..3).prop_map(|(digits, off)| 10_i64.pow(digits).saturating_add(off)),
        1 => any::<i64>(),
    ]
}

fn numbers() -> impl Strategy<Value = Decimal> {
    (mantissas(), prop_oneof![4 => 0_u32..4, 1 => 0_u32..=28])
        .prop_map(|(mantissa, scale)| Decimal::from_i128_with_scale(mantissa.into(), scale))
}

/// The digits and the scale, which equality ignores.
fn spelt(number: Decimal) -> String {
    format!("{number:?} {}", number.is_sign_negative())
}

fn same(small: Option<Small>, general: Result<Decimal, crate::types::Reason>) {
    if let Some(small) = small {
        assert_eq!(Ok(spelt(small.decimal())), general.map(spelt));
    }
}

/// Division without the 64-bit fast path.
fn divided_slowly(a: Decimal, b: Decimal) -> Result<Decimal, crate::types::Reason> {
    let scale = a.scale().cast_signed().saturating_sub(b.scale().cast_signed());
    let negative = a.is_sign_negative() != b.is_sign_negative();
    long_division(negative, a.mantissa().unsigned_abs(), b.mantissa().unsigned_abs(), scale)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 4_096, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn sums_products_and_orders(a in numbers(), b in numbers()) {
        let (Some(x), Some(y)) = (Small::of(a), Small::of(b)) else { return Ok(()) };
        prop_assert_eq!(spelt(x.decimal()), spelt(a));
        same(x.add(y), add(a, b));
        same(x.subtract(y), subtract(a, b));
        same(x.multiply(y), multiply(a, b));
        prop_assert!(x.order(y).is_none_or(|order| order == a.cmp(&b)));
    }

    #[test]
    fn quotients(a in numbers(), b in numbers()) {
        let slowly = divided_slowly(a, b).map(spelt);
        prop_assert_eq!(divide(a, b).map(spelt), slowly, "{} / {}", a, b);
        if let (Some(x), Some(y)) = (Small::of(a), Small::of(b)) {
            let quotient = x.divide(y).map(|quotient| quotient.map(|quotient| match quotient {
                Quotient::Small(small) => spelt(small.decimal()),
                Quotient::Large(number) => spelt(number),
            }));
            prop_assert!(quotient.is_none_or(|quotient| quotient == divided_slowly(a, b).map(spelt)), "{} / {}", a, b);
        }
    }

    #[test]
    fn roundings(a in numbers(), b in numbers(), digits in 0_u32..12, mode in 0_usize..5) {
        let (Some(x), Some(y)) = (Small::of(a), Small::of(b)) else { return Ok(()) };
        let mode = Rounding::ALL[mode];
        same(x.round(digits, mode), round(a, digits.into(), mode));
        let quotient = divided_slowly(a, b).and_then(|quotient| round(quotient, digits.into(), mode));
        same(x.divide_rounded(y, digits, mode), quotient);
    }

    #[test]
    fn quotients_at_and_beside_a_tie(
        divisor in 1_i64..1_000_000_000_000,
        half in -1_000_000_i64..1_000_000,
        off in -2_i64..=2,
        (scale, digits) in (0_u32..6, 0_u32..9),
        mode in 0_usize..5,
    ) {
        let Some(top) = divisor.checked_mul(half.saturating_mul(5)).and_then(|top| top.checked_add(off)) else { return Ok(()) };
        let a = Decimal::from_i128_with_scale(top.into(), digits.saturating_add(1));
        let b = Decimal::from_i128_with_scale(divisor.into(), 0);
        let (x, y) = (Small::of(a).unwrap(), Small::of(b).unwrap());
        let mode = Rounding::ALL[mode];
        let quotient = divided_slowly(a, b).and_then(|quotient| round(quotient, digits.into(), mode));
        same(x.divide_rounded(y, digits, mode), quotient);
        let b = Decimal::from_i128_with_scale(divisor.into(), scale);
        let quotient = divided_slowly(a, b).and_then(|quotient| round(quotient, digits.into(), mode));
        same(x.divide_rounded(Small::of(b).unwrap(), digits, mode), quotient);
    }
}

#[test]
fn rounding_up_may_carry_through_every_nine() {
    for (a, b) in [
        (9_999_999_999_999_999_i64, 10_000_000_019_i64),
        (2, 3),
        (1, 18_446_744_073),
        (i64::MIN, 7),
    ] {
        let (a, b) = (Decimal::from(a), Decimal::from(b));
        assert_eq!(divide(a, b).map(spelt), divided_slowly(a, b).map(spelt), "{a} / {b}");
    }
}
