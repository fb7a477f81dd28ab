//! Rows in memory: typed columns, links resolved to row numbers, rows in order of time, exchange
//! rates, and records of single values.
//!
//! A program pushes text cells into a [`TableBuilder`] for each source and hands the tables to the
//! engine, which resolves links and fills computed columns. Nothing here opens a file.

mod build;
mod cell_help;
mod column;
mod error;
#[cfg(feature = "json")]
mod json_places;
mod links;
mod order;
mod rates;
mod read;
mod record;
#[cfg(feature = "json")]
mod record_json;
mod record_nested;
mod record_rows;
mod table;
#[cfg(test)]
mod tests;
mod versions;

pub(crate) use build::{build, linked, set_column};
pub(crate) use column::{Column, NO_CODE, NULL, instant, scaled, sorted};
pub use error::{DataError, RowError};
#[cfg(feature = "json")]
pub(crate) use json_places::{JsonEntry, entries, items};
pub(crate) use order::{Orders, TimeOrder, in_order};
pub use rates::Rates;
pub(crate) use read::{ColumnReader, NumberReader};
pub(crate) use record::plain_name;
pub use record::{Record, RecordError, RecordValue};
pub(crate) use record_rows::record_tables;
pub use table::{Table, TableBuilder};
pub(crate) use versions::{Read, Stamp};
pub use versions::{Touch, Versions};

use std::sync::Arc;

use crate::schema::{LinkId, Schema, Source, SourceId};

/// The row number of a link without a target row.
pub(crate) const NO_ROW: u32 = u32::MAX;

/// The rows of every source, linked.
#[derive(Debug, Clone, Default)]
pub struct Data {
    /// By source.
    pub(crate) tables: Vec<Table>,
    /// By source and link: the linked row of each row.
    pub(crate) links: Vec<Vec<Vec<u32>>>,
    /// By source: rows in order of the source's default date, if it has one of type datetime.
    pub(crate) dated: Vec<Option<Arc<TimeOrder>>>,
    /// Rows in order of other dates.
    pub(crate) orders: Orders,
    pub(crate) rates: Rates,
    /// By source: whether a table was given, even an empty one.
    pub(crate) given: Vec<bool>,
    /// Whether these are the store's rows, which cover the days that sources declare. The rows of a
    /// record cover every requested period.
    pub(crate) is_store: bool,
    /// The program's name for this version of the rows.
    version: Option<Arc<str>>,
    /// `source.link` of each link with keys that have no row in the target, and the number of rows.
    unlinked: Vec<(String, usize)>,
    /// The identity of these rows, unique for as long as they exist.
    pub(crate) identity: Arc<()>,
    /// A digest of the formulas that the computed columns were filled with.
    pub(crate) filled: u128,
    /// The versions of the store's rows that these were read from, if the program set them.
    pub(crate) versions: Option<Versions>,
}

impl Data {
    pub(crate) fn table(&self, source: SourceId) -> Option<&Table> {
        self.tables.get(source.0)
    }

    pub(crate) fn link(&self, source: SourceId, link: LinkId) -> Option<&[u32]> {
        self.links.get(source.0)?.get(link.0).map(Vec::as_slice)
    }

    /// Returns the number of rows of a source.
    pub fn row_count(&self, source: SourceId) -> usize {
        self.table(source).map_or(0, Table::row_count)
    }

    /// Names this version of the rows. Every change needs a new name.
    #[must_use]
    pub fn with_version(mut self, version: impl Into<Arc<str>>) -> Self {
        self.version = Some(version.into());
        self
    }

    /// Returns the program's name for this version of the rows.
    pub fn version(&self) -> Option<&str> {
        self.version.as_deref()
    }

    /// Sets the versions of the store's rows that these rows were read from.
    ///
    /// Answers in a [`Cache`](crate::cache::Cache) then serve every [`Data`] of the same versions, and
    /// those that a change does not touch serve later versions too. The versions must be taken
    /// before the rows are read.
    #[must_use]
    pub fn with_versions(mut self, versions: Versions) -> Self {
        self.versions = Some(versions);
        self
    }

    /// Returns the sources with rows that have no date, and the number of these rows. They count in
    /// no period.
    pub fn undated(&self, schema: &Schema) -> Vec<(String, usize)> {
        let undated = |(index, source): (usize, &Source)| {
            let rows = order::undated(schema, self, SourceId(index)).filter(|rows| *rows > 0)?;
            Some((source.name.clone(), rows))
        };
        schema.sources.iter().enumerate().filter_map(undated).collect()
    }

    /// Returns the links with keys that have no row in the target: `source.link` with the number of
    /// rows.
    pub fn unlinked(&self) -> &[(String, usize)] {
        &self.unlinked
    }
}
