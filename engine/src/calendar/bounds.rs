//! Start and end of the unit that contains an instant, and the division of a period into units.

use jiff::Timestamp;

use super::days::day_number;
use super::zone::floor_second;
use super::{Calendar, CalendarError, Period, TimeUnit};

/// Limit: consecutive units that may be empty because a zone skipped their days. Zones that crossed
/// the date line skipped one day.
const MOST_EMPTY_UNITS: i64 = 3;

impl Calendar {
    /// Returns the first instant of the unit that contains `at`; `None` for [`TimeUnit::Period`]
    /// and if the unit begins before the range of instants.
    ///
    /// An hour that clocks repeat is two units, and one that they shorten begins at the change.
    pub fn start_of(&self, at: Timestamp, unit: TimeUnit) -> Option<Timestamp> {
        if let Some(seconds) = clock_seconds(unit) {
            return self.start_of_clock_unit(at, seconds);
        }
        let number = self.unit_number(day_number(self.date_of(at)), unit)?;
        self.start_of_numbered_day(self.first_day(unit, number)?)
    }

    /// Returns the end, exclusive, of the unit that contains `at`: the start of the next. `None`
    /// for [`TimeUnit::Period`] and if the unit ends after the range of instants.
    pub fn end_of(&self, at: Timestamp, unit: TimeUnit) -> Option<Timestamp> {
        if let Some(seconds) = clock_seconds(unit) {
            return self.end_of_clock_unit(at, seconds);
        }
        let number = self.unit_number(day_number(self.date_of(at)), unit)?;
        for units_on in 1..=MOST_EMPTY_UNITS {
            let next = self.first_day(unit, number.checked_add(units_on)?)?;
            let end = self.start_of_numbered_day(next)?;
            if end > at {
                return Some(end);
            }
        }
        None
    }

    /// Divides a period into consecutive units; the first and the last are clipped to it.
    ///
    /// Each bucket is known as far as the period is: a future bucket has the period's `as_of`, before
    /// its own start. [`TimeUnit::Period`] gives the period itself, an empty period no bucket.
    pub fn buckets(
        &self,
        period: Period,
        unit: TimeUnit,
        limit: usize,
    ) -> Result<Vec<Period>, CalendarError> {
        let mut buckets = Vec::new();
        let mut start = period.start;
        while start < period.end {
            if buckets.len() == limit {
                return Err(CalendarError::TooManyBuckets { unit, limit });
            }
            // A unit without an end outlasts the range of instants, and so the period.
            let end = self.end_of(start, unit).map_or(period.end, |end| end.min(period.end));
            buckets.push(Period::new(start, end).seen_at(period.as_of));
            start = end;
        }
        Ok(buckets)
    }

    fn start_of_clock_unit(&self, at: Timestamp, seconds: i64) -> Option<Timestamp> {
        let start = Timestamp::from_second(self.clock_floor(at, seconds)?).ok()?;
        if self.zone().to_offset(start) == self.zone().to_offset(at) {
            return Some(start);
        }
        self.first_change(start, at)
    }

    fn end_of_clock_unit(&self, at: Timestamp, seconds: i64) -> Option<Timestamp> {
        let end = self.clock_floor(at, seconds)?.checked_add(seconds)?;
        let end = Timestamp::from_second(end).ok()?;
        if self.zone().to_offset(end) == self.zone().to_offset(at) {
            return Some(end);
        }
        self.first_change(at, end)
    }

    /// Returns the second at which the clock last showed a multiple of `seconds`, as if its offset
    /// had never changed.
    fn clock_floor(&self, at: Timestamp, seconds: i64) -> Option<i64> {
        let offset = i64::from(self.zone().to_offset(at).seconds());
        let shown = floor_second(at).checked_add(offset)?;
        floor_second(at).checked_sub(shown.rem_euclid(seconds))
    }
}

/// Returns the length in seconds of a unit of clock time.
fn clock_seconds(unit: TimeUnit) -> Option<i64> {
    unit.seconds().filter(|_| unit < TimeUnit::Day)
}
