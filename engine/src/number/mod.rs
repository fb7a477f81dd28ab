//! Exact decimal arithmetic: 28 significant digits, half-even, and never a panic.

use rust_decimal::Decimal;
/// Parses.
pub fn parse(text: &str) -> Option<Decimal> {
    Decimal::from_str_exact(text).ok()
}
