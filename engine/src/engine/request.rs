//! Requests: period, buckets, groups, comparison; and inputs.

use jiff::Timestamp;
use jiff::civil::Date;

use super::Filter;
use crate::cache::Cache;
use crate::calendar::TimeUnit;
use crate::data::{Data, Rates, Record};
use crate::evaluate::DataSource;
use crate::rollup::RollupReader;
use crate::sql::Database;
use crate::types::Currency;

/// An evaluation request. The default is one value over everything the data covers, in the store's
/// calendar and currency, as of the end of time.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Request {
    /// The first and the last day, both included. Default: the days that the data covers.
    pub period: Option<(Date, Date)>,
    /// The unit of the buckets; one answer for each.
    pub by: Option<TimeUnit>,
    /// Shared dimensions, fields that all rows have, or expressions over rows, which may be named:
    /// `if(total > 100 GBP, 'big', 'small') as size`.
    pub group_by: Vec<String>,
    /// The rows to include, in every formula.
    pub filter: Option<Filter>,
    /// The comparison period.
    pub compare: Option<Comparison>,
    /// An IANA time zone; default: the store's.
    pub timezone: Option<String>,
    /// The currency into which every amount is converted, row by row.
    pub currency: Option<Currency>,
    /// The present: later rows do not count yet. Also the value of `now()`.
    pub now: Timestamp,
}

impl Request {
    /// Returns the request without buckets, groups and comparison.
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
            filter: None,
            compare: None,
            timezone: None,
            currency: None,
            now: Timestamp::MAX,
        }
    }
}

/// The period to compare an answer with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Comparison {
    /// The preceding period, as in `previous(x)`.
    Previous,
    /// A year earlier, as in `last_year(x)`.
    LastYear,
}

/// The inputs of an evaluation: rows, a record of single values, or both.
#[derive(Debug, Clone, Copy, Default)]
pub struct Inputs<'a> {
    /// The rows of the sources.
    pub data: Option<&'a Data>,
    /// Values by name, which override definitions.
    pub record: Option<&'a Record>,
    /// The exchange rates of a record without rows; rows have their own.
    pub(crate) rates: Option<&'a Rates>,
    /// The cache of answers; used only without a record.
    pub(crate) cache: Option<&'a Cache>,
    /// The data source that answers aggregates before the rows in memory.
    pub(crate) data_source: Option<&'a dyn DataSource>,
}

impl<'a> Inputs<'a> {
    /// Rows, a record, or both; the record's values take precedence.
    pub const fn new(data: Option<&'a Data>, record: Option<&'a Record>) -> Self {
        Self { data, record, rates: None, cache: None, data_source: None }
    }

    /// A database only, queried during evaluation.
    pub fn store(database: &'a Database<'a>) -> Self {
        Self { data_source: Some(database), ..Self::default() }
    }

    /// Rows only.
    pub const fn data(data: &'a Data) -> Self {
        Self::new(Some(data), None)
    }

    /// Rollups only; an aggregate that they decline is a finding.
    pub fn rollups(reader: &'a RollupReader<'a>) -> Self {
        Self { data_source: Some(reader), ..Self::default() }
    }

    /// Adds rollups, which are asked before the rows.
    #[must_use]
    pub fn with_rollups(self, reader: &'a RollupReader<'a>) -> Self {
        Self { data_source: Some(reader), ..self }
    }

    /// A record only.
    pub const fn record(record: &'a Record) -> Self {
        Self::new(None, Some(record))
    }

    /// Adds the exchange rates for the amounts of a record.
    #[must_use]
    pub const fn with_rates(self, rates: &'a Rates) -> Self {
        Self { rates: Some(rates), ..self }
    }

    /// Adds a cache of answers.
    ///
    /// The cache is used only without a record. Reads from outside memory must see the state at the
    /// time of the read, not an earlier snapshot.
    #[must_use]
    pub const fn cached(self, cache: &'a Cache) -> Self {
        Self { cache: Some(cache), ..self }
    }
}
