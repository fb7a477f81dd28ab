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

pub(crate) use build::{build, linked, set_column};
pub(crate) use column::{Column, NO_CODE, NULL, instant, scaled};
pub use error::{DataError, RowError};
pub(crate) use order::{in_order, instants};
pub use rates::Rates;
pub(crate) use record::plain_name;
pub use record::{Record, RecordError, RecordValue};
pub(crate) use record_rows::record_tables;
pub use table::{Table, TableBuilder};

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
    pub(crate) dated: Vec<Option<Dated>>,
    pub(crate) rates: Rates,
    /// By source: whether rows were given, even none.
    pub(crate) given: Vec<bool>,
    /// Whether these are the store's rows, which cover the days that sources declare; those of a
    /// record cover what they are asked for.
    pub(crate) is_store: bool,
    /// Links whose key has no row in the target, by source, link name and count.
    unlinked: Vec<(String, usize)>,
}

/// Rows in order of time.
#[derive(Debug, Clone, Default)]
pub(crate) struct Dated {
    /// Row numbers; rows without a date are left out.
    pub(crate) rows: Vec<u32>,
    /// Their instants in microseconds, ascending.
    pub(crate) at: Vec<i64>,
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

    /// Links whose key names no row of the target: `source.link` with the number of rows.
    pub fn unlinked(&self) -> &[(String, usize)] {
        &self.unlinked
    }
}
