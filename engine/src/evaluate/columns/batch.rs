//! Columns by name, all of one length.

use super::Column;
use crate::data::plain_name;

/// What many rows are computed from: a column for each input.
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
    /// A batch of that many rows, without columns.
    pub const fn new(rows: usize) -> Self {
        Self { rows, columns: Vec::new() }
    }

    /// The batch with a column; one of the same name is replaced. Names match without regard to
    /// case. Rows that the column lacks are null, those it has too many are left out.
    #[must_use]
    pub fn with(mut self, name: &str, column: Column) -> Self {
        let name = plain_name(name);
        self.columns.retain(|(known, _)| *known != name);
        self.columns.push((name, column.resized(self.rows)));
        self
    }

    /// How many rows it has.
    pub const fn rows(&self) -> usize {
        self.rows
    }

    /// The column of that name.
    pub fn column(&self, name: &str) -> Option<&Column> {
        let name = plain_name(name);
        self.columns.iter().find(|(known, _)| *known == name).map(|(_, column)| column)
    }
}
