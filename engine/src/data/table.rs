//! The rows of one source.

use super::column::Column;
use super::error::{DataError, RowError};
use super::read::ColumnReader;
use crate::schema::{Schema, SourceId, same_name};

/// Limit: characters of a cell that an error shows.
const MAX_SHOWN_CHARS: usize = 60;

/// Limit: columns of a header that an error shows. A file of another kind may be a single line of megabytes.
const MAX_SHOWN_COLUMNS: usize = 50;

/// The rows of one source, with a column for each field.
#[derive(Debug, Clone, Default)]
pub struct Table {
    pub(crate) source: Option<SourceId>,
    /// By field; `None` for columns that are computed later or were not given.
    pub(crate) columns: Vec<Option<Column>>,
    pub(crate) rows: usize,
}

impl Table {
    /// Returns the number of rows.
    pub fn row_count(&self) -> usize {
        self.rows
    }
}

/// Reads rows of text cells into a table.
#[derive(Debug, Clone)]
pub struct TableBuilder {
    source: SourceId,
    /// The field that each cell fills.
    fields: Vec<Option<usize>>,
    names: Vec<String>,
    readers: Vec<Option<ColumnReader>>,
    /// Texts that stand for no value.
    nulls: Vec<String>,
    rows: usize,
}

impl TableBuilder {
    /// Creates a builder for a source, with cells in the order of `header`.
    ///
    /// Columns that the source does not declare are skipped. A declared column that is missing and
    /// not computed is an error.
    pub fn new(schema: &Schema, source: SourceId, header: &[&str]) -> Result<Self, DataError> {
        let Some(table) = schema.source_at(source) else {
            return Err(DataError::UnknownSource(source.0.to_string()));
        };
        if table.derived_from.is_some() {
            return Err(DataError::DerivedSource(table.name.clone()));
        }
        let fields: Vec<_> = header
            .iter()
            .map(|name| {
                let name = name.trim_start_matches('\u{feff}').trim();
                table
                    .fields
                    .iter()
                    .position(|field| same_name(&field.name, name) && field.computed.is_none())
            })
            .collect();
        let is_repeated = |(at, field): &(usize, &Option<usize>)| {
            field.is_some() && fields.iter().take(*at).any(|before| before == *field)
        };
        let repeated = fields.iter().enumerate().find(is_repeated).and_then(|(_, field)| *field);
        if let Some(field) = repeated.and_then(|field| table.fields.get(field)) {
            return Err(DataError::DuplicateColumn {
                source_name: table.name.clone(),
                column: field.name.clone(),
            });
        }
        let missing = table
            .fields
            .iter()
            .enumerate()
            .find(|(index, field)| field.computed.is_none() && !fields.contains(&Some(*index)));
        if let Some((_, field)) = missing {
            return Err(DataError::MissingColumn {
                source_name: table.name.clone(),
                column: field.name.clone(),
                present: shown(header),
            });
        }
        let nulls = table.form.nulls.clone();
        Ok(Self { nulls, ..Self::with_fields(schema, source, fields) })
    }

    /// Creates a builder whose cells fill these fields; other fields are null or computed.
    pub(crate) fn with_fields(
        schema: &Schema,
        source: SourceId,
        fields: Vec<Option<usize>>,
    ) -> Self {
        let declared = schema.source_at(source).map_or(&[][..], |table| &table.fields);
        let readers = declared
            .iter()
            .enumerate()
            .map(|(index, field)| {
                fields.contains(&Some(index)).then(|| ColumnReader::new(&field.data_type))
            })
            .collect();
        let names = declared.iter().map(|field| field.name.clone()).collect();
        Self { source, fields, names, readers, nulls: Vec::new(), rows: 0 }
    }

    /// Adds a row. On error the row is not added.
    pub fn push<S: AsRef<str>>(&mut self, cells: &[S]) -> Result<(), RowError> {
        if cells.len() != self.fields.len() {
            return Err(RowError::CellCount { expected: self.fields.len(), found: cells.len() });
        }
        for (index, cell) in cells.iter().enumerate() {
            let Some(field) = self.fields.get(index).copied().flatten() else { continue };
            let Some(Some(reader)) = self.readers.get_mut(field) else { continue };
            let cell = cell.as_ref();
            let is_null = self.nulls.iter().any(|null| null == cell);
            if let Err(expected) = reader.push(if is_null { "" } else { cell }) {
                let help = super::cell_help::help(reader, cell);
                self.undo(index);
                return Err(RowError::Cell {
                    column: self.names.get(field).cloned().unwrap_or_default(),
                    value: cell.chars().take(MAX_SHOWN_CHARS).collect(),
                    expected,
                    help,
                });
            }
        }
        self.rows = self.rows.saturating_add(1);
        Ok(())
    }

    /// Removes the cells of a row that were read before the invalid one.
    fn undo(&mut self, failed: usize) {
        for field in self.fields.iter().take(failed).flatten() {
            if let Some(Some(reader)) = self.readers.get_mut(*field) {
                reader.pop();
            }
        }
    }

    /// Returns the finished table.
    pub fn finish(self) -> Table {
        let columns =
            self.readers.into_iter().map(|reader| reader.map(ColumnReader::finish)).collect();
        Table { source: Some(self.source), columns, rows: self.rows }
    }
}

/// Returns the columns of a header for an error message, with `…` in place of excess ones.
fn shown(header: &[&str]) -> Vec<String> {
    let columns = header.iter().take(MAX_SHOWN_COLUMNS);
    let rest = (header.len() > MAX_SHOWN_COLUMNS).then(|| "…".to_owned());
    columns.map(|name| name.chars().take(MAX_SHOWN_CHARS).collect()).chain(rest).collect()
}
