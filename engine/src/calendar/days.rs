//! Days as numbers, so that weeks and months need only integer arithmetic without range errors.

use jiff::civil::{Date, date};

const EPOCH: Date = date(1970, 1, 1);

/// The Gregorian calendar, weekdays included, repeats after this many days.
const DAYS_PER_400_YEARS: i64 = 146_097;

/// Returns the number of a day since 1970-01-01.
pub(crate) fn day_number(date: Date) -> i64 {
    date.duration_since(EPOCH).as_hours() / 24
}

/// Returns the day with this number; `None` outside the years −9999 to 9999.
pub(crate) fn date_of_number(number: i64) -> Option<Date> {
    EPOCH.checked_add(jiff::Span::new().try_days(number).ok()?).ok()
}

/// Returns the number of the first day of a month, 1 to 12, of any year.
pub(super) fn first_of_month(year: i64, month: i64) -> Option<i64> {
    let within_cycle = i16::try_from(year.rem_euclid(400)).ok()?;
    let first = Date::new(within_cycle, i8::try_from(month).ok()?, 1).ok()?;
    let cycles = year.div_euclid(400).checked_mul(DAYS_PER_400_YEARS)?;
    day_number(first).checked_add(cycles)
}
