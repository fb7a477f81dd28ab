//! The kinds of states: each folds rows, merges, undoes and finishes.
//!
//! | kind | for | what is kept | undo |
//! |---|---|---|---|
//! | [`Tally`] | sums, counts, averages, shares of rows | an integer sum and a count for each scale | subtracts |
//! | [`Spread`] | standard deviations | count, sum and sum of squares | subtracts |
//! | [`Sketch`] | percentiles asked for as approximate | a count for each logarithmic bucket | subtracts |
//! | [`Extreme`] | least and largest | the value, and how many values there are | rebuild, if it is the value |
//! | [`Edge`] | first and last | the value with its instant and key | rebuild, if it is the value |
//! | [`Keys`] | different keys | a bitmap of their numbers | rebuild |
//! | [`Repeats`] | keys seen once, keys seen again | two bitmaps | rebuild |
//!
//! Those that subtract are exact for any order of folding, merging and undoing, also where a part
//! is undone before the rest is merged.

mod edge;
mod extreme;
mod keys;
mod set;
mod sketch;
mod spread;
mod tally;

pub use edge::Edge;
pub use extreme::Extreme;
pub(super) use keys::without;
pub use keys::{Keys, Repeats};
pub use sketch::Sketch;
pub use spread::Spread;
pub use tally::Tally;

/// What became of a state from which something was taken out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[must_use]
pub enum Undone {
    /// The state is as if it had never been folded.
    Exactly,
    /// The state cannot tell: it must be rebuilt from its rows before it is read.
    Rebuild,
}
