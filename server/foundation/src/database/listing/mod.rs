//! Lists: the definition of what can be filtered, searched and ordered, and the statements built
//! from it.
//!
//! Invariant: statements are built from parts of a static [`Listing`]; text from requests is always bound.

mod query;
mod where_clause;

use rusqlite::types::Value;

pub use query::ListQuery;
pub use where_clause::{WhereClause, escape_like};

/// The definition of a list.
#[derive(Debug)]
pub struct Listing {
    /// The key of the rows in responses, such as `products`.
    pub plural: &'static str,
    /// The table after `from`, with an alias, such as `product p`.
    pub table: &'static str,
    /// The column that breaks ties in every order: the id, such as `p.id`, or a row number, such as `e.seq`.
    pub tie_breaker: &'static str,
    /// The columns to filter and order by.
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

/// A column of a list.
#[derive(Debug)]
pub struct Column {
    /// The name in requests.
    pub name: &'static str,
    /// The SQL expression, such as `p.created_at`; for [`Kind::Link`] a condition with `{}` in place of the values.
    pub sql: &'static str,
    /// The kind of the values.
    pub kind: Kind,
    /// Whether the list can be ordered by it.
    pub orders: bool,
    /// Whether the list can be filtered by it.
    pub filters: bool,
}

impl Column {
    /// Creates a column to filter and to order by.
    pub const fn new(name: &'static str, sql: &'static str, kind: Kind) -> Self {
        Self { name, sql, kind, orders: true, filters: true }
    }

    /// Creates a column to filter by, without a useful order or an index for one.
    pub const fn filter(name: &'static str, sql: &'static str, kind: Kind) -> Self {
        Self { name, sql, kind, orders: false, filters: true }
    }

    /// Creates a column to order by only.
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
    /// One of these words.
    Word(&'static [&'static str]),
    /// An instant in milliseconds; RFC 3339 or a day in requests, which means its first instant in UTC.
    Time,
    /// A whole number.
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
    /// A relation: the column's expression is a condition with `{}`, such as `p.id in (select product_id from
    /// product_category_link where category_id in ({}))`.
    Link,
}

/// A comparison.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Operator {
    /// One of the values.
    AnyOf,
    /// None of the values.
    NoneOf,
    /// Greater than the value.
    Greater,
    /// Greater than or equal to the value.
    GreaterOrEqual,
    /// Less than the value.
    Less,
    /// Less than or equal to the value.
    LessOrEqual,
    /// A pattern with `%` and `_`, case-insensitive for ASCII letters.
    Like,
}

/// A comparison of a column with values.
#[derive(Debug, Clone)]
pub struct Condition {
    pub column: &'static Column,
    /// The comparison.
    pub operator: Operator,
    /// The values; exactly one, except for the first two operators. `Null` selects rows without a value.
    pub values: Vec<Value>,
}

/// Alternatives: at least one must hold.
pub type Alternatives = Vec<Vec<Condition>>;
