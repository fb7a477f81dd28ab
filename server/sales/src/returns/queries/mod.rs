//! The statements of this domain.

pub(super) mod load;
pub(super) mod steps;
