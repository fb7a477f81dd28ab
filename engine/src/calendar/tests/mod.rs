//! Tests of the calendar by topic; `laws` holds the laws for every zone and period.
//!
//! Periods are written in local time: `2026-03-01..2026-04-01 as of 2026-03-15T10:00`.

mod buckets;
#[expect(clippy::arithmetic_side_effects, reason = "numbers are drawn from ranges that fit")]
mod laws;
mod literals;
mod previous;
mod retail;
mod settings;
mod shifts;
mod steps;
mod windows;
mod zones;

use jiff::Timestamp;
use jiff::civil::{Date, DateTime};

use super::{Calendar, Period};

fn zone(name: &str) -> Calendar {
    Calendar::with_zone(name).unwrap()
}

/// The instant of a local date or date and time.
fn at(calendar: &Calendar, local: &str) -> Timestamp {
    match local.parse::<DateTime>() {
        Ok(wall) if local.contains('T') => calendar.instant_of(wall).unwrap(),
        _ => calendar.start_of_day(local.parse::<Date>().unwrap()).unwrap(),
    }
}

/// The period of a local range.
fn period(calendar: &Calendar, text: &str) -> Period {
    let (range, as_of) = text.split_once(" as of ").map_or((text, None), |(a, b)| (a, Some(b)));
    let (start, end) = range.split_once("..").unwrap();
    let period = Period::new(at(calendar, start), at(calendar, end));
    as_of.map_or(period, |as_of| period.seen_at(at(calendar, as_of)))
}

/// Prints a period in the notation of [`period`].
fn show(calendar: &Calendar, period: Period) -> String {
    let instant = |at: Timestamp| {
        let wall = calendar.wall_clock(at);
        if at == Timestamp::MIN {
            "always".to_owned()
        } else if calendar.is_start_of_day(at) {
            wall.date().to_string()
        } else {
            wall.strftime("%Y-%m-%dT%H:%M").to_string()
        }
    };
    let as_of = if period.is_partial() {
        format!(" as of {}", instant(period.as_of))
    } else {
        String::new()
    };
    format!("{}..{}{as_of}", instant(period.start), instant(period.end))
}

/// Checks a window: each row has a period and the expected result.
fn check(calendar: &Calendar, window: impl Fn(Period) -> Option<Period>, rows: &[(&str, &str)]) {
    for (before, after) in rows {
        let changed = window(period(calendar, before)).map(|changed| show(calendar, changed));
        assert_eq!(changed.as_deref(), Some(*after), "of {before}");
    }
}
