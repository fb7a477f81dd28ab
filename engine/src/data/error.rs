//! What can be wrong with data.

/// Why rows cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum DataError {
    /// The header lacks a declared column.
    #[error("`{source_name}` needs a column `{column}`; there are: {}", present.join(", "))]
    MissingColumn {
        /// The source.
        source_name: String,
        /// The column.
        column: String,
        /// The columns there are.
        present: Vec<String>,
    },
    /// There is no such source.
    #[error("there is no source `{0}`")]
    UnknownSource(String),
    /// The source's rows are derived from another's and not read.
    #[error("the rows of `{0}` are derived, so no data is read for it")]
    DerivedSource(String),
    /// Two rows have one key.
    #[error("`{source_name}` has two rows with the key `{key}`")]
    DuplicateKey {
        /// The source.
        source_name: String,
        /// The key.
        key: String,
    },
    /// A computed column goes over a limit of the engine.
    #[error("`{column}` cannot be computed: {reason}")]
    Computation {
        /// The column with its source.
        column: String,
        /// Which limit.
        reason: String,
    },
    /// More rows than row numbers.
    #[error("`{0}` has more than 4 billion rows")]
    TooManyRows(String),
}

/// Why one row cannot be read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum RowError {
    /// The row has another number of cells than the header.
    #[error("{found} cells where the header has {expected}")]
    CellCount {
        /// Cells of the header.
        expected: usize,
        /// Cells of the row.
        found: usize,
    },
    /// A cell does not hold what its column holds.
    #[error("column `{column}`: `{value}` is not {expected}")]
    Cell {
        /// The column.
        column: String,
        /// What it holds.
        value: String,
        /// What it should hold, with its article.
        expected: &'static str,
    },
}
