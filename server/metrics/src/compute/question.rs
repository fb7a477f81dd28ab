//! A question about the store with every default filled in: its range, granularity and filters.

use jiff::civil::Date;
use jiff::tz::TimeZone;
use quotient::calendar::TimeUnit;
use quotient::types::Currency;
use quotient::{Comparison, Filter, Request};
use serde::{Deserialize, Serialize};

use crate::clock::Timestamp;
use crate::http::ToSchema;
use crate::ids::{RegionId, SalesChannelId};
use crate::routes::day;

/// Limit: days of a dashboard's range.
pub(crate) const MAX_RANGE_DAYS: i64 = 366;

/// Limit: days of any other range: ten years.
pub(crate) const MAX_QUESTION_DAYS: i64 = 3_653;

/// Days of the default range, including today.
pub(crate) const DEFAULT_RANGE_DAYS: i64 = 30;

/// The length of the buckets of a range.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Granularity {
    /// No buckets.
    #[default]
    None,
    Hour,
    Day,
    Week,
    Month,
    Quarter,
    Year,
}

impl Granularity {
    /// Returns the calendar unit of the buckets, if there are any.
    pub const fn unit(self) -> Option<TimeUnit> {
        match self {
            Self::None => None,
            Self::Hour => Some(TimeUnit::Hour),
            Self::Day => Some(TimeUnit::Day),
            Self::Week => Some(TimeUnit::Week),
            Self::Month => Some(TimeUnit::Month),
            Self::Quarter => Some(TimeUnit::Quarter),
            Self::Year => Some(TimeUnit::Year),
        }
    }
}

/// The comparison: none or an earlier period.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Compare {
    /// Nothing.
    #[default]
    None,
    /// The preceding period of the same length.
    PreviousPeriod,
    /// The same dates a year earlier.
    PreviousYear,
}

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Filters {
    pub sales_channel_id: Option<SalesChannelId>,
    pub region_id: Option<RegionId>,
    /// Two letters, lower case.
    pub country_code: Option<String>,
    /// A condition in the formula language.
    pub condition: Option<Filter>,
}

impl Filters {
    /// Returns these filters as one filter of the engine; `None` for the whole store.
    pub fn to_engine(&self) -> Option<Filter> {
        let parts = [
            ("sales_channel_id", self.sales_channel_id.as_ref().map(SalesChannelId::as_str)),
            ("region_id", self.region_id.as_ref().map(RegionId::as_str)),
            ("country", self.country_code.as_deref()),
        ];
        let is = |(name, value): (&str, Option<&str>)| {
            value.map(|value| format!("{name} = '{}'", value.replace('\'', "''")))
        };
        let parts: Vec<String> = parts.into_iter().filter_map(is).collect();
        let fixed = (!parts.is_empty()).then(|| Filter::new(parts.join(" and ")));
        match (fixed, self.condition.clone()) {
            (Some(fixed), Some(own)) => Some(fixed.and(&own)),
            (one, other) => one.or(other),
        }
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Question {
    /// The first and the last day, inclusive.
    pub days: (Date, Date),
    pub granularity: Granularity,
    pub compare: Compare,
    /// An IANA time zone name.
    pub timezone: String,
    pub currency: Currency,
    pub filters: Filters,
    pub group_by: Vec<String>,
    pub now: Timestamp,
}

impl Question {
    /// Returns the first instant of the range, and the one after the last; none if a day has no instant.
    pub(super) fn instants(&self) -> Option<(Timestamp, Timestamp)> {
        let zone = TimeZone::get(&self.timezone).ok()?;
        let (start, end) = self.days;
        Some((day::start(start, &zone)?, day::start(end.tomorrow().ok()?, &zone)?))
    }

    /// Returns whether all days of the range have ended.
    pub(super) fn has_ended(&self) -> bool {
        self.instants().is_some_and(|(_, end)| end <= self.now)
    }

    /// Returns the query for formulas that its filters have already narrowed.
    pub fn request(&self) -> Request {
        Request {
            period: Some(self.days),
            by: self.granularity.unit(),
            group_by: self.group_by.clone(),
            filter: None,
            compare: match self.compare {
                Compare::None => None,
                Compare::PreviousPeriod => Some(Comparison::Previous),
                Compare::PreviousYear => Some(Comparison::LastYear),
            },
            timezone: Some(self.timezone.clone()),
            currency: None,
            now: self.now.to_jiff(),
        }
    }

    pub fn filtered_request(&self) -> Request {
        Request { filter: self.filters.to_engine(), ..self.request() }
    }
}
