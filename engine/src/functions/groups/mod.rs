//! Comparisons of a group with the other groups.

pub(super) mod rank;
pub(super) mod share;
pub(super) mod total;
