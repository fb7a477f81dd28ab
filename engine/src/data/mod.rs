//! Rows in memory: typed columns, links resolved to row numbers, rows in order of time, exchange
//! rates, and records of single values.
//!
//! A program pushes text cells into a [`TableBuilder`] for each source and hands the tables to the
//! engine, which resolves links and fills computed columns. Nothing here opens a file.

mod build;
mod column;
mod error;
mod links;
mod order;
mod rates;
mod read;
mod record;
#[cfg(feature = "json")]
mod record_json;
mod record_rows;
mod table;
#[cfg(test)]
mod tests;
mod versions;

pub(crate) use build::{build, linked, set_column};
pub(crate) use column::{Column, NO_CODE, NULL, instant, scaled, sorted};
pub use error::{DataError, RowError};
pub(crate) use order::{Dated, Orders, in_order};
pub use rates::Rates;
pub(crate) use record::plain_name;
pub use record::{Record, RecordError, RecordValue};
pub(crate) use record_rows::record_tables;
pub use table::{Table, TableBuilder};
pub(crate) use versions::{Read, Stamp};
pub use versions::{Touch, Versions};

use std::sync::Arc;

use crate::schema::{LinkId, SourceId};

/// No row: a link that leads nowhere.
pub(crate) const NO_ROW: u32 = u32::MAX;

/// The rows of every source, linked.
#[derive(Debug, Clone, Default)]
pub struct Data {
    /// By source.
    pub(crate) tables: Vec<Table>,
    /// By source and link: for each row the row it leads to.
    pub(crate) links: Vec<Vec<Vec<u32>>>,
    /// By source: rows in order of the source's default date, where it has one of type datetime.
    pub(crate) dated: Vec<Option<Arc<Dated>>>,
    /// Rows in order of other dates.
    pub(crate) orders: Orders,
    pub(crate) rates: Rates,
    /// By source: whether rows were given, even none.
    pub(crate) given: Vec<bool>,
    /// Whether these are the store's rows, which cover the days that sources declare; those of a
    /// record cover what they are asked for.
    pub(crate) is_store: bool,
    /// What the program calls this state of its rows.
    version: Option<Arc<str>>,
    /// Links whose key has no row in the target, by source, link name and count.
    unlinked: Vec<(String, usize)>,
    /// Tells these rows from all others while they live.
    pub(crate) identity: Arc<()>,
    /// What the formulas of computed columns meant when these were filled.
    pub(crate) filled: u128,
    /// The state of the store that they show, where a program said so.
    pub(crate) versions: Option<Versions>,
}

impl Data {
    pub(crate) fn table(&self, source: SourceId) -> Option<&Table> {
        self.tables.get(source.0)
    }

    pub(crate) fn link(&self, source: SourceId, link: LinkId) -> Option<&[u32]> {
        self.links.get(source.0)?.get(link.0).map(Vec::as_slice)
    }

    /// How many rows a source has.
    pub fn row_count(&self, source: SourceId) -> usize {
        self.table(source).map_or(0, Table::row_count)
    }

    /// Names this state of the rows: a number of its own for every change.
    #[must_use]
    pub fn with_version(mut self, version: impl Into<Arc<str>>) -> Self {
        self.version = Some(version.into());
        self
    }

    /// What the program calls this state of the rows.
    pub fn version(&self) -> Option<&str> {
        self.version.as_deref()
    }

    /// The same rows, known to be those of a state of the store.
    ///
    /// What a [`Cache`](crate::cache::Cache) keeps of them then serves every [`Data`] of the same
    /// state, and what a change does not touch serves later ones too. The versions must have been
    /// taken before the rows were read.
    #[must_use]
    pub fn with_versions(mut self, versions: Versions) -> Self {
        self.versions = Some(versions);
        self
    }

    /// Links whose key names no row of the target: `source.link` with the number of rows.
    pub fn unlinked(&self) -> &[(String, usize)] {
        &self.unlinked
    }
}
