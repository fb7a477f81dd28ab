//! Lengths of periods: exact time, and calendar days.

use jiff::Timestamp;
use jiff::civil::Date;

use super::days::day_number;
use super::zone::later;
use super::{Calendar, Period};

impl Period {
    /// Returns the elapsed time in nanoseconds, zero before the period begins; `None` if the period
    /// is unbounded.
    pub fn elapsed_nanoseconds(self) -> Option<i128> {
        nanoseconds_between(self.start, self.as_of.max(self.start))
    }

    /// Returns the full length in nanoseconds; `None` if the period is unbounded.
    pub fn full_nanoseconds(self) -> Option<i128> {
        nanoseconds_between(self.start, self.end)
    }
}

impl Calendar {
    /// Returns the number of days that the full period touches; `None` if it is unbounded.
    pub fn days_in(&self, period: Period) -> Option<i64> {
        self.days_touched(period.start, period.end)
    }

    /// Returns the number of days touched so far; `None` if the period is unbounded.
    pub fn elapsed_days_in(&self, period: Period) -> Option<i64> {
        self.days_touched(period.start, period.as_of)
    }

    fn days_touched(&self, start: Timestamp, end: Timestamp) -> Option<i64> {
        nanoseconds_between(start, end)?;
        if end <= start {
            return Some(0);
        }
        let last = self.date_of(later(end, -1)?);
        Self::days_between(self.date_of(start), last).checked_add(1)
    }

    /// Returns the number of days from `a` to `b`; negative if `b` is earlier.
    pub fn days_between(a: Date, b: Date) -> i64 {
        // Limit: two days of the calendar are at most 7.4 million apart.
        day_number(b).saturating_sub(day_number(a))
    }
}

fn nanoseconds_between(start: Timestamp, end: Timestamp) -> Option<i128> {
    if start == Timestamp::MIN || end == Timestamp::MAX {
        return None;
    }
    end.as_nanosecond().checked_sub(start.as_nanosecond())
}
