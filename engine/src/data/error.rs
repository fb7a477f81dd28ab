//! Errors of data.

/// The reason why rows cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum DataError {
    /// A declared column is missing from the header.
    #[error("`{source_name}` needs a column `{column}`; there are: {}", present.join(", "))]
    MissingColumn {
        /// The source.
        source_name: String,
        /// The column.
        column: String,
        /// The columns of the header.
        present: Vec<String>,
    },
    /// The header has a declared column twice.
    #[error("`{source_name}` has the column `{column}` twice")]
    DuplicateColumn {
        /// The source.
        source_name: String,
        /// The column.
        column: String,
    },
    /// There is no such source.
    #[error("there is no source `{0}`")]
    UnknownSource(String),
    /// The source's rows are derived from those of another source and not read.
    #[error("the rows of `{0}` are derived, so no data is read for it")]
    DerivedSource(String),
    /// Two rows have the same key.
    #[error("`{source_name}` has two rows with the key `{key}`")]
    DuplicateKey {
        /// The source.
        source_name: String,
        /// The key.
        key: String,
        /// The two rows, counted from zero.
        rows: (usize, usize),
    },
    /// A computed column exceeds a limit of the engine.
    #[error("`{column}` cannot be computed: {reason}")]
    Computation {
        /// The column with its source.
        column: String,
        /// The limit.
        reason: String,
    },
    /// There are more rows than row numbers.
    #[error("`{0}` has more than 4 billion rows")]
    TooManyRows(String),
}

/// The reason why a row cannot be read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum RowError {
    /// The number of cells differs from that of the header.
    #[error("{found} cells where the header has {expected}")]
    CellCount {
        /// The number of cells in the header.
        expected: usize,
        /// The number of cells in the row.
        found: usize,
    },
    /// A cell is not of its column's type.
    #[error("column `{column}`: `{value}` is not {expected}{}", behind(help.as_deref()))]
    Cell {
        /// The column.
        column: String,
        /// The cell, cut after 60 characters.
        value: String,
        /// The expected kind of value, with its article.
        expected: &'static str,
        /// What to do about it, if known.
        help: Option<String>,
    },
}

fn behind(help: Option<&str>) -> String {
    help.map_or(String::new(), |help| format!(": {help}"))
}
