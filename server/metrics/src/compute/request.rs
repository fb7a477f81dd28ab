//! A question as requested, and resolved in a store.

use std::collections::BTreeMap;

use jiff::civil::Date;
use quotient::Filter;
use serde::Serialize;

use super::question::{Compare, DEFAULT_RANGE_DAYS, MAX_QUESTION_DAYS};
use super::{Filters, Granularity, Question};
use crate::clock::Timestamp;
use crate::http::ToSchema;
use crate::ids::{RegionId, SalesChannelId};
use crate::registry::schema;
use crate::routes::day::Day;
use crate::{MetricError, RegistrySnapshot};

/// Limit: dimensions of one question.
pub(crate) const MAX_GROUPS: usize = 2;

/// A question as requested; defaults are filled in later.
#[derive(Debug, Clone, Default)]
pub(crate) struct UnresolvedQuestion {
    pub start_date: Option<Day>,
    pub end_date: Option<Day>,
    pub granularity: Granularity,
    pub compare: Compare,
    pub timezone: Option<String>,
    pub currency_code: Option<String>,
    pub sales_channel_id: Option<SalesChannelId>,
    pub region_id: Option<RegionId>,
    pub country_code: Option<String>,
    pub condition: Option<Filter>,
    pub group_by: Vec<String>,
}

impl UnresolvedQuestion {
    /// Resolves the question in the store at an instant.
    ///
    /// # Errors
    /// [`MetricError::Range`] for an unknown zone or dimension, a country code that is not two letters, or a range that ends
    /// before it starts or is longer than [`MAX_QUESTION_DAYS`]; [`MetricError::Schema`] for an unknown currency.
    pub(crate) fn resolve(
        self,
        snapshot: &RegistrySnapshot,
        now: Timestamp,
    ) -> Result<Question, MetricError> {
        let own = &snapshot.schema().store.calendar;
        let timezone = self.timezone.unwrap_or_else(|| own.zone_name().to_owned());
        let calendar = own.clone().in_zone(&timezone);
        let calendar = calendar.map_err(|_unknown| {
            let name: String = timezone.chars().take(64).collect();
            MetricError::Range(format!("`{name}` is not a time zone"))
        })?;
        let currency = match &self.currency_code {
            Some(code) => schema::currency(code)?,
            None => snapshot.currency(),
        };
        for dimension in &self.group_by {
            check_dimension(snapshot, dimension)?;
        }
        let today = calendar.date_of(now.to_jiff());
        Ok(Question {
            days: range(self.start_date, self.end_date, today)?,
            granularity: self.granularity,
            compare: self.compare,
            timezone,
            currency,
            filters: Filters {
                sales_channel_id: self.sales_channel_id,
                region_id: self.region_id,
                country_code: self.country_code.as_deref().map(country).transpose()?,
                condition: self.condition,
            },
            group_by: self.group_by,
            now,
        })
    }
}

/// Returns a country code in lower case.
fn country(code: &str) -> Result<String, MetricError> {
    if code.len() == 2 && code.bytes().all(|letter| letter.is_ascii_alphabetic()) {
        return Ok(code.to_ascii_lowercase());
    }
    Err(MetricError::Range("country_code is two letters".to_owned()))
}

/// Checks the name of a shared dimension; the error names the known ones.
pub(crate) fn check_dimension(snapshot: &RegistrySnapshot, name: &str) -> Result<(), MetricError> {
    let dimensions = &snapshot.schema().dimensions;
    if dimensions.iter().any(|dimension| dimension.name == name) {
        return Ok(());
    }
    let known: Vec<&str> = dimensions.iter().map(|dimension| dimension.name.as_str()).collect();
    let message = format!("`{name}` is not a shared dimension; there are {}", known.join(", "));
    Err(MetricError::Range(message))
}

/// Returns the first and the last day; by default the last 30 days, including today.
fn range(start: Option<Day>, end: Option<Day>, today: Date) -> Result<(Date, Date), MetricError> {
    let days = |count: i64| jiff::Span::new().days(count);
    let back = days(DEFAULT_RANGE_DAYS.saturating_sub(1));
    let last = end.map_or(today, |end| end.0);
    let first = match start {
        Some(start) => start.0,
        None => last.checked_sub(back).map_err(|_early| outside())?,
    };
    if last < first {
        let message = format!("end_date {last} is before start_date {first}");
        return Err(MetricError::Range(message));
    }
    let beyond = first.checked_add(days(MAX_QUESTION_DAYS)).map_err(|_late| outside())?;
    if last >= beyond {
        let message = format!("A range has at most {MAX_QUESTION_DAYS} days");
        return Err(MetricError::Range(message));
    }
    Ok((first, last))
}

fn outside() -> MetricError {
    MetricError::Range("The range leaves the calendar".to_owned())
}

/// A question with its defaults filled in, as responses repeat it.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub(crate) struct FiltersView {
    start_date: Day,
    /// The last day, inclusive.
    end_date: Day,
    /// The first instant of the range.
    start: Option<Timestamp>,
    /// The instant after the last of the range.
    end: Option<Timestamp>,
    /// The length of the buckets.
    granularity: Granularity,
    /// The comparison: none or an earlier period.
    compare: Compare,
    /// The time zone of the days.
    #[schema(example = "Europe/London")]
    timezone: String,
    /// The currency whose rows are included, in lower case.
    #[schema(example = "usd")]
    currency_code: String,
    /// The sales channel, if filtered by one.
    sales_channel_id: Option<SalesChannelId>,
    /// The region, if filtered by one.
    region_id: Option<RegionId>,
    /// The country, if filtered by one.
    country_code: Option<String>,
    /// The condition on rows, if any.
    #[serde(rename = "where", skip_serializing_if = "Option::is_none")]
    condition: Option<String>,
    /// The parameters of the condition.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    parameters: BTreeMap<String, String>,
    /// The dimensions to group by.
    group_by: Vec<String>,
}

impl FiltersView {
    pub(crate) fn of(question: &Question, snapshot: &RegistrySnapshot) -> Self {
        let calendar = snapshot.schema().store.calendar.clone().in_zone(&question.timezone).ok();
        let first = |day: Date| calendar.as_ref().and_then(|calendar| calendar.start_of_day(day));
        let (start, end) = question.days;
        let condition = question.filters.condition.clone().unwrap_or_default();
        Self {
            start_date: Day(start),
            end_date: Day(end),
            start: first(start).map(Timestamp::from),
            end: end.tomorrow().ok().and_then(first).map(Timestamp::from),
            granularity: question.granularity,
            compare: question.compare,
            timezone: question.timezone.clone(),
            currency_code: question.currency.code().to_ascii_lowercase(),
            sales_channel_id: question.filters.sales_channel_id.clone(),
            region_id: question.filters.region_id.clone(),
            country_code: question.filters.country_code.clone(),
            condition: question.filters.condition.as_ref().map(|own| own.condition.clone()),
            parameters: condition.parameters,
            group_by: question.group_by.clone(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn day(text: &str) -> Day {
        Day(text.parse().expect("a day"))
    }

    #[test]
    fn the_default_is_thirty_days_including_today() {
        let range = range(None, None, day("2026-03-01").0).expect("a range");
        assert_eq!(range, (day("2026-01-31").0, day("2026-03-01").0));
    }

    #[test]
    fn a_range_has_at_most_ten_years_and_does_not_end_before_it_starts() {
        let of = |start, end| range(Some(day(start)), Some(day(end)), day("2026-01-01").0);
        assert!(of("2024-01-01", "2024-12-31").is_ok());
        assert!(of("2016-01-01", "2025-12-31").is_ok());
        let refusal = of("2016-01-01", "2026-01-01").expect_err("a refusal");
        assert!(refusal.to_string().contains("3653 days"), "{refusal:?}");
        assert!(of("2026-01-02", "2026-01-01").is_err());
        assert!(range(None, Some(day("1000-01-01")), day("2026-01-01").0).is_ok());
        assert!(of("9999-12-31", "9999-12-31").is_err());
    }
}
