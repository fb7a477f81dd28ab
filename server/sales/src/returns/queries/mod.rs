//! The statements of this domain.

pub(super) mod steps;
