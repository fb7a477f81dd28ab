//! Numbering of the calendar's units: every day lies in one numbered day, week, month, quarter and
//! year, so that steps and lengths are differences.

use jiff::civil::Weekday;

use super::days::{date_of_number, first_of_month};
use super::{Calendar, TimeUnit};

const MONTHS_PER_QUARTER: i64 = 3;
const MONTHS_PER_YEAR: i64 = 12;

impl Calendar {
    /// Returns the number of the unit that contains a day; `None` for units that do not consist of
    /// days.
    pub(super) fn unit_number(&self, day: i64, unit: TimeUnit) -> Option<i64> {
        match unit {
            TimeUnit::Day => Some(day),
            TimeUnit::Week => Some(day.checked_sub(self.first_week_day())?.div_euclid(7)),
            TimeUnit::Month => self.month_number(day),
            TimeUnit::Quarter => self.months_number(day, MONTHS_PER_QUARTER),
            TimeUnit::Year => self.months_number(day, MONTHS_PER_YEAR),
            TimeUnit::Second | TimeUnit::Minute | TimeUnit::Hour | TimeUnit::Period => None,
        }
    }

    /// Returns the number of the first day of a unit.
    pub(super) fn first_day(&self, unit: TimeUnit, number: i64) -> Option<i64> {
        match unit {
            TimeUnit::Day => Some(number),
            TimeUnit::Week => number.checked_mul(7)?.checked_add(self.first_week_day()),
            TimeUnit::Month => self.first_day_of_month(number),
            TimeUnit::Quarter => self.first_day_of_months(number, MONTHS_PER_QUARTER),
            TimeUnit::Year => self.first_day_of_months(number, MONTHS_PER_YEAR),
            TimeUnit::Second | TimeUnit::Minute | TimeUnit::Hour | TimeUnit::Period => None,
        }
    }

    /// Returns the number of the first day since 1970-01-01 that begins a week.
    fn first_week_day(&self) -> i64 {
        i64::from(self.week_start().since(Weekday::Thursday))
    }

    /// Months are numbered year × 12 + month, with January as 0, also in retail calendars, whose
    /// months stand for calendar months.
    fn month_number(&self, day: i64) -> Option<i64> {
        let Some(retail) = self.retail() else {
            let date = date_of_number(day)?;
            return month_number(i64::from(date.year()), i64::from(date.month()));
        };
        let (year, month) = retail.year_and_month(day)?;
        month_number(year, i64::from(retail.start_month()).checked_add(month)?)
    }

    fn first_day_of_month(&self, number: i64) -> Option<i64> {
        let Some(retail) = self.retail() else {
            let month = number.rem_euclid(MONTHS_PER_YEAR).checked_add(1)?;
            return first_of_month(number.div_euclid(MONTHS_PER_YEAR), month);
        };
        let since_start = number.checked_sub(self.months_before_year())?;
        let year = since_start.div_euclid(MONTHS_PER_YEAR);
        retail.first_day_of_month(year, since_start.rem_euclid(MONTHS_PER_YEAR))
    }

    /// Returns the number of the quarter or year that contains a day; the number of a year is its
    /// name.
    fn months_number(&self, day: i64, months: i64) -> Option<i64> {
        let since_start = self.month_number(day)?.checked_sub(self.months_before_year())?;
        Some(since_start.div_euclid(months))
    }

    fn first_day_of_months(&self, number: i64, months: i64) -> Option<i64> {
        let since_start = number.checked_mul(months)?;
        self.first_day_of_month(since_start.checked_add(self.months_before_year())?)
    }

    /// Returns the number of months of the calendar year before the fiscal year begins.
    fn months_before_year(&self) -> i64 {
        i64::from(self.fiscal_start()).saturating_sub(1)
    }
}

/// Returns the number of a month, 1 to 12; a month above 12 belongs to the next year.
pub(super) fn month_number(year: i64, month: i64) -> Option<i64> {
    year.checked_mul(MONTHS_PER_YEAR)?.checked_add(month.checked_sub(1)?)
}
