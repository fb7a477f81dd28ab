//! The kind of a column's values, derived from the type of its field.

use super::listing::Kind;
use crate::clock::Timestamp;
use crate::ids::Identifier;

/// A type whose columns can be filtered.
pub trait Filtered {
    /// The kind of the column's values.
    const KIND: Kind;
}

impl<I: Identifier> Filtered for I {
    const KIND: Kind = Kind::Id;
}

impl Filtered for String {
    const KIND: Kind = Kind::Text;
}

impl Filtered for Timestamp {
    const KIND: Kind = Kind::Time;
}

impl Filtered for i64 {
    const KIND: Kind = Kind::Integer;
}

impl Filtered for bool {
    const KIND: Kind = Kind::Boolean;
}

impl<T: Filtered> Filtered for Option<T> {
    const KIND: Kind = T::KIND;
}
