//! When the periods of a subscription begin.
//!
//! Invariant: every date is computed from the anchor and never from the previous one, so that a subscription started on
//! the 31st is due on 28 February and again on 31 March.

use jiff::civil::{Date, DateTime};
use jiff::tz::TimeZone;
use jiff::{Span, ToSpan as _};

use crate::clock::{self, Timestamp};
pub use crate::plans::{Interval, Unit};

impl Interval {
    /// Returns the length of `number` intervals.
    fn times(self, number: i64) -> Option<Span> {
        let count = self.count.checked_mul(number)?;
        let span = Span::new();
        match self.unit {
            Unit::Day => span.try_days(count),
            Unit::Week => span.try_weeks(count),
            Unit::Month => span.try_months(count),
            Unit::Year => span.try_years(count),
        }
        .ok()
    }
}

/// The local date and time of the first paid period, in a zone that never changes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Anchor {
    at: DateTime,
    /// The day of the month of every period, as far as the month has it.
    day: i8,
    zone: TimeZone,
}

impl Anchor {
    /// Returns the anchor of an instant; `None` if the zone is unknown.
    pub fn new(at: Timestamp, zone: &str) -> Option<Self> {
        let zone = clock::time_zone(zone)?;
        let at = at.to_jiff().to_zoned(zone.clone()).datetime();
        Some(Self { at, day: at.day(), zone })
    }

    /// Returns the anchor of an instant, with the day of the month on which later periods begin. That day counts only
    /// if the instant is on it, or on the last day of a month without it. `None` if the time zone is unknown.
    pub fn with_day(at: Timestamp, day: i64, zone: &str) -> Option<Self> {
        let anchor = Self::new(at, zone)?;
        let day = i8::try_from(day).ok()?;
        let is_its_day = on_day(anchor.at.date(), day) == anchor.at.date();
        Some(Self { day: if is_its_day { day } else { anchor.day }, ..anchor })
    }

    /// Returns the day of the month of its periods.
    pub fn day(&self) -> i64 {
        i64::from(self.day)
    }

    /// Returns the day of the month that it is on itself.
    pub fn own_day(&self) -> i64 {
        i64::from(self.at.day())
    }

    /// Returns when period `number` begins; the first one has the number 0. In a month without the day, it is the last
    /// day; a local time that does not exist moves forward by the gap, and of an ambiguous one the first is used. `None`
    /// beyond the calendar.
    pub fn due(&self, interval: Interval, number: i64) -> Option<Timestamp> {
        let local = self.at.checked_add(interval.times(number)?).ok()?;
        self.instant(match interval.unit {
            Unit::Day | Unit::Week => local,
            Unit::Month | Unit::Year => on_day(local.date(), self.day).to_datetime(local.time()),
        })
    }

    /// Returns the number of the first period that begins after an instant.
    pub fn next_after(&self, interval: Interval, at: Timestamp) -> Option<i64> {
        let (mut low, mut high) = (0_i64, 1_i64);
        while self.due(interval, high)? <= at {
            low = high;
            high = high.checked_mul(2)?;
        }
        if self.due(interval, 0)? > at {
            return Some(0);
        }
        while high.checked_sub(low)? > 1 {
            let middle = low.midpoint(high);
            if self.due(interval, middle)? <= at {
                low = middle;
            } else {
                high = middle;
            }
        }
        Some(high)
    }

    /// Returns the local time of the anchor on the day that is `days` after an instant.
    pub fn days_after(&self, at: Timestamp, days: i64) -> Option<Timestamp> {
        let day = at.to_jiff().to_zoned(self.zone.clone()).date();
        let day = day.checked_add(days.days()).ok()?;
        self.instant(day.to_datetime(self.at.time()))
    }

    /// Returns the local time of the anchor on a day, such as `2026-11-21`.
    pub fn on(&self, day: &str) -> Option<Timestamp> {
        let day: Date = day.parse().ok()?;
        self.instant(day.to_datetime(self.at.time()))
    }

    fn instant(&self, local: DateTime) -> Option<Timestamp> {
        let at = self.zone.to_ambiguous_timestamp(local).compatible().ok()?;
        Some(at.into())
    }
}

/// Returns the day of a date's month, or its last if it lacks that day.
fn on_day(date: Date, day: i8) -> Date {
    date.with().day(day.min(date.days_in_month())).build().unwrap_or(date)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn dates(anchor: &str, zone: &str, interval: (Unit, i64), count: i64) -> Vec<String> {
        let anchor = Anchor::new(anchor.parse().unwrap(), zone).unwrap();
        let interval = Interval { unit: interval.0, count: interval.1 };
        (0..count).map(|number| anchor.due(interval, number).unwrap().to_string()).collect()
    }

    #[test]
    fn the_31st_comes_back_after_a_short_month() {
        let monthly = dates("2026-01-31T09:00:00.000Z", "UTC", (Unit::Month, 1), 4);
        let days: Vec<Option<&str>> = monthly.iter().map(|date| date.get(..10)).collect();
        assert_eq!(days, ["2026-01-31", "2026-02-28", "2026-03-31", "2026-04-30"].map(Some));
    }

    #[test]
    fn a_leap_day_is_the_28th_in_other_years() {
        let yearly = dates("2024-02-29T12:00:00.000Z", "UTC", (Unit::Year, 1), 5);
        let days: Vec<Option<&str>> = yearly.iter().map(|date| date.get(..10)).collect();
        assert_eq!(
            days,
            ["2024-02-29", "2025-02-28", "2026-02-28", "2027-02-28", "2028-02-29"].map(Some)
        );
    }

    #[test]
    fn the_local_time_stays_when_clocks_change() {
        // Berlin is at UTC+1 in winter and at UTC+2 in summer; 02:30 does not exist on 29 March 2026.
        let weekly = dates("2026-03-15T01:30:00.000Z", "Europe/Berlin", (Unit::Week, 1), 4);
        assert_eq!(
            weekly,
            [
                "2026-03-15T01:30:00.000Z",
                "2026-03-22T01:30:00.000Z",
                "2026-03-29T01:30:00.000Z",
                "2026-04-05T00:30:00.000Z",
            ]
        );
        // 02:30 occurs twice on 25 October 2026.
        let daily = dates("2026-10-24T00:30:00.000Z", "Europe/Berlin", (Unit::Day, 1), 3);
        assert_eq!(daily[1], "2026-10-25T00:30:00.000Z");
        assert_eq!(daily[2], "2026-10-26T01:30:00.000Z");
    }

    #[test]
    fn the_next_period_is_the_first_one_that_begins_later() {
        let anchor = Anchor::new("2026-01-31T09:00:00.000Z".parse().unwrap(), "UTC").unwrap();
        let monthly = Interval { unit: Unit::Month, count: 1 };
        for (at, number) in [
            ("2026-01-01T00:00:00.000Z", 0),
            ("2026-01-31T09:00:00.000Z", 1),
            ("2026-02-28T08:59:59.999Z", 1),
            ("2026-02-28T09:00:00.000Z", 2),
            ("2029-12-31T10:00:00.000Z", 48),
        ] {
            assert_eq!(anchor.next_after(monthly, at.parse().unwrap()), Some(number), "{at}");
        }
    }

    #[test]
    fn a_new_anchor_in_a_short_month_keeps_the_requested_day() {
        let monthly = Interval { unit: Unit::Month, count: 1 };
        for (day, march) in
            [(31, "2026-03-31"), (29, "2026-03-29"), (28, "2026-03-28"), (5, "2026-03-28")]
        {
            let anchor =
                Anchor::with_day("2026-02-28T09:00:00.000Z".parse().unwrap(), day, "UTC").unwrap();
            assert_eq!(
                anchor.due(monthly, 0).unwrap().to_string(),
                "2026-02-28T09:00:00.000Z",
                "{day}"
            );
            let next = anchor.due(monthly, 1).unwrap().to_string();
            assert_eq!(next.get(..10), Some(march), "{day}");
        }
    }

    #[test]
    fn no_anchor_is_in_a_zone_that_does_not_exist() {
        assert!(Anchor::new("2026-02-28T09:00:00.000Z".parse().unwrap(), "Mars/Olympus").is_none());
    }
}
