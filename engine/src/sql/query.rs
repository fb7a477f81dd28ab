//! Queries and results: a statement with its bound values, and rows of cells.

use std::fmt;

/// A statement in one dialect, with every value bound.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Query {
    /// The statement, with the dialect's placeholders, numbered from 1.
    pub text: String,
    /// The values of the placeholders, in order.
    pub values: Vec<BoundValue>,
}

/// A value bound to a placeholder.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum BoundValue {
    /// A number at the column's scale, an instant in the column's unit, or a day since 1970-01-01.
    Integer(i64),
    /// A text.
    Text(String),
}

/// One cell of a result. There is no floating point: if a database can give a number only as a
/// float, the store returns [`StoreError::OutOfRange`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SqlValue {
    /// NULL.
    Null,
    /// True or false; a database without a Boolean type may give 0 and 1.
    Bool(bool),
    /// A whole number.
    Integer(i64),
    /// A text, or an integer that does not fit in 64 bits.
    Text(String),
}

/// A connection that runs queries.
///
/// The engine calls it synchronously, in the evaluating thread. All queries of one evaluation must
/// see the same data, so a program opens a read transaction around it.
pub trait Store: fmt::Debug {
    /// Runs a statement and hands over its rows in order, one by one, so that no more than one has
    /// to be held.
    ///
    /// # Errors
    /// [`StoreError::OutOfRange`] if integers overflowed or a result is floating point, so that the
    /// engine tries another way; the error of `each`, after which no further row is handed over;
    /// [`StoreError::Failed`] for everything else.
    fn query(&self, query: &Query, each: &mut EachRow<'_>) -> Result<(), StoreError>;
}

/// What takes the rows of a statement.
pub type EachRow<'e> = dyn FnMut(&[SqlValue]) -> Result<(), StoreError> + 'e;

/// The error of a store.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum StoreError {
    /// A sum or product overflowed the integers of the database.
    #[error("a number is too large for the database's integers")]
    OutOfRange,
    /// The engine needs no further row.
    #[error("no further row is needed")]
    Stopped,
    /// Any other error, with the database's message.
    #[error("{0}")]
    Failed(String),
}
