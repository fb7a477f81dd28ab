//! Conversion of instants and days to the integers stored in columns.

use jiff::Timestamp;

use super::binding::{InstantUnit, Storage};
use crate::calendar::{Calendar, day_number};

const NANOSECONDS_PER_MICROSECOND: i128 = 1_000;

/// The kind of a column that places rows in time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Clock {
    Instant(InstantUnit),
    Day,
}

impl Clock {
    pub(super) const fn of(storage: Storage) -> Option<Self> {
        match storage {
            Storage::Instant(unit) => Some(Self::Instant(unit)),
            Storage::Day => Some(Self::Day),
            Storage::Scaled(_) | Storage::Text | Storage::Bool => None,
        }
    }

    /// Returns the first stored value not before an instant: a row is before the instant exactly if
    /// its value is less. A day counts from its beginning.
    pub(super) fn edge(self, at: Timestamp, calendar: &Calendar) -> i64 {
        match self {
            Self::Instant(unit) => {
                let step =
                    i128::from(unit.microseconds()).saturating_mul(NANOSECONDS_PER_MICROSECOND);
                let nanoseconds = at.as_nanosecond();
                let whole = nanoseconds.checked_div_euclid(step).unwrap_or(0);
                let rest = nanoseconds.checked_rem_euclid(step).unwrap_or(0);
                let edge = whole.saturating_add(i128::from(rest > 0));
                i64::try_from(edge).unwrap_or(i64::MAX)
            }
            Self::Day => {
                let day = calendar.date_of(at);
                let begins = calendar.start_of_day(day).is_some_and(|start| start >= at);
                day_number(day).saturating_add(i64::from(!begins))
            }
        }
    }

    /// Returns the microsecond that a stored value stands for.
    pub(super) fn microsecond(self, value: i64, calendar: &Calendar) -> Option<i64> {
        match self {
            Self::Instant(unit) => value.checked_mul(unit.microseconds()),
            Self::Day => calendar.start_of_numbered_day(value).map(Timestamp::as_microsecond),
        }
    }

    /// Returns the first stored value of the same day.
    pub(super) fn day_start(self, value: i64, calendar: &Calendar) -> Option<i64> {
        match self {
            Self::Instant(_) => {
                let at = Timestamp::from_microsecond(self.microsecond(value, calendar)?).ok()?;
                Some(self.edge(calendar.start_of_day(calendar.date_of(at))?, calendar))
            }
            Self::Day => Some(value),
        }
    }
}
