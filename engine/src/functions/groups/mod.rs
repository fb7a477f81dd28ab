//! Comparisons of a group with the other groups.

mod rank;
mod share;
mod total;

pub(crate) use rank::RANK;
pub(crate) use share::SHARE;
pub(crate) use total::TOTAL;
