//! Exact decimal arithmetic: 28 significant digits, at most 28 of them after the point.
//!
//! Every operation computes the exact result in a wider integer and rounds it once, half-even, if
//! it does not fit. Nothing here panics or uses floating point. An integer part of more than 28
//! digits is [`Reason::Overflow`](crate::types::Reason::Overflow). Start at [`add()`]; the rounding
//! itself is in `fit`.

mod arithmetic;
mod binary;
mod divide;
mod fit;
mod power;
mod round;
mod small;
mod text;
mod variance;
mod wide;

#[cfg(test)]
mod tests;

pub(crate) use arithmetic::growth;
pub use arithmetic::{add, interpolate, mean, multiply, negate, subtract, sum};
pub use binary::{exp, ln};
pub use divide::{average, divide, quotient, remainder};
pub use fit::from_scaled;
pub use power::{power, sqrt};
pub use round::{Rounding, round};
pub(crate) use small::{MOST_ROUNDED_DIGITS, Quotient, Small};
pub(crate) use text::parse_scientific;
pub use text::{parse, to_plain};
pub(crate) use variance::{PowerSums, Spread, spread};
