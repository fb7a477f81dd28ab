//! Days and instants moved by a calendar step.

use jiff::Timestamp;
use jiff::civil::Date;

use super::days::{date_of_number, day_number};
use super::zone::{NANOSECONDS_PER_SECOND, later};
use super::{Calendar, TimeSpan, TimeUnit};

const SECONDS_PER_DAY: i64 = 86_400;

#[derive(Debug, Clone, Copy)]
pub(super) struct MovedDay {
    /// The number of the day.
    pub(super) day: i64,
    /// Whether the day does not exist in the target month or year, so that this is its last day.
    pub(super) is_replaced: bool,
}

impl Calendar {
    /// Returns the instant a step away; `None` outside the range of instants and for
    /// [`TimeUnit::Period`], whose length only a window knows.
    ///
    /// Days and longer units keep the clock time, and the start of a day stays the start of a day;
    /// a missing day becomes the last of its month. Hours and shorter units are exact time.
    pub fn add(&self, at: Timestamp, span: TimeSpan) -> Option<Timestamp> {
        match span.unit {
            TimeUnit::Second | TimeUnit::Minute | TimeUnit::Hour => {
                later(at, i128::from(span.seconds()?).checked_mul(NANOSECONDS_PER_SECOND)?)
            }
            TimeUnit::Day
            | TimeUnit::Week
            | TimeUnit::Month
            | TimeUnit::Quarter
            | TimeUnit::Year => self.add_days(at, span),
            TimeUnit::Period => None,
        }
    }

    fn add_days(&self, at: Timestamp, span: TimeSpan) -> Option<Timestamp> {
        // Otherwise the second of two equal clock times would become the first.
        if span.count == 0 {
            return Some(at);
        }
        if self.is_start_of_day(at) {
            return self.start_of_day(self.add_date(self.date_of(at), span)?);
        }
        let wall = self.wall_clock(at);
        self.instant_of(self.add_date(wall.date(), span)?.to_datetime(wall.time()))
    }

    /// Returns the day a step away; `None` outside the years −9999 to 9999, for
    /// [`TimeUnit::Period`], and for hours and shorter units unless they add up to whole days of 24
    /// hours.
    pub fn add_date(&self, date: Date, span: TimeSpan) -> Option<Date> {
        date_of_number(self.moved_day(date, span)?.day)
    }

    /// Adds nanoseconds of exact time; `None` outside the range of instants.
    pub fn add_nanoseconds(at: Timestamp, nanoseconds: i128) -> Option<Timestamp> {
        later(at, nanoseconds)
    }

    pub(super) fn moved_day(&self, date: Date, span: TimeSpan) -> Option<MovedDay> {
        let day = day_number(date);
        match span.unit {
            TimeUnit::Second
            | TimeUnit::Minute
            | TimeUnit::Hour
            | TimeUnit::Day
            | TimeUnit::Week => {
                let seconds = span.seconds()?;
                if seconds.rem_euclid(SECONDS_PER_DAY) != 0 {
                    return None;
                }
                let day = day.checked_add(seconds.div_euclid(SECONDS_PER_DAY))?;
                Some(MovedDay { day, is_replaced: false })
            }
            TimeUnit::Month | TimeUnit::Quarter | TimeUnit::Year => match self.retail() {
                None => self.moved_in_unit(day, TimeSpan::new(months(span)?, TimeUnit::Month)),
                Some(_) => self.moved_in_unit(day, span),
            },
            TimeUnit::Period => None,
        }
    }

    /// Returns the day at the same offset in a later unit.
    fn moved_in_unit(&self, day: i64, span: TimeSpan) -> Option<MovedDay> {
        let number = self.unit_number(day, span.unit)?;
        let days_in = day.checked_sub(self.first_day(span.unit, number)?)?;
        let target = number.checked_add(span.count)?;
        let first = self.first_day(span.unit, target)?;
        let length = self.first_day(span.unit, target.checked_add(1)?)?.checked_sub(first)?;
        if days_in < length {
            return Some(MovedDay { day: first.checked_add(days_in)?, is_replaced: false });
        }
        let last = match self.retail() {
            None => length.checked_sub(1)?,
            // A missing week becomes the last one, on the same weekday.
            Some(_) => length.checked_sub(7)?.checked_add(days_in.rem_euclid(7))?,
        };
        Some(MovedDay { day: first.checked_add(last)?, is_replaced: true })
    }
}

/// Returns a step of months or longer in months.
pub(super) fn months(span: TimeSpan) -> Option<i64> {
    match span.unit {
        TimeUnit::Month => Some(span.count),
        TimeUnit::Quarter => span.count.checked_mul(3),
        TimeUnit::Year => span.count.checked_mul(12),
        TimeUnit::Second
        | TimeUnit::Minute
        | TimeUnit::Hour
        | TimeUnit::Day
        | TimeUnit::Week
        | TimeUnit::Period => None,
    }
}
