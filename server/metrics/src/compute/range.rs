//! The range of a dashboard or report: as requested, and resolved in a store.

use std::ops::RangeInclusive;
use std::sync::Arc;

use serde::Serialize;

use super::Evaluator;
use super::question::{Compare, MAX_RANGE_DAYS};
use super::request::UnresolvedQuestion;
use super::{Caches, Filters, Granularity, Question};
use crate::MetricError;
use crate::clock::Timestamp;
use crate::database::Tx;
use crate::http::ToSchema;
use crate::ids::{RegionId, SalesChannelId};
use crate::money;
use crate::routes::day::Day;
use crate::routes::paging::DEFAULT_PAGE_LEN;

/// The years of days that a request can name: each of these days has an instant, as has the next one.
const YEARS: RangeInclusive<i16> = 1970..=9998;

/// A range as requested.
#[derive(Debug, Clone, Default)]
pub struct RangeQuery {
    /// The range and its filters, and what the figures of dashboards are compared with.
    pub(crate) question: UnresolvedQuestion,
    /// Limit of rows on a page, for sections with pages; defaults to 20.
    pub limit: Option<u32>,
    /// Rows before the page.
    pub offset: u32,
}

#[derive(Debug, Clone)]
pub struct ResolvedRange {
    /// The question about the whole range.
    pub asked: Question,
    /// The currency in lower case, as rows have it.
    pub currency_code: String,
    /// The first instant.
    pub start: Timestamp,
    /// The instant after the last.
    pub end: Timestamp,
    /// The instant up to which rows are known: the earlier of the end and the present.
    pub until: Timestamp,
    /// Limit of rows on a page, and the rows before it.
    pub page: (u32, u32),
    /// The cached answers and prefix sums.
    pub caches: Arc<Caches>,
}

impl ResolvedRange {
    /// Resolves a query in the store as of the transaction.
    ///
    /// # Errors
    /// As [`UnresolvedQuestion::resolve`], and for days outside the years 1970 to 9998.
    pub fn resolve(
        tx: &Tx<'_>,
        evaluator: &Evaluator,
        query: &RangeQuery,
    ) -> Result<Self, MetricError> {
        let mut given = [query.question.start_date, query.question.end_date].into_iter().flatten();
        if let Some(Day(day)) = given.find(|day| !YEARS.contains(&day.0.year())) {
            let (from, to) = YEARS.into_inner();
            let message = format!("`{day}` is outside the years {from} to {to}");
            return Err(MetricError::Range(message));
        }
        let snapshot = evaluator.registry.snapshot(tx)?;
        let asked = query.question.clone().resolve(&snapshot, tx.now())?;
        let (start, end) = asked.instants().unwrap_or((asked.now, asked.now));
        Ok(Self {
            currency_code: asked.currency.code().to_ascii_lowercase(),
            start,
            end,
            until: end.min(asked.now),
            page: (query.limit.unwrap_or(DEFAULT_PAGE_LEN), query.offset),
            caches: Arc::clone(evaluator.caches()),
            asked,
        })
    }

    /// Resolves the query of a dashboard, whose ranges are shorter.
    ///
    /// # Errors
    /// As [`Self::resolve`], and for more than [`MAX_RANGE_DAYS`] days.
    pub(crate) fn of_dashboard(
        tx: &Tx<'_>,
        evaluator: &Evaluator,
        query: &RangeQuery,
    ) -> Result<Self, MetricError> {
        let range = Self::resolve(tx, evaluator, query)?;
        if range.day_count() > MAX_RANGE_DAYS {
            return Err(MetricError::Range(format!(
                "The range has {} days, which is more than MAX_RANGE_DAYS ({MAX_RANGE_DAYS})",
                range.day_count()
            )));
        }
        Ok(range)
    }

    pub(crate) fn day_count(&self) -> i64 {
        let (start, end) = self.asked.days;
        let whole = end.since(start).map_or(0, |span| span.get_days());
        i64::from(whole).saturating_add(1)
    }

    pub fn question(&self, granularity: Granularity, compare: Compare) -> Question {
        Question { granularity, compare, ..self.asked.clone() }
    }

    pub fn money(&self) -> Result<money::Currency, MetricError> {
        let code = self.asked.currency.code();
        money::Currency::from_code(code).map_err(|_unknown| MetricError::Range(code.to_owned()))
    }
}

/// The range that a response covers.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub(crate) struct RangeView {
    /// The first day.
    #[schema(example = "2026-10-23")]
    start_date: String,
    /// The last day.
    #[schema(example = "2026-11-21")]
    end_date: String,
    /// The first instant.
    start: Timestamp,
    /// The instant after the last.
    end: Timestamp,
    days: i64,
    /// Whether the range is only partly known because it has not ended.
    partial: bool,
    /// The instant up to which rows are included: the earlier of the end and the present.
    as_of: Timestamp,
    /// The time zone of the days.
    #[schema(example = "Europe/London")]
    timezone: String,
    /// The currency whose rows are included.
    #[schema(example = "gbp")]
    currency_code: String,
    filters: RangeFiltersView,
}

/// The filters of a response; null for those that are not set.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[schema(as = RangeFilters)]
pub(crate) struct RangeFiltersView {
    sales_channel_id: Option<SalesChannelId>,
    region_id: Option<RegionId>,
    /// The country, in lower case.
    country_code: Option<String>,
}

impl RangeView {
    /// Returns the instant up to which the range is known; none if all of it is.
    pub(crate) fn known_until(&self) -> Option<Timestamp> {
        self.partial.then_some(self.as_of)
    }

    pub(crate) fn of(range: &ResolvedRange) -> Self {
        let (first, last) = range.asked.days;
        let Filters { sales_channel_id, region_id, country_code, .. } = range.asked.filters.clone();
        Self {
            start_date: first.to_string(),
            end_date: last.to_string(),
            start: range.start,
            end: range.end,
            days: range.day_count(),
            partial: range.until < range.end,
            as_of: range.until,
            timezone: range.asked.timezone.clone(),
            currency_code: range.currency_code.clone(),
            filters: RangeFiltersView { sales_channel_id, region_id, country_code },
        }
    }
}
