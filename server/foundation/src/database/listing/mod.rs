//! Lists: the definition of what can be filtered, searched and ordered, and the statements built from it.
//!
//! Invariant: statements are built from parts of a static [`Listing`]; text from requests is always bound.

mod query;
mod where_clause;

use rusqlite::types::Value;

pub use query::ListQuery;
pub use where_clause::{WhereClause, escape_like};

use crate::clock::Timestamp;
use crate::ids::Identifier;
use crate::money::Currency;

#[derive(Debug)]
pub struct Listing {
    /// The key of the rows in responses, such as `products`.
    pub plural: &'static str,
    /// The table after `from`, with an alias, such as `product p`.
    pub table: &'static str,
    /// The column that breaks ties in every order: the id, such as `p.id`, or a row number, such as `e.seq`.
    pub tie_breaker: &'static str,
    pub columns: &'static [Column],
    /// The columns that `q` searches, such as `p.title`, or conditions with `{}` in place of the comparison, such as
    /// `exists (select 1 from product_variant v where v.product_id = p.id and v.sku {})`. If empty, there is no `q`.
    pub search: &'static [&'static str],
    /// The default of `limit`.
    pub default_limit: u32,
    /// The default order: the name of a column, prefixed with `-` for descending.
    pub default_order: &'static str,
    /// Query keys that the route itself parses.
    pub extra: &'static [&'static str],
}

#[derive(Debug)]
pub struct Column {
    pub name: &'static str,
    /// The SQL expression, such as `p.created_at`; for a relation a condition with `{}` in place of the values, such as
    /// `p.id in (select product_id from product_category_link where category_id in ({}))`.
    pub sql: &'static str,
    pub kind: Kind,
    pub orders: bool,
    pub filters: bool,
}

impl Column {
    pub const fn new(name: &'static str, sql: &'static str, kind: Kind) -> Self {
        Self { name, sql, kind, orders: true, filters: true }
    }

    /// Creates a column to filter by, without a useful order or an index for one.
    pub const fn filter(name: &'static str, sql: &'static str, kind: Kind) -> Self {
        Self { name, sql, kind, orders: false, filters: true }
    }

    /// Returns whether rows have several of the values, so that only equality has a meaning.
    pub(crate) fn is_relation(&self) -> bool {
        self.sql.contains("{}")
    }

    pub const fn order(name: &'static str, sql: &'static str, kind: Kind) -> Self {
        Self { name, sql, kind, orders: true, filters: false }
    }
}

/// The kind of a column's values, which determines how they are parsed and compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// An id; `null` selects rows without one.
    Id,
    Text,
    /// A text that is stored in lower case, such as an e-mail address or the code of a currency, and compared in any case.
    LowerCase,
    /// One of these words.
    Word(&'static [&'static str]),
    /// An instant in milliseconds; RFC 3339 or a day in requests, which means its first instant in the store's time zone, or
    /// its last one if it is compared as an end: `$lte` includes the day, and `$gt` does not.
    Time,
    Integer,
    /// `true` or `false`, stored as 1 or 0.
    Boolean,
    /// An amount; in major units in requests, compared as an integer with this many decimal places.
    Money {
        /// Decimal places of the integer that the column's expression returns.
        digits: u32,
    },
    /// A code that is itself a credential: it can only be compared as a whole, since an order would reveal it piece by
    /// piece.
    Code,
    /// The id of a related resource.
    Link,
}

pub trait Filtered {
    const KIND: Kind;
}

impl<I: Identifier> Filtered for I {
    const KIND: Kind = Kind::Id;
}

impl Filtered for String {
    const KIND: Kind = Kind::Text;
}

impl Filtered for Currency {
    const KIND: Kind = Kind::LowerCase;
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

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Operator {
    AnyOf,
    NoneOf,
    Greater,
    GreaterOrEqual,
    Less,
    LessOrEqual,
    /// A pattern with `%` and `_`, in which letters match in either case.
    Like,
}

#[derive(Debug, Clone)]
pub struct Condition {
    pub column: &'static Column,
    pub operator: Operator,
    /// The values; exactly one, except for the first two operators. `Null` selects rows without a value, and a text is a day
    /// if the column is a [`Kind::Time`].
    pub values: Vec<Value>,
}

/// Alternatives: at least one must hold.
pub type Alternatives = Vec<Vec<Condition>>;
