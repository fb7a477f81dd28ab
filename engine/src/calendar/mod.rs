//! Calendar periods: buckets, windows, fiscal and retail years, time zones.
//!
//! Every period is half-open: it contains its start but not its end. There is no clock: instants
//! come from the caller. Nothing here panics; a result outside the years −9999 to 9999 is `None`.
//! Start at [`Calendar`].

mod bounds;
mod days;
mod length;
mod literal;
mod open_end;
mod parts;
mod period;
mod retail;
mod shift;
mod span;
mod steps;
mod units;
mod windows;
mod zone;

#[cfg(test)]
mod tests;

pub(crate) use days::{date_of_number, day_number};
pub use literal::PeriodLiteral;
pub(crate) use open_end::open_end;
pub use parts::DatePart;
pub use period::Period;
pub use retail::Retail454;
pub use span::{TimeSpan, TimeUnit};

use jiff::civil::Weekday;
use jiff::tz::TimeZone;

/// The calendar of a store: zone, first weekday and kind of year.
///
/// The default is UTC, weeks from Monday, years from January.
///
/// ```
/// use quotient::calendar::{Calendar, Period, TimeUnit};
///
/// let berlin = Calendar::with_zone("Europe/Berlin")?;
/// let week = Period::new("2026-03-22T23:00:00Z".parse()?, "2026-03-29T22:00:00Z".parse()?);
///
/// let days = berlin.buckets(week, TimeUnit::Day, 100)?;
///
/// assert_eq!(days.len(), 7);
/// assert_eq!(week.full_nanoseconds(), Some(167 * 3_600 * 1_000_000_000));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Calendar {
    zone: TimeZone,
    week_start: Weekday,
    fiscal_start: i8,
    retail: Option<Retail454>,
}

impl Default for Calendar {
    fn default() -> Self {
        Self { zone: TimeZone::UTC, week_start: Weekday::Monday, fiscal_start: 1, retail: None }
    }
}

impl Calendar {
    /// The default calendar in an IANA zone such as `Europe/Berlin`.
    pub fn with_zone(name: &str) -> Result<Self, CalendarError> {
        Self::default().in_zone(name)
    }

    /// Sets the zone.
    pub fn in_zone(self, name: &str) -> Result<Self, CalendarError> {
        // The cause within jiff adds nothing: the bundled database has the name or not.
        let zone = TimeZone::get(name)
            .ok()
            .filter(|zone| !zone.is_unknown())
            .ok_or_else(|| CalendarError::UnknownZone { name: name.to_owned() })?;
        Ok(Self { zone, ..self })
    }

    /// Sets the first weekday.
    #[must_use]
    pub fn with_week_start(self, week_start: Weekday) -> Self {
        Self { week_start, ..self }
    }

    /// Sets the first month of the fiscal year, 1 to 12.
    pub fn with_fiscal_start(self, month: i8) -> Result<Self, CalendarError> {
        if !(1..=12).contains(&month) {
            return Err(CalendarError::NoSuchMonth { month });
        }
        Ok(Self { fiscal_start: month, ..self })
    }

    /// Sets a retail calendar with years of whole weeks. It determines the start of weeks and
    /// years, regardless of [`with_week_start`](Self::with_week_start) and
    /// [`with_fiscal_start`](Self::with_fiscal_start).
    #[must_use]
    pub fn with_retail(self, retail: Retail454) -> Self {
        Self { retail: Some(retail), ..self }
    }

    /// Returns the zone's IANA name.
    pub fn zone_name(&self) -> &str {
        self.zone.iana_name().unwrap_or("UTC")
    }

    /// Returns the zone.
    pub fn zone(&self) -> &TimeZone {
        &self.zone
    }

    /// Returns the first weekday.
    pub fn week_start(&self) -> Weekday {
        self.retail.map_or(self.week_start, Retail454::start_weekday)
    }

    /// Returns the first month of the fiscal year, 1 to 12.
    pub fn fiscal_start(&self) -> i8 {
        self.retail.map_or(self.fiscal_start, Retail454::start_month)
    }

    /// Returns the retail calendar, if the store has one.
    pub fn retail(&self) -> Option<Retail454> {
        self.retail
    }

    /// Returns every zone name that [`with_zone`](Self::with_zone) accepts, in alphabetical order.
    pub fn zone_names() -> Vec<String> {
        let mut names: Vec<_> =
            jiff::tz::db().available().map(|name| name.as_str().to_owned()).collect();
        names.sort_unstable();
        names
    }
}

/// An error of a calendar's settings or of a request to it.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum CalendarError {
    /// The zone is not in the IANA database.
    #[error("unknown time zone `{name}`")]
    UnknownZone {
        /// The name as given.
        name: String,
    },
    /// Months are counted from 1 to 12.
    #[error("there is no month {month}")]
    NoSuchMonth {
        /// The number as given.
        month: i8,
    },
    /// The range holds more units than the limit.
    #[error("the period holds more than {limit} {}s", unit.name())]
    TooManyBuckets {
        /// The requested unit.
        unit: TimeUnit,
        /// The limit.
        limit: usize,
    },
}
