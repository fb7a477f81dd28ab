//! What the values of a column are, told by the type of its field.

use super::listing::Kind;
use crate::clock::Timestamp;
use crate::ids::Identifier;

/// A type whose columns can be filtered by.
pub trait Filtered {
    /// What the values of such a column are.
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
