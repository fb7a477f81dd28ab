//! Display of days, instants and periods.

use jiff::civil::{Date, DateTime, Time};
use jiff::tz::TimeZone;
use jiff::{Timestamp, ToSpan};

use crate::calendar::Period;

pub(super) fn wall_clock(at: Timestamp, zone: &TimeZone) -> DateTime {
    zone.to_datetime(at)
}

/// Formats `2026-01-31`.
pub(super) fn date(day: Date) -> String {
    day.to_string()
}

/// Formats `2026-01-31 14:05:00` in the zone; fractions of a second are dropped.
pub(super) fn datetime(at: Timestamp, zone: &TimeZone) -> String {
    civil(wall_clock(at, zone))
}

fn civil(clock: DateTime) -> String {
    format!("{} {:02}:{:02}:{:02}", clock.date(), clock.hour(), clock.minute(), clock.second())
}

/// Formats `2026-01-01 … 2026-01-31`, both days included; a single day as one date; with clock
/// times if an end is not at midnight.
pub(super) fn period(period: Period, zone: &TimeZone) -> String {
    let Period { start, end, as_of: _ } = period;
    let (first, after) = (wall_clock(start, zone), wall_clock(end, zone));
    let is_open_start = start == Timestamp::MIN;
    let is_open_end = end == Timestamp::MAX;
    let has_whole_days = (is_open_start || first.time() == Time::midnight())
        && (is_open_end || after.time() == Time::midnight());
    let (first, last) = if has_whole_days {
        let last = after.date().checked_sub(1.day()).unwrap_or(after.date());
        // An empty period has no last day, so only its start is shown.
        (date(first.date()), date(last.max(first.date())))
    } else {
        (civil(first), civil(after))
    };
    match (is_open_start, is_open_end) {
        (true, true) => "all time".to_owned(),
        (true, false) => format!("… {last}"),
        (false, true) => format!("{first} …"),
        (false, false) if first == last => first,
        (false, false) => format!("{first} … {last}"),
    }
}
