//! The limits of the range, signs of zero, and text.

use rust_decimal::Decimal;

use super::number;
use crate::number::{
    Rounding, add, average, divide, exp, from_scaled, ln, multiply, negate, parse, power, quotient,
    remainder, round, sqrt, subtract, to_plain,
};
use crate::types::Reason;

const LARGEST: &str = "9999999999999999999999999999";

#[test]
fn a_whole_part_of_29_digits_overflows() {
    let largest = number(LARGEST);

    assert_eq!(add(largest, Decimal::ONE), Err(Reason::Overflow));
    assert_eq!(add(largest, number("0.4")), Ok(largest));
    assert_eq!(add(largest, number("0.5")), Err(Reason::Overflow), "the tie rounds up to 10^28");
    assert_eq!(subtract(negate(largest), Decimal::ONE), Err(Reason::Overflow));
    assert_eq!(multiply(largest, number("10")), Err(Reason::Overflow));
    assert_eq!(divide(largest, number("0.1")), Err(Reason::Overflow));
    assert_eq!(add(Decimal::MAX, Decimal::MAX), Err(Reason::Overflow));
    assert_eq!(multiply(Decimal::MIN, Decimal::MAX), Err(Reason::Overflow));
    assert_eq!(from_scaled(i128::MIN, 0), Err(Reason::Overflow));
    assert_eq!(
        from_scaled(i128::MAX, 60).map(to_plain),
        Ok("0.0000000000000000000001701412".into())
    );
}

#[test]
fn powers_past_the_range_answer_at_once() {
    let nine = number("9");
    let tower = power(nine, nine).and_then(|inner| power(nine, inner));

    assert_eq!(tower, Err(Reason::Overflow));
    assert_eq!(power(nine, number(LARGEST)), Err(Reason::Overflow));
    assert_eq!(power(nine, negate(number(LARGEST))), Ok(Decimal::ZERO));
    assert_eq!(power(number("0.5"), number(LARGEST)), Ok(Decimal::ZERO));
    assert_eq!(power(number("0.5"), negate(number(LARGEST))), Err(Reason::Overflow));
    assert_eq!(power(number("-1"), number(LARGEST)), Ok(number("-1")));
    assert_eq!(power(number("10"), number("27")).map(to_plain), Ok(format!("1{}", "0".repeat(27))));
    assert_eq!(power(number("10"), number("28")), Err(Reason::Overflow));
    assert_eq!(power(number("1.5"), number("1000000.5")), Err(Reason::Overflow));
    assert_eq!(power(number("1.5"), number("-1000000.5")), Ok(Decimal::ZERO));
}

#[test]
fn powers_keep_to_their_domain() {
    assert_eq!(power(Decimal::ZERO, Decimal::ZERO), Ok(Decimal::ONE));
    assert_eq!(power(Decimal::ZERO, number("2.5")), Ok(Decimal::ZERO));
    assert_eq!(power(Decimal::ZERO, number("-1")), Err(Reason::DivisionByZero));
    assert_eq!(power(number("-8"), number("0.5")), Err(Reason::Domain));
    assert_eq!(power(number("-2"), number("3.0")), Ok(number("-8")));
    assert_eq!(power(number("0.5"), number("-90")), Ok(number("1237940039285380274899124224")));
}

#[test]
fn roots_of_whole_numbers_come_out_whole() {
    let third = divide(Decimal::ONE, number("3")).unwrap();

    assert_eq!(power(number("8"), third).map(to_plain), Ok("2".into()));
    assert_eq!(power(number("4"), number("0.5")).map(to_plain), Ok("2".into()));
    assert_eq!(power(number("100"), number("-1.5")).map(to_plain), Ok("0.001".into()));
    assert_eq!(sqrt(number("144")), Ok(number("12")));
    assert_eq!(sqrt(number("0.0225")), Ok(number("0.15")));
    assert_eq!(sqrt(number("-1")), Err(Reason::Domain));
    assert_eq!(sqrt(Decimal::ZERO), Ok(Decimal::ZERO));
    assert_eq!(sqrt(Decimal::MAX).map(to_plain), Ok("281474976710656".into()));
}

#[test]
fn logarithms_and_exponentials_keep_to_their_domain() {
    assert_eq!(ln(Decimal::ZERO), Err(Reason::Domain));
    assert_eq!(ln(number("-1")), Err(Reason::Domain));
    assert_eq!(ln(number("1.000")), Ok(Decimal::ZERO));
    assert_eq!(exp(Decimal::ZERO), Ok(Decimal::ONE));
    assert_eq!(exp(number("64.5")), Err(Reason::Overflow));
    assert_eq!(exp(Decimal::MAX), Err(Reason::Overflow));
    assert_eq!(exp(Decimal::MIN), Ok(Decimal::ZERO));
    assert_eq!(exp(number("-64")).map(to_plain), Ok("0.0000000000000000000000000002".into()));
}

#[test]
fn a_division_ends_where_it_is_exact() {
    for (a, b, expected) in [
        ("1", "4", "0.25"),
        ("1", "3", "0.3333333333333333333333333333"),
        ("2", "3", "0.6666666666666666666666666667"),
        ("100", "8", "12.5"),
        ("1", "0.0000000000000000000000000001", "10000000000000000000000000000"),
        ("1", "0.000000000000000000000000001", "1000000000000000000000000000"),
        ("-7", "2", "-3.5"),
        ("0", "-5", "0"),
    ] {
        let result = divide(number(a), number(b)).map_or("overflow".to_owned(), to_plain);
        let expected =
            if expected.len() > 28 && !expected.contains('.') { "overflow" } else { expected };
        assert_eq!(result, expected, "{a} / {b}");
    }
    assert_eq!(divide(Decimal::ZERO, Decimal::ZERO), Err(Reason::DivisionByZero));
    assert_eq!(divide(number("1"), number("4")).map(|quarter| quarter.scale()), Ok(2));
}

#[test]
fn an_average_is_rounded_once() {
    assert_eq!(average(1_000, 2, 3).map(to_plain), Ok("3.333333333333333333333333333".into()));
    assert_eq!(average(-5, 0, 2).map(to_plain), Ok("-2.5".into()));
    assert_eq!(
        average(i128::MAX, 20, u64::MAX).map(to_plain),
        Ok("0.092233720368547758085".into())
    );
    assert_eq!(average(i128::MAX, 0, 1), Err(Reason::Overflow));
    assert_eq!(average(0, 0, 0), Err(Reason::NoRows));
}

#[test]
fn a_remainder_has_the_sign_of_the_divisor() {
    for (a, b, rest, whole) in [
        ("7", "3", "1", "2"),
        ("-7", "3", "2", "-3"),
        ("7", "-3", "-2", "-3"),
        ("-7", "-3", "-1", "2"),
        ("6", "-3", "0", "-2"),
        ("5.5", "0.4", "0.3", "13"),
        (LARGEST, "0.0000000000000000000000000003", "0", "overflow"),
    ] {
        let (a, b) = (number(a), number(b));
        let shown = |result: Result<Decimal, Reason>| result.map_or("overflow".into(), to_plain);
        assert_eq!(shown(remainder(a, b)), rest, "{a} mod {b}");
        assert_eq!(shown(quotient(a, b)), whole, "{a} div {b}");
    }
    assert_eq!(remainder(Decimal::ONE, Decimal::ZERO), Err(Reason::DivisionByZero));
    assert_eq!(quotient(Decimal::ONE, Decimal::ZERO), Err(Reason::DivisionByZero));
}

#[test]
fn ties_round_in_the_requested_direction() {
    let digits = |text, places, rounding| round(number(text), places, rounding).map(to_plain);
    assert_eq!(digits("2.5", 0, Rounding::HalfUp), Ok("3".into()));
    assert_eq!(digits("-2.5", 0, Rounding::HalfUp), Ok("-3".into()));
    assert_eq!(digits("2.5", 0, Rounding::HalfEven), Ok("2".into()));
    assert_eq!(digits("-0.4", 0, Rounding::HalfUp), Ok("0".into()));
    assert_eq!(digits("1250", -2, Rounding::HalfUp), Ok("1300".into()));
    assert_eq!(digits("-1", -3, Rounding::Floor), Ok("-1000".into()));
    assert_eq!(digits("5", i64::MIN, Rounding::HalfUp), Ok("0".into()));
    assert_eq!(digits("5", i64::MIN, Rounding::Ceiling), Err(Reason::Overflow));
    assert_eq!(digits("5", -28, Rounding::Ceiling), Err(Reason::Overflow));
    assert_eq!(digits("5.25", i64::MAX, Rounding::Ceiling), Ok("5.25".into()));
}

#[test]
fn only_plain_decimal_text_is_a_number() {
    for (text, expected) in [
        ("12", Some("12")),
        ("-012.50", Some("-12.5")),
        ("+.5", Some("0.5")),
        ("-0", Some("0")),
        ("-0.00", Some("0")),
        (LARGEST, Some(LARGEST)),
        ("0.0000000000000000000000000001", Some("0.0000000000000000000000000001")),
        ("0.00000000000000000000000000001", None),
        ("10000000000000000000000000000", None),
        ("", None),
        ("-", None),
        (".", None),
        ("5.", None),
        ("1e5", None),
        ("1,000", None),
        (" 1", None),
        ("--1", None),
        ("1.2.3", None),
        ("٣", None),
        ("NaN", None),
    ] {
        assert_eq!(parse(text).map(to_plain).as_deref(), expected, "{text}");
    }
}
