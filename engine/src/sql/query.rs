//! What goes to a database and what comes back: a statement with its values, and rows of cells.

use std::fmt;

/// A statement in one dialect, with every value apart from the text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Query {
    /// The statement; its placeholders are those of the dialect, numbered from 1.
    pub text: String,
    /// The value of each placeholder, in order.
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

/// One cell of a result. There is no floating point: a number that a database can only give as one
/// is [`StoreError::OutOfRange`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SqlValue {
    /// NULL.
    Null,
    /// True or false; a database without such a type may give 0 and 1.
    Bool(bool),
    /// A whole number.
    Integer(i64),
    /// A text, or a whole number that does not fit 64 bits.
    Text(String),
}

/// Something that runs queries.
///
/// The engine asks while it evaluates, in the thread that evaluates, and waits for the answer. All
/// queries of one evaluation must see the same data: a program opens a read transaction around it.
pub trait Store: fmt::Debug {
    /// Runs a statement and gives its rows.
    ///
    /// # Errors
    /// [`StoreError::OutOfRange`] if integers overflowed or a result came as floating point, which
    /// makes the engine ask in another way; [`StoreError::Failed`] for everything else.
    fn query(&self, query: &Query) -> Result<Vec<Vec<SqlValue>>, StoreError>;
}

/// Why a database gave no rows.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum StoreError {
    /// A sum or product left the integers of the database.
    #[error("a number is too large for the database's integers")]
    OutOfRange,
    /// The database says so.
    #[error("{0}")]
    Failed(String),
}
