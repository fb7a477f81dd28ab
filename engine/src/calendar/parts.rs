//! The parts of a date and time: year, quarter, weekday, hour.

use jiff::Timestamp;
use jiff::civil::Date;

use super::days::day_number;
use super::{Calendar, TimeUnit};

/// A part of a date or an instant, as a number.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum DatePart {
    /// The calendar year.
    Year,
    /// The fiscal year, named by the calendar year in which it starts.
    FiscalYear,
    /// The quarter of the fiscal year, 1 to 4.
    Quarter,
    /// The calendar month, 1 to 12.
    Month,
    /// The ISO 8601 week, 1 to 53.
    Week,
    /// The day of the month, 1 to 31.
    Day,
    /// The day of the week, 1 = Monday to 7 = Sunday.
    Weekday,
    /// The hour on the clock, 0 to 23.
    Hour,
    /// The minute on the clock, 0 to 59.
    Minute,
    /// The second on the clock, 0 to 59.
    Second,
}

impl Calendar {
    /// Returns a part of an instant, in the calendar's zone.
    pub fn part(&self, at: Timestamp, part: DatePart) -> i64 {
        match part {
            DatePart::Hour => i64::from(self.wall_clock(at).hour()),
            DatePart::Minute => i64::from(self.wall_clock(at).minute()),
            DatePart::Second => i64::from(self.wall_clock(at).second()),
            DatePart::Year
            | DatePart::FiscalYear
            | DatePart::Quarter
            | DatePart::Month
            | DatePart::Week
            | DatePart::Day
            | DatePart::Weekday => self.date_part(self.date_of(at), part),
        }
    }

    /// Returns a part of a day; hour, minute and second are 0.
    pub fn date_part(&self, date: Date, part: DatePart) -> i64 {
        match part {
            DatePart::Year => i64::from(date.year()),
            DatePart::FiscalYear => {
                let year = self.unit_number(day_number(date), TimeUnit::Year);
                year.unwrap_or_else(|| i64::from(date.year()))
            }
            DatePart::Quarter => {
                let quarter = self.unit_number(day_number(date), TimeUnit::Quarter);
                quarter.unwrap_or_default().rem_euclid(4).saturating_add(1)
            }
            DatePart::Month => i64::from(date.month()),
            DatePart::Week => i64::from(date.iso_week_date().week()),
            DatePart::Day => i64::from(date.day()),
            DatePart::Weekday => i64::from(date.weekday().to_monday_one_offset()),
            DatePart::Hour | DatePart::Minute | DatePart::Second => 0,
        }
    }
}
