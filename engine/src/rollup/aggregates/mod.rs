//! The kinds of partial aggregates: each folds rows, merges, subtracts and finishes.
//!
//! | kind | for | contents | subtraction |
//! |---|---|---|---|
//! | [`SumCount`] | sums, counts, averages, shares of rows | an integer sum and a count for each scale | exact |
//! | [`Moments`] | variances and standard deviations | count, sum and sum of squares | exact |
//! | [`QuantileSketch`] | approximate percentiles | a count for each logarithmic bin | exact |
//! | [`Extreme`] | least and largest | the value, and the number of values | rebuild, if it is the value |
//! | [`FirstOrLast`] | first and last | the value with its instant and key | rebuild, if it is the value |
//! | [`DistinctSet`] | distinct keys | a bitmap of their numbers | rebuild |
//! | [`RepeatSet`] | keys that occur once, or repeatedly | two bitmaps | rebuild |
//! | [`Frequencies`] | the most frequent value | a count for each value, up to a limit | exact, or rebuild past it |
//!
//! The exact kinds form a group under merge and subtract: any order of operations gives the same result,
//! also where rows are subtracted before they are merged.

mod extreme;
mod first_or_last;
mod frequencies;
mod moments;
mod quantile_sketch;
mod set_encoding;
mod sets;
mod sum_count;

pub use extreme::Extreme;
pub use first_or_last::FirstOrLast;
pub use frequencies::Frequencies;
pub use moments::Moments;
pub use quantile_sketch::QuantileSketch;
pub(super) use sets::without;
pub use sets::{DistinctSet, RepeatSet};
pub use sum_count::SumCount;

/// The outcome of a subtraction.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[must_use]
pub enum Retraction {
    /// The partial aggregate is as if the rows had never been folded.
    Exact,
    /// The partial aggregate must be rebuilt from its rows before it is read.
    Rebuild,
}
