//! Periods shifted by a span.

use jiff::Timestamp;

use super::super::{Calendar, Period, TimeSpan, TimeUnit};
use super::{check, period, zone};

#[test]
fn a_month_back_keeps_whole_months_whole() {
    let berlin = zone("Europe/Berlin");
    check(
        &berlin,
        |period| berlin.last(period, TimeUnit::Month),
        &[
            ("2026-03-01..2026-04-01", "2026-02-01..2026-03-01"),
            ("2026-02-01..2026-03-01", "2026-01-01..2026-02-01"),
            ("2026-01-01..2026-04-01", "2025-12-01..2026-03-01"),
            ("2026-03-15..2026-04-01", "2026-02-15..2026-03-01"),
        ],
    );
}

#[test]
fn a_day_that_does_not_exist_becomes_the_last_day() {
    let utc = Calendar::default();
    check(
        &utc,
        |period| utc.last(period, TimeUnit::Month),
        &[
            ("2026-03-31..2026-04-01", "2026-02-28..2026-03-01"),
            ("2026-03-30..2026-03-31", "2026-02-28..2026-03-01"),
            ("2026-03-01..2026-03-31", "2026-02-01..2026-03-01"),
            ("2026-03-01..2026-03-15", "2026-02-01..2026-02-15"),
            ("2026-03-31T09:00..2026-03-31T10:00", "2026-02-28T09:00..2026-02-28T10:00"),
            ("2026-03-28T10:00..2026-03-31T10:00", "2026-02-28T10:00..2026-03-01"),
        ],
    );
    check(
        &utc,
        |period| utc.last(period, TimeUnit::Year),
        &[
            ("2024-02-29..2024-03-01", "2023-02-28..2023-03-01"),
            ("2024-02-01..2024-03-01", "2023-02-01..2023-03-01"),
            ("2025-02-01..2025-03-01", "2024-02-01..2024-03-01"),
            ("2024-01-01..2025-01-01", "2023-01-01..2024-01-01"),
        ],
    );
}

#[test]
fn the_elapsed_part_moves_with_its_period_and_only_once() {
    let utc = Calendar::default();
    check(
        &utc,
        |period| utc.last(period, TimeUnit::Month),
        &[
            (
                "2026-03-01..2026-04-01 as of 2026-03-15T10:00",
                "2026-02-01..2026-03-01 as of 2026-02-15T10:00",
            ),
            (
                "2026-03-01..2026-04-01 as of 2026-03-28T10:00",
                "2026-02-01..2026-03-01 as of 2026-02-28T10:00",
            ),
            ("2026-03-01..2026-04-01 as of 2026-03-29", "2026-02-01..2026-03-01"),
            ("2026-03-01..2026-04-01 as of 2026-03-29T10:00", "2026-02-01..2026-03-01"),
            ("2026-03-01..2026-04-01 as of 2026-03-01", "2026-02-01..2026-03-01 as of 2026-02-01"),
        ],
    );
}

#[test]
fn weeks_keep_weekdays_and_hours_are_exact() {
    let berlin = zone("Europe/Berlin");
    check(
        &berlin,
        |period| berlin.shift(period, TimeSpan::new(-52, TimeUnit::Week)),
        &[("2026-03-23..2026-03-30", "2025-03-24..2025-03-31")],
    );
    check(
        &berlin,
        |period| berlin.last(period, TimeUnit::Week),
        &[("2026-03-30..2026-04-06", "2026-03-23..2026-03-30")],
    );
    check(
        &berlin,
        |period| berlin.shift(period, TimeSpan::new(-24, TimeUnit::Hour)),
        &[("2026-03-29T12:00..2026-03-29T13:00", "2026-03-28T11:00..2026-03-28T12:00")],
    );
}

#[test]
fn a_side_without_bound_stays_so() {
    let utc = Calendar::default();
    let month = TimeSpan::new(-1, TimeUnit::Month);

    assert_eq!(utc.shift(Period::ALWAYS, month), Some(Period::ALWAYS));
    let until = Period { end: period(&utc, "2026-03-01..2026-04-01").end, ..Period::ALWAYS };
    let until = Period::new(until.start, until.end);
    let moved = utc.shift(until, month).unwrap();
    assert_eq!(moved.start, Timestamp::MIN);
    assert_eq!(moved.end, period(&utc, "2026-03-01..2026-04-01").start);
    assert_eq!(utc.shift(Period::ALWAYS, TimeSpan::new(-1, TimeUnit::Period)), None);
}
