//! Retail years: 52 or 53 whole weeks, with quarters of four, five and four weeks.

use jiff::civil::Weekday;

use super::CalendarError;
use super::days::{date_of_number, first_of_month};

/// A calendar of whole weeks with months of four, five and four weeks. Some years have a week 53,
/// which belongs to the last month.
///
/// A year begins on the given weekday nearest to the first day of the given month, and has the
/// number of that day's calendar year. Months have the names of the calendar months they stand for:
/// the first month of a year that starts in February is February.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Retail454 {
    start_month: i8,
    start_weekday: Weekday,
}

impl Retail454 {
    /// The calendar of the National Retail Federation: years end on the Saturday nearest to
    /// January 31.
    pub const NRF: Self = Self { start_month: 2, start_weekday: Weekday::Sunday };

    /// Creates the calendar whose years begin on the weekday nearest to the first of a month, 1 to
    /// 12.
    pub fn new(start_month: i8, start_weekday: Weekday) -> Result<Self, CalendarError> {
        if !(1..=12).contains(&start_month) {
            return Err(CalendarError::NoSuchMonth { month: start_month });
        }
        Ok(Self { start_month, start_weekday })
    }

    /// Returns the month near whose first day the year begins, 1 to 12.
    pub fn start_month(self) -> i8 {
        self.start_month
    }

    /// Returns the first weekday of years, months and weeks.
    pub fn start_weekday(self) -> Weekday {
        self.start_weekday
    }

    /// Returns the number of the first day of a year.
    pub(super) fn first_day_of_year(self, year: i64) -> Option<i64> {
        let first = first_of_month(year, i64::from(self.start_month))?;
        let forward = self.start_weekday.since(weekday_of(first));
        let nearest = if forward > 3 { forward.checked_sub(7)? } else { forward };
        first.checked_add(i64::from(nearest))
    }

    /// Returns the number of the first day of a month, 0 to 11, of a year.
    pub(super) fn first_day_of_month(self, year: i64, month: i64) -> Option<i64> {
        let weeks_before_quarter = month.div_euclid(3).checked_mul(13)?;
        let weeks_before_month = match month.rem_euclid(3) {
            0 => 0,
            1 => 4,
            _ => 9,
        };
        let weeks = weeks_before_quarter.checked_add(weeks_before_month)?;
        self.first_day_of_year(year)?.checked_add(weeks.checked_mul(7)?)
    }

    /// Returns the year and the month, 0 to 11, that contain a day.
    pub(super) fn year_and_month(self, day: i64) -> Option<(i64, i64)> {
        let near = i64::from(date_of_number(day)?.year());
        let mut year = near.checked_add(1)?;
        while day < self.first_day_of_year(year)? {
            year = year.checked_sub(1)?;
        }
        let week = day.checked_sub(self.first_day_of_year(year)?)?.div_euclid(7);
        let quarter = week.div_euclid(13).min(3);
        let month_of_quarter = match week.checked_sub(quarter.checked_mul(13)?)? {
            ..4 => 0,
            4..9 => 1,
            9.. => 2,
        };
        Some((year, quarter.checked_mul(3)?.checked_add(month_of_quarter)?))
    }
}

/// Returns the weekday of a day number.
fn weekday_of(day: i64) -> Weekday {
    // Day 0, 1970-01-01, was a Thursday.
    Weekday::Thursday.wrapping_add(day.rem_euclid(7))
}
