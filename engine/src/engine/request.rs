//! What to compute: which period, cut how, for which groups, compared with what.

use jiff::Timestamp;
use jiff::civil::Date;

use crate::calendar::TimeUnit;
use crate::data::{Data, Record};
use crate::evaluate::Supply;
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
    /// What is asked for aggregates before rows in memory.
    pub(crate) supply: Option<&'a dyn Supply>,
}

impl<'a> Inputs<'a> {
    /// Rows, a record, or both; the record's values win.
    pub const fn new(data: Option<&'a Data>, record: Option<&'a Record>) -> Self {
        Self { data, record, supply: None }
    }

    /// A database only, which is asked while formulas are computed.
    pub fn store(database: &'a Database<'a>) -> Self {
        Self { supply: Some(database), ..Self::default() }
    }

    /// Rows only.
    pub const fn data(data: &'a Data) -> Self {
        Self::new(Some(data), None)
    }

    /// A record only.
    pub const fn record(record: &'a Record) -> Self {
        Self::new(None, Some(record))
    }
}
