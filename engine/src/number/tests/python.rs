//! The cases of `python.txt`, one per line: operation, arguments, `=`, and the result of Python's
//! `decimal` at 28 digits, half-even.

use rust_decimal::Decimal;

use crate::number::{self, Rounding};
use crate::types::Reason;

#[test]
fn every_operation_agrees_with_python() {
    for line in include_str!("python.txt").lines() {
        let words: Vec<&str> = line.split(' ').collect();
        let [operation, arguments @ .., "=", expected] = words.as_slice() else {
            panic!("a line of another form: {line}");
        };
        let arguments: Vec<Decimal> = arguments.iter().map(|text| super::number(text)).collect();
        let result = match compute(operation, &arguments) {
            Ok(result) => number::to_plain(result),
            Err(reason) => reason.name().to_owned(),
        };
        let expected = number::parse(expected).map_or((*expected).to_owned(), number::to_plain);
        assert_eq!(result, expected, "{line}");
    }
}

fn compute(operation: &str, arguments: &[Decimal]) -> Result<Decimal, Reason> {
    match (operation, arguments) {
        ("add", [a, b]) => number::add(*a, *b),
        ("subtract", [a, b]) => number::subtract(*a, *b),
        ("multiply", [a, b]) => number::multiply(*a, *b),
        ("divide", [a, b]) => number::divide(*a, *b),
        ("remainder", [a, b]) => number::remainder(*a, *b),
        ("quotient", [a, b]) => number::quotient(*a, *b),
        ("power", [a, b]) => number::power(*a, *b),
        ("sqrt", [a]) => number::sqrt(*a),
        ("ln", [a]) => number::ln(*a),
        ("exp", [a]) => number::exp(*a),
        ("round_half_up", [a, digits]) => rounded(*a, *digits, Rounding::HalfUp),
        ("round_half_even", [a, digits]) => rounded(*a, *digits, Rounding::HalfEven),
        ("round_floor", [a, digits]) => rounded(*a, *digits, Rounding::Floor),
        ("round_ceiling", [a, digits]) => rounded(*a, *digits, Rounding::Ceiling),
        ("round_truncate", [a, digits]) => rounded(*a, *digits, Rounding::Truncate),
        _ => Err(Reason::Domain),
    }
}

fn rounded(x: Decimal, digits: Decimal, rounding: Rounding) -> Result<Decimal, Reason> {
    let digits = i64::try_from(digits.mantissa()).unwrap_or(i64::MAX);
    number::round(x, digits, rounding)
}
