//! The range of a dashboard or report: as it is requested, and resolved in a store.

use std::sync::Arc;

use jiff::civil::Date;
use jiff::tz::TimeZone;
use quotient::types::Currency;
use serde::Serialize;
use utoipa::ToSchema;

use super::Evaluator;
use super::question::{Compare, DEFAULT_RANGE_DAYS, MAX_RANGE_DAYS};
use super::{Caches, Filters, Granularity, Question};
use crate::MetricError;
use crate::clock::Timestamp;
use crate::database::Tx;
use crate::ids::{RegionId, SalesChannelId};
use crate::money;
use crate::registry::schema;
use crate::routes::paging::DEFAULT_PAGE_LEN;

/// The first year that can be asked for.
const FIRST_YEAR: i16 = 1970;
/// The last year that can be asked for.
const LAST_YEAR: i16 = 9998;

/// A question as it was sent: everything may be left out.
#[derive(Debug, Clone, Default)]
pub struct RangeQuery {
    /// The first day; without it 30 days end with the last.
    pub start: Option<Date>,
    /// The last day, which is in it; without it today, as the zone has it.
    pub end: Option<Date>,
    /// An IANA time zone; without it the store's.
    pub timezone: Option<String>,
    /// The currency whose rows count; without it the store's.
    pub currency: Option<money::Currency>,
    pub filters: Filters,
    /// Rows on a page at most, of sections that have pages; without it 20.
    pub limit: Option<u32>,
    /// Rows before the page.
    pub offset: u32,
}

impl RangeQuery {
    /// A day as it is sent.
    ///
    /// # Errors
    /// [`MetricError::Range`] for what is no day of the calendar.
    pub fn day(name: &str, text: &str) -> Result<Date, MetricError> {
        let is_shaped = text.len() == 10 && text.bytes().all(|b| b.is_ascii_digit() || b == b'-');
        let day = text.parse::<Date>().ok().filter(|_| is_shaped);
        let day = day.filter(|day| (FIRST_YEAR..=LAST_YEAR).contains(&day.year()));
        day.ok_or_else(|| {
            let text: String = text.chars().take(16).collect();
            MetricError::Range(format!("`{text}` is no day that {name} can be; write 2026-02-28"))
        })
    }
}

#[derive(Debug, Clone)]
pub struct ResolvedRange {
    /// The first and the last day, both included.
    pub days: (Date, Date),
    pub timezone: String,
    pub currency: Currency,
    pub filters: Filters,
    /// Rows on a page at most, and rows before it.
    pub page: (u32, u32),
    pub now: Timestamp,
    /// What was computed before.
    pub caches: Arc<Caches>,
    zone: TimeZone,
}

impl ResolvedRange {
    /// What a query means in the store as the transaction sees it.
    ///
    /// # Errors
    /// [`MetricError::Range`] for an unknown zone, an end before its start, or more days than there may be.
    pub fn resolve(
        tx: &Tx<'_>,
        evaluator: &Evaluator,
        query: &RangeQuery,
    ) -> Result<Self, MetricError> {
        let snapshot = evaluator.snapshot(tx)?;
        let currency = match query.currency {
            Some(currency) => schema::currency(currency.upper())?,
            None => snapshot.currency(),
        };
        let timezone = query.timezone.clone().unwrap_or_else(|| snapshot.stamp().zone.clone());
        let caches = Arc::clone(evaluator.caches());
        Self::at((currency, timezone), query, (tx.now(), caches))
    }

    fn at(
        (currency, timezone): (Currency, String),
        query: &RangeQuery,
        (now, caches): (Timestamp, Arc<Caches>),
    ) -> Result<Self, MetricError> {
        let zone = TimeZone::get(&timezone).map_err(|_unknown| {
            let name: String = timezone.chars().take(64).collect();
            MetricError::Range(format!("`{name}` is not a time zone"))
        })?;
        let today = now.to_jiff().to_zoned(zone.clone()).date();
        let end = query.end.unwrap_or(today);
        let back = jiff::Span::new().days(DEFAULT_RANGE_DAYS.saturating_sub(1));
        let start = query.start.unwrap_or_else(|| end.saturating_sub(back));
        if end < start {
            return Err(MetricError::Range(format!("end_date {end} is before start_date {start}")));
        }
        let filters = query.filters.clone();
        let page = (query.limit.unwrap_or(DEFAULT_PAGE_LEN), query.offset);
        let days = (start, end);
        let range = Self { days, timezone, currency, filters, page, now, caches, zone };
        if range.day_count() > MAX_RANGE_DAYS {
            return Err(MetricError::Range(format!(
                "The range has {} days, which is more than MAX_RANGE_DAYS ({MAX_RANGE_DAYS})",
                range.day_count()
            )));
        }
        Ok(range)
    }

    pub(crate) fn day_count(&self) -> i64 {
        let (start, end) = self.days;
        let whole = end.since(start).map_or(0, |span| span.get_days());
        i64::from(whole).saturating_add(1)
    }

    /// The first instant, and one past the last.
    pub fn instants(&self) -> (Timestamp, Timestamp) {
        let (start, end) = self.days;
        let after = end.tomorrow().unwrap_or(end);
        (self.first_instant(start), self.first_instant(after))
    }

    fn first_instant(&self, day: Date) -> Timestamp {
        let found = self.zone.to_zoned(day.at(0, 0, 0, 0));
        found.map_or(self.now, |zoned| zoned.timestamp().into())
    }

    pub fn question(&self, granularity: Granularity, compare: Compare) -> Question {
        Question {
            days: self.days,
            granularity,
            compare,
            timezone: self.timezone.clone(),
            currency: self.currency,
            filters: self.filters.clone(),
            group_by: Vec::new(),
            now: self.now,
        }
    }

    pub fn money(&self) -> Result<money::Currency, MetricError> {
        let code = self.currency.code();
        money::Currency::from_code(code).map_err(|_unknown| MetricError::Range(code.to_owned()))
    }

    pub fn currency_code(&self) -> String {
        self.currency.code().to_ascii_lowercase()
    }
}

/// The range that an answer is of.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub(crate) struct RangeView {
    /// The first day.
    #[schema(example = "2026-10-23")]
    start_date: String,
    /// The last day.
    #[schema(example = "2026-11-21")]
    end_date: String,
    /// Its first instant.
    start: Timestamp,
    /// One past its last instant.
    end: Timestamp,
    /// How many days it has.
    days: i64,
    /// The zone whose days they are.
    #[schema(example = "Europe/London")]
    timezone: String,
    /// The currency whose rows count.
    #[schema(example = "gbp")]
    currency_code: String,
    /// The part of the store that counts.
    filters: FiltersView,
}

/// The part of the store that an answer is of; null where all of it counts.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[schema(as = RangeFilters)]
pub(crate) struct FiltersView {
    /// The only sales channel that counts.
    sales_channel_id: Option<SalesChannelId>,
    /// The only region that counts.
    region_id: Option<RegionId>,
    /// The only country that counts, in lower case.
    country_code: Option<String>,
}

impl RangeView {
    pub(crate) fn of(range: &ResolvedRange) -> Self {
        let ((first, last), (start, end)) = (range.days, range.instants());
        let Filters { sales_channel_id, region_id, country_code } = range.filters.clone();
        Self {
            start_date: first.to_string(),
            end_date: last.to_string(),
            start,
            end,
            days: range.day_count(),
            timezone: range.timezone.clone(),
            currency_code: range.currency_code(),
            filters: FiltersView { sales_channel_id, region_id, country_code },
        }
    }
}
