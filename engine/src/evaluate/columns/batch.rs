//! A batch of named columns of equal length.

use super::Column;
use crate::data::plain_name;

/// The input of a columnar evaluation: one column for each input.
///
/// ```
/// use quotient::columns::{Batch, Column};
///
/// let batch = Batch::new(3)
///     .with("revenue", Column::scaled(vec![12_500, 9_900, 0], 2))
///     .with("orders", Column::counts(vec![5, 3, 0]));
/// assert_eq!(batch.rows(), 3);
/// ```
#[derive(Debug, Clone, Default)]
pub struct Batch {
    rows: usize,
    columns: Vec<(String, Column)>,
}

impl Batch {
    /// An empty batch of `rows` rows, without columns.
    pub const fn new(rows: usize) -> Self {
        Self { rows, columns: Vec::new() }
    }

    /// Adds a column, replacing one of the same name. Names match without regard to case. Missing rows are
    /// null; surplus rows are dropped.
    #[must_use]
    pub fn with(mut self, name: &str, column: Column) -> Self {
        let name = plain_name(name);
        self.columns.retain(|(known, _)| *known != name);
        self.columns.push((name, column.resized(self.rows)));
        self
    }

    /// The number of rows.
    pub const fn rows(&self) -> usize {
        self.rows
    }

    /// The column with this name.
    pub fn column(&self, name: &str) -> Option<&Column> {
        let name = plain_name(name);
        self.columns.iter().find(|(known, _)| *known == name).map(|(_, column)| column)
    }
}
