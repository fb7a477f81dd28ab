//! Text functions. Positions count characters, from 1.

mod concat;
mod contains;
mod ends_with;
mod left;
mod lower;
mod mid;
mod number;
mod replace;
mod right;
mod starts_with;
mod text;
mod trim;
mod upper;

pub(crate) use concat::CONCAT;
pub(crate) use contains::CONTAINS;
pub(crate) use ends_with::ENDS_WITH;
pub(crate) use left::LEFT;
pub(crate) use lower::LOWER;
pub(crate) use mid::MID;
pub(crate) use number::NUMBER;
pub(crate) use replace::REPLACE;
pub(crate) use right::RIGHT;
pub(crate) use starts_with::STARTS_WITH;
pub(crate) use text::TEXT;
pub(crate) use trim::TRIM;
pub(crate) use upper::UPPER;
