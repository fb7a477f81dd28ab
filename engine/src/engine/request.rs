//! What to compute: which period, cut how, for which groups, compared with what.

use jiff::Timestamp;
use jiff::civil::Date;

use crate::cache::Cache;
use crate::calendar::TimeUnit;
use crate::data::{Data, Record};
use crate::evaluate::DataSource;
use crate::rollup::RollupReader;
use crate::sql::Database;
use crate::types::Currency;

/// What to compute. The default is one value over everything the data covers, in the store's
/// calendar and currency, seen from the end of time.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Request {
    /// The first and the last day, both included; without it the days the data covers.
    pub period: Option<(Date, Date)>,
    /// One answer for each of these units.
    pub by: Option<TimeUnit>,
    /// Shared dimensions, or fields where all rows have them.
    pub group_by: Vec<String>,
    /// Another period beside each answer.
    pub compare: Option<Comparison>,
    /// An IANA time zone instead of the store's.
    pub timezone: Option<String>,
    /// A currency that every amount is converted to, row by row.
    pub currency: Option<Currency>,
    /// The present: later rows do not count yet, and `now()` is this.
    pub now: Timestamp,
}

impl Request {
    /// The same for one value: without buckets, groups and comparison.
    pub(crate) fn alone(&self) -> Self {
        Self { by: None, group_by: Vec::new(), compare: None, ..self.clone() }
    }
}

impl Default for Request {
    fn default() -> Self {
        Self {
            period: None,
            by: None,
            group_by: Vec::new(),
            compare: None,
            timezone: None,
            currency: None,
            now: Timestamp::MAX,
        }
    }
}

/// The period an answer is compared with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Comparison {
    /// The one before, as `previous(x)`.
    Previous,
    /// A year earlier, as `last_year(x)`.
    LastYear,
}

/// Where values come from: rows, a record of single values, or a record before rows.
#[derive(Debug, Clone, Copy, Default)]
pub struct Inputs<'a> {
    /// Rows of sources.
    pub data: Option<&'a Data>,
    /// Values by name; they win over definitions.
    pub record: Option<&'a Record>,
    /// What keeps answers between evaluations; it serves where there is no record.
    pub(crate) cache: Option<&'a Cache>,
    /// What is asked for aggregates before rows in memory.
    pub(crate) data_source: Option<&'a dyn DataSource>,
}

impl<'a> Inputs<'a> {
    /// Rows, a record, or both; the record's values win.
    pub const fn new(data: Option<&'a Data>, record: Option<&'a Record>) -> Self {
        Self { data, record, cache: None, data_source: None }
    }

    /// A database only, which is asked while formulas are computed.
    pub fn store(database: &'a Database<'a>) -> Self {
        Self { data_source: Some(database), ..Self::default() }
    }

    /// Rows only.
    pub const fn data(data: &'a Data) -> Self {
        Self::new(Some(data), None)
    }

    /// Rollups only; an aggregate that they decline is a finding.
    pub fn rollups(reader: &'a RollupReader<'a>) -> Self {
        Self { data: None, record: None, cache: None, data_source: Some(reader) }
    }

    /// The same with rollups, which are asked before the rows.
    #[must_use]
    pub fn with_rollups(self, reader: &'a RollupReader<'a>) -> Self {
        Self { data_source: Some(reader), ..self }
    }

    /// A record only.
    pub const fn record(record: &'a Record) -> Self {
        Self::new(None, Some(record))
    }

    /// The same, with answers that are kept between evaluations.
    ///
    /// It serves where no record is given. What is read from elsewhere than memory must be read as
    /// it is at the time, not from a state of before the call.
    #[must_use]
    pub const fn cached(self, cache: &'a Cache) -> Self {
        Self { cache: Some(cache), ..self }
    }
}
