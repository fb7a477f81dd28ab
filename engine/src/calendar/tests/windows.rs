//! Trailing, to-date, lifetime and running windows.

use jiff::Timestamp;

use super::super::{Calendar, TimeSpan, TimeUnit};
use super::{at, check, period, show, zone};

#[test]
fn trailing_ends_with_what_has_elapsed() {
    let berlin = zone("Europe/Berlin");
    check(
        &berlin,
        |period| berlin.trailing(period, TimeSpan::new(30, TimeUnit::Day), true),
        &[
            ("2026-03-01..2026-04-01", "2026-03-02..2026-04-01"),
            ("2026-03-01..2026-04-01 as of 2026-03-15T10:00", "2026-02-13T10:00..2026-03-15T10:00"),
        ],
    );
    check(
        &berlin,
        |period| berlin.trailing(period, TimeSpan::new(7, TimeUnit::Day), false),
        &[("2026-03-31..2026-04-01 as of 2026-03-31T10:00", "2026-03-24..2026-03-31")],
    );
    check(
        &berlin,
        |period| berlin.trailing(period, TimeSpan::new(48, TimeUnit::Hour), true),
        &[("2026-03-30..2026-03-31", "2026-03-28T23:00..2026-03-31")],
    );
}

#[test]
fn trailing_periods_are_as_long_as_the_period() {
    let utc = Calendar::default();
    check(
        &utc,
        |period| utc.trailing(period, TimeSpan::new(2, TimeUnit::Period), true),
        &[
            ("2026-03-01..2026-04-01", "2026-02-01..2026-04-01"),
            ("2026-03-24..2026-03-31", "2026-03-17..2026-03-31"),
            ("2026-03-15T09:00..2026-03-15T17:00", "2026-03-15T01:00..2026-03-15T17:00"),
        ],
    );
}

#[test]
fn a_window_to_date_begins_with_the_unit_of_the_last_elapsed_instant() {
    let utc = Calendar::default();
    check(
        &utc,
        |period| utc.to_date(period, TimeUnit::Month),
        &[
            // The first instant of April is not part of the elapsed time.
            ("2026-03-01..2026-04-01", "2026-03-01..2026-04-01"),
            ("2026-01-01..2027-01-01 as of 2026-03-15T10:00", "2026-03-01..2026-03-15T10:00"),
            ("2026-03-09..2026-03-16", "2026-03-01..2026-03-16"),
            ("2026-03-01..2026-04-01 as of 2026-03-01", "2026-03-01..2026-03-01"),
        ],
    );
    let fiscal = Calendar::default().with_fiscal_start(2).unwrap();
    check(
        &fiscal,
        |period| fiscal.to_date(period, TimeUnit::Year),
        &[("2026-01-12..2026-01-13", "2025-02-01..2026-01-13")],
    );
    check(
        &utc,
        |period| utc.to_date(period, TimeUnit::Period),
        &[("2026-03-09..2026-03-16 as of 2026-03-10", "2026-03-09..2026-03-10")],
    );
}

#[test]
fn a_lifetime_has_no_beginning_and_ends_with_what_has_elapsed() {
    let utc = Calendar::default();
    let lifetime =
        Calendar::lifetime(period(&utc, "2026-03-01..2026-04-01 as of 2026-03-15T10:00"));

    assert_eq!(lifetime.start, Timestamp::MIN);
    assert_eq!(show(&utc, lifetime), "always..2026-03-15T10:00");
    assert_eq!(lifetime.elapsed_nanoseconds(), None);
}

#[test]
fn running_begins_with_the_request() {
    let utc = Calendar::default();
    let start = at(&utc, "2026-01-01");
    check(
        &utc,
        |bucket| Some(Calendar::running(start, bucket)),
        &[
            ("2026-03-01..2026-04-01", "2026-01-01..2026-04-01"),
            (
                "2026-03-01..2026-04-01 as of 2026-03-15T10:00",
                "2026-01-01..2026-04-01 as of 2026-03-15T10:00",
            ),
        ],
    );
}

#[test]
fn windows_compose() {
    let utc = Calendar::default();
    let week = TimeSpan::new(7, TimeUnit::Day);
    check(
        &utc,
        |period| utc.trailing(utc.previous(period, 1, true)?, week, true),
        &[
            ("2026-03-01..2026-04-01", "2026-02-22..2026-03-01"),
            ("2026-03-01..2026-04-01 as of 2026-03-15T10:00", "2026-02-08T10:00..2026-02-15T10:00"),
        ],
    );
    check(
        &utc,
        |period| utc.to_date(utc.last(period, TimeUnit::Year)?, TimeUnit::Month),
        &[("2026-03-01..2026-04-01 as of 2026-03-15T10:00", "2025-03-01..2025-03-15T10:00")],
    );
}

#[test]
fn a_window_out_of_time_has_no_answer() {
    let utc = Calendar::default();
    let march = period(&utc, "2026-03-01..2026-04-01");
    for count in [i64::MIN, i64::MAX, 4_000_000] {
        assert_eq!(utc.trailing(march, TimeSpan::new(count, TimeUnit::Year), true), None);
        assert_eq!(utc.shift(march, TimeSpan::new(count, TimeUnit::Quarter)), None);
    }
}
