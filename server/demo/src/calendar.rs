//! The calendar of the demo store: the data's days, shifted so that the last one is yesterday.

use jiff::civil::{Date, Time};
use jiff::tz::TimeZone;
use jiff::{Span, ToSpan as _};

use crate::clock::Timestamp;

/// Converts the data's times to the store's times. Times of day stay unchanged in the store's time zone.
#[derive(Debug, Clone)]
pub(super) struct Calendar {
    zone: TimeZone,
    days: Span,
    ends: Timestamp,
}

impl Calendar {
    /// The last day of the data, in its own calendar.
    const LAST_DAY: Date = jiff::civil::date(2011, 12, 9);

    /// Shifts the last day to the day before `today`, or keeps all dates.
    pub(super) fn new(zone: &str, now: Timestamp, keep_dates: bool) -> Result<Self, jiff::Error> {
        let zone = TimeZone::get(zone)?;
        let days = if keep_dates {
            0.days()
        } else {
            let now = jiff::Timestamp::from_millisecond(now.as_millis())?;
            let yesterday = now.to_zoned(zone.clone()).date().yesterday()?;
            yesterday.since((jiff::Unit::Day, Self::LAST_DAY))?
        };
        let first_after = Self::LAST_DAY.checked_add(days)?.tomorrow()?;
        let ends = first_after.at(0, 0, 0, 0).to_zoned(zone.clone())?.timestamp().into();
        Ok(Self { zone, days, ends })
    }

    /// Returns the end of the history: the start of the day after the last one.
    pub(super) fn ends(&self) -> Timestamp {
        self.ends
    }

    /// Returns midnight of a time's day, in the store's time zone; midnight belongs to the day that it starts.
    pub(super) fn day_of(&self, at: Timestamp) -> Result<Timestamp, jiff::Error> {
        let at = jiff::Timestamp::from_millisecond(at.as_millis())?.to_zoned(self.zone.clone());
        Ok(at.start_of_day()?.timestamp().into())
    }

    /// Converts a time of the data to a time of the store.
    pub(super) fn moved(&self, at: Timestamp) -> Result<Timestamp, jiff::Error> {
        let at = jiff::Timestamp::from_millisecond(at.as_millis())?.to_zoned(TimeZone::UTC);
        let (date, time): (Date, Time) = (at.date(), at.time());
        let moved = date.checked_add(self.days)?.to_datetime(time).to_zoned(self.zone.clone())?;
        Ok(moved.timestamp().into())
    }
}

#[cfg(test)]
mod tests {
    use super::Calendar;
    use crate::clock::Timestamp;

    fn at(text: &str) -> Timestamp {
        text.parse().unwrap()
    }

    #[test]
    fn the_last_day_becomes_yesterday_in_the_stores_time_zone() {
        let now = at("2026-11-21T23:30:00Z");
        for (zone, expected, ends) in [
            ("UTC", "2026-11-20T12:50:00.000Z", "2026-11-21T00:00:00.000Z"),
            ("Europe/Berlin", "2026-11-21T11:50:00.000Z", "2026-11-21T23:00:00.000Z"),
        ] {
            let calendar = Calendar::new(zone, now, false).unwrap();
            let moved = calendar.moved(at("2011-12-09T12:50:00Z")).unwrap();
            assert_eq!((moved, calendar.ends()), (at(expected), at(ends)), "{zone}");
        }
    }

    #[test]
    fn kept_dates_are_those_of_the_data() {
        let calendar = Calendar::new("UTC", at("2026-11-21T10:00:00Z"), true).unwrap();
        let first = at("2010-12-01T08:26:00Z");
        assert_eq!(calendar.moved(first).unwrap(), first);
        assert_eq!(calendar.ends(), at("2011-12-10T00:00:00Z"));
    }
}
