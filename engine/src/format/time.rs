//! Display of days, instants and periods.

use jiff::civil::{DateTime, Time};
use jiff::tz::TimeZone;
use jiff::{Timestamp, ToSpan};

use crate::calendar::Period;

/// Formats `2026-01-31 14:05:00` in the zone; fractions of a second are dropped.
pub(super) fn datetime(at: Timestamp, zone: &TimeZone) -> String {
    civil(zone.to_datetime(at))
}

fn civil(clock: DateTime) -> String {
    format!("{} {:02}:{:02}:{:02}", clock.date(), clock.hour(), clock.minute(), clock.second())
}

/// Formats `2026-01-01 … 2026-01-31`, both days included; a single day as one date; with clock
/// times if an end is not at midnight.
pub(super) fn period(period: Period, zone: &TimeZone) -> String {
    let Period { start, end, as_of: _ } = period;
    let (first, after) = (zone.to_datetime(start), zone.to_datetime(end));
    let is_open_start = start == Timestamp::MIN;
    let is_open_end = end == Timestamp::MAX;
    let has_whole_days = (is_open_start || first.time() == Time::midnight())
        && (is_open_end || after.time() == Time::midnight());
    let (first, last) = if has_whole_days {
        let last = after.date().checked_sub(1.day()).unwrap_or(after.date());
        // An empty period has no last day, so only its start is shown.
        (first.date().to_string(), last.max(first.date()).to_string())
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
