//! Periods divided into buckets, and the parts of dates.

use jiff::Timestamp;
use jiff::civil::{Weekday, date};

use super::super::{Calendar, CalendarError, DatePart, Period, TimeUnit};
use super::{at, period, show, zone};

fn shown(calendar: &Calendar, range: &str, unit: TimeUnit) -> Vec<String> {
    let buckets = calendar.buckets(period(calendar, range), unit, 100).unwrap();
    buckets.into_iter().map(|bucket| show(calendar, bucket)).collect()
}

#[test]
fn the_first_and_last_bucket_are_clipped_to_the_range() {
    let berlin = zone("Europe/Berlin");

    assert_eq!(
        shown(&berlin, "2026-01-15..2026-03-10T12:00", TimeUnit::Month),
        ["2026-01-15..2026-02-01", "2026-02-01..2026-03-01", "2026-03-01..2026-03-10T12:00"]
    );
    assert_eq!(
        shown(&berlin, "2026-03-20..2026-04-01", TimeUnit::Week),
        ["2026-03-20..2026-03-23", "2026-03-23..2026-03-30", "2026-03-30..2026-04-01"]
    );
}

#[test]
fn a_bucket_is_known_as_far_as_the_period() {
    let utc = Calendar::default();

    assert_eq!(
        shown(&utc, "2026-01-01..2026-04-01 as of 2026-02-10T06:00", TimeUnit::Month),
        [
            "2026-01-01..2026-02-01",
            "2026-02-01..2026-03-01 as of 2026-02-10T06:00",
            "2026-03-01..2026-04-01 as of 2026-02-10T06:00",
        ]
    );
}

#[test]
fn fiscal_years_and_quarters_begin_with_the_fiscal_month() {
    let fiscal = Calendar::default().with_fiscal_start(2).unwrap();

    assert_eq!(
        shown(&fiscal, "2026-01-01..2026-09-01", TimeUnit::Quarter),
        [
            "2026-01-01..2026-02-01",
            "2026-02-01..2026-05-01",
            "2026-05-01..2026-08-01",
            "2026-08-01..2026-09-01",
        ]
    );
    let january = at(&fiscal, "2026-01-31T23:59");
    assert_eq!(fiscal.start_of(january, TimeUnit::Year), Some(at(&fiscal, "2025-02-01")));
    assert_eq!(fiscal.end_of(january, TimeUnit::Year), Some(at(&fiscal, "2026-02-01")));
}

#[test]
fn weeks_begin_on_the_weekday_of_the_calendar() {
    for (weekday, start) in [
        (Weekday::Sunday, "2026-03-22"),
        (Weekday::Monday, "2026-03-23"),
        (Weekday::Thursday, "2026-03-26"),
        (Weekday::Friday, "2026-03-20"),
    ] {
        let calendar = Calendar::default().with_week_start(weekday);
        let thursday = at(&calendar, "2026-03-26T08:00");
        assert_eq!(calendar.start_of(thursday, TimeUnit::Week), Some(at(&calendar, start)));
    }
}

#[test]
fn a_day_of_autumn_has_25_hours() {
    let berlin = zone("Europe/Berlin");

    assert_eq!(shown(&berlin, "2026-10-25..2026-10-26", TimeUnit::Hour).len(), 25);
    assert_eq!(shown(&berlin, "2026-03-29..2026-03-30", TimeUnit::Hour).len(), 23);
}

#[test]
fn more_buckets_than_the_limit_are_refused() {
    let utc = Calendar::default();
    let year = period(&utc, "2026-01-01..2027-01-01");

    assert_eq!(utc.buckets(year, TimeUnit::Day, 365).map(|days| days.len()), Ok(365));
    let error = utc.buckets(year, TimeUnit::Day, 364).unwrap_err();
    assert_eq!(error, CalendarError::TooManyBuckets { unit: TimeUnit::Day, limit: 364 });
    assert_eq!(error.to_string(), "the period holds more than 364 days");
    assert!(utc.buckets(Period::ALWAYS, TimeUnit::Second, 1_000).is_err());
}

#[test]
fn the_period_is_one_bucket_of_itself_and_an_empty_one_has_none() {
    let utc = Calendar::default();
    let odd = period(&utc, "2026-01-01..2027-01-01 as of 2026-05-05");

    assert_eq!(utc.buckets(odd, TimeUnit::Period, 1), Ok(vec![odd]));
    let empty = Period::new(Timestamp::UNIX_EPOCH, Timestamp::UNIX_EPOCH);
    assert_eq!(utc.buckets(empty, TimeUnit::Day, 0), Ok(Vec::new()));
}

#[test]
fn parts_of_an_instant_are_those_of_the_zone() {
    let calendar = zone("Asia/Tokyo").with_fiscal_start(4).unwrap();
    let instant = "2020-12-31T20:04:05Z".parse().unwrap();

    for (part, expected) in [
        (DatePart::Year, 2021),
        (DatePart::FiscalYear, 2020),
        (DatePart::Quarter, 4),
        (DatePart::Month, 1),
        (DatePart::Week, 53),
        (DatePart::Day, 1),
        (DatePart::Weekday, 5),
        (DatePart::Hour, 5),
        (DatePart::Minute, 4),
        (DatePart::Second, 5),
    ] {
        assert_eq!(calendar.part(instant, part), expected, "{part:?}");
    }
    assert_eq!(calendar.date_part(date(2021, 4, 4), DatePart::Quarter), 1);
    assert_eq!(calendar.date_part(date(2021, 4, 4), DatePart::Weekday), 7);
    assert_eq!(calendar.date_part(date(2021, 4, 4), DatePart::Hour), 0);
}

#[test]
fn the_days_of_a_period_are_those_it_touches() {
    let berlin = zone("Europe/Berlin");
    for (range, full, elapsed) in [
        ("2026-03-01..2026-04-01", 31, 31),
        ("2026-03-01..2026-04-01 as of 2026-03-15T10:00", 31, 15),
        ("2026-03-01..2026-04-01 as of 2026-03-15", 31, 14),
        ("2026-03-01..2026-04-01 as of 2026-03-01", 31, 0),
        ("2026-03-01T23:00..2026-03-02T01:00", 2, 2),
    ] {
        assert_eq!(berlin.days_in(period(&berlin, range)), Some(full), "{range}");
        assert_eq!(berlin.elapsed_days_in(period(&berlin, range)), Some(elapsed), "{range}");
    }
    assert_eq!(berlin.days_in(Period::ALWAYS), None);
    assert_eq!(Period::ALWAYS.full_nanoseconds(), None);
    assert_eq!(Calendar::days_between(date(2026, 3, 1), date(2026, 2, 1)), -28);
}
