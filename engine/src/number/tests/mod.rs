//! Tests of the arithmetic against Python's `decimal`, and of its laws.

mod edges;
mod laws;
mod python;
mod small;

use rust_decimal::Decimal;

use super::parse;

fn number(text: &str) -> Decimal {
    parse(text).unwrap()
}
