//! The preceding period.

use jiff::Timestamp;

use super::super::{Calendar, Period, TimeUnit};
use super::{check, period, zone};

#[test]
fn a_period_consists_of_the_largest_units_that_fit() {
    let utc = Calendar::default();
    let fiscal = Calendar::default().with_fiscal_start(2).unwrap();
    for (calendar, range, expected) in [
        (&utc, "2026-01-01..2027-01-01", Some((TimeUnit::Year, 1))),
        (&utc, "2024-01-01..2027-01-01", Some((TimeUnit::Year, 3))),
        (&utc, "2026-01-01..2026-04-01", Some((TimeUnit::Quarter, 1))),
        (&utc, "2026-02-01..2026-05-01", Some((TimeUnit::Month, 3))),
        (&fiscal, "2026-02-01..2026-05-01", Some((TimeUnit::Quarter, 1))),
        (&fiscal, "2026-01-01..2027-01-01", Some((TimeUnit::Month, 12))),
        (&utc, "2027-02-01..2027-03-01", Some((TimeUnit::Month, 1))),
        (&utc, "2026-03-23..2026-04-06", Some((TimeUnit::Week, 2))),
        (&utc, "2026-03-24..2026-03-31", Some((TimeUnit::Day, 7))),
        (&utc, "2026-03-24T01:00..2026-03-31", None),
        (&utc, "2026-03-24..2026-03-24", None),
    ] {
        assert_eq!(calendar.is_whole(period(calendar, range)), expected, "{range}");
    }
}

#[test]
fn whole_units_are_preceded_by_as_many() {
    let berlin = zone("Europe/Berlin");
    check(
        &berlin,
        |period| berlin.previous(period, 1, true),
        &[
            ("2026-01-01..2027-01-01", "2025-01-01..2026-01-01"),
            ("2026-01-01..2026-04-01", "2025-10-01..2026-01-01"),
            ("2026-03-01..2026-05-01", "2026-01-01..2026-03-01"),
            ("2026-03-01..2026-04-01", "2026-02-01..2026-03-01"),
            ("2026-03-30..2026-04-06", "2026-03-23..2026-03-30"),
            ("2026-03-24..2026-04-03", "2026-03-14..2026-03-24"),
            ("2026-03-29..2026-03-30", "2026-03-28..2026-03-29"),
        ],
    );
    check(
        &berlin,
        |period| berlin.previous(period, 12, true),
        &[("2026-03-01..2026-04-01", "2025-03-01..2025-04-01")],
    );
    check(
        &berlin,
        |period| berlin.previous(period, -1, true),
        &[("2026-03-01..2026-04-01", "2026-04-01..2026-05-01")],
    );
}

#[test]
fn other_periods_are_preceded_by_as_many_days_or_as_much_time() {
    let berlin = zone("Europe/Berlin");
    check(
        &berlin,
        |period| berlin.previous(period, 1, true),
        &[
            ("2026-03-29T12:00..2026-03-31T12:00", "2026-03-27T12:00..2026-03-29T12:00"),
            ("2026-03-15T09:00..2026-03-15T17:00", "2026-03-15T01:00..2026-03-15T09:00"),
            ("2026-03-15T09:00..2026-03-16T10:00", "2026-03-14T08:00..2026-03-15T09:00"),
        ],
    );
}

#[test]
fn the_earlier_period_is_clipped_to_the_same_elapsed_part() {
    let utc = Calendar::default();
    check(
        &utc,
        |period| utc.previous(period, 1, true),
        &[
            (
                "2026-03-01..2026-04-01 as of 2026-03-15T10:00",
                "2026-02-01..2026-03-01 as of 2026-02-15T10:00",
            ),
            ("2026-03-01..2026-04-01 as of 2026-03-30T10:00", "2026-02-01..2026-03-01"),
            (
                "2026-02-01..2026-03-01 as of 2026-02-28T10:00",
                "2026-01-01..2026-02-01 as of 2026-01-28T10:00",
            ),
            ("2024-01-01..2025-01-01 as of 2024-03-15", "2023-01-01..2024-01-01 as of 2023-03-15"),
            (
                "2024-01-01..2025-01-01 as of 2024-02-29T12:00",
                "2023-01-01..2024-01-01 as of 2023-03-01",
            ),
            (
                "2026-04-01..2026-07-01 as of 2026-05-31T12:00",
                "2026-01-01..2026-04-01 as of 2026-03-01",
            ),
            (
                "2026-03-23..2026-03-30 as of 2026-03-25T08:00",
                "2026-03-16..2026-03-23 as of 2026-03-18T08:00",
            ),
            (
                "2026-03-15T09:00..2026-03-15T17:00 as of 2026-03-15T10:30",
                "2026-03-15T01:00..2026-03-15T09:00 as of 2026-03-15T02:30",
            ),
        ],
    );
    check(
        &utc,
        |period| utc.previous(period, 1, false),
        &[("2026-03-01..2026-04-01 as of 2026-03-15T10:00", "2026-02-01..2026-03-01")],
    );
}

#[test]
fn a_period_without_length_has_none_before() {
    let utc = Calendar::default();
    let lifetime = Calendar::lifetime(period(&utc, "2026-03-01..2026-04-01"));

    assert_eq!(utc.previous(Period::ALWAYS, 1, true), None);
    assert_eq!(utc.previous(lifetime, 1, true), None);
    let month = period(&utc, "2026-03-01..2026-04-01");
    for count in [i64::MIN, i64::MAX, 1_000_000] {
        assert_eq!(utc.previous(month, count, true), None);
    }
    let empty = Period::new(Timestamp::UNIX_EPOCH, Timestamp::UNIX_EPOCH);
    assert_eq!(utc.previous(empty, 1, true), Some(empty));
}
