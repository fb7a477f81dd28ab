//! Text functions. Positions count characters, from 1.

pub(super) mod concat;
pub(super) mod contains;
pub(super) mod ends_with;
pub(super) mod left;
pub(super) mod lower;
pub(super) mod mid;
pub(super) mod number;
pub(super) mod replace;
pub(super) mod right;
pub(super) mod starts_with;
pub(super) mod text;
pub(super) mod trim;
pub(super) mod upper;
