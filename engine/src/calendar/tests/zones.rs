//! Days and hours at clock changes.

use jiff::Timestamp;
use jiff::civil::date;
use jiff::tz::AmbiguousOffset;

use super::super::zone::NANOSECONDS_PER_SECOND;
use super::super::{Calendar, Period, TimeUnit};
use super::{at, period, zone};

fn hours(period: Period) -> i128 {
    period.full_nanoseconds().unwrap() / NANOSECONDS_PER_SECOND / 3_600
}

#[test]
fn weeks_with_a_clock_change_are_an_hour_shorter_or_longer() {
    let berlin = zone("Europe/Berlin");
    for (week, expected) in [
        ("2026-03-23..2026-03-30", 167),
        ("2026-03-30..2026-04-06", 168),
        ("2026-10-19..2026-10-26", 169),
    ] {
        let week = period(&berlin, week);
        assert_eq!(hours(week), expected);
        assert_eq!(berlin.days_in(week), Some(7));
        assert_eq!(berlin.is_whole(week), Some((TimeUnit::Week, 1)));
    }
}

#[test]
fn a_day_begins_where_clocks_skip_midnight() {
    for (name, day, first_instant, length) in [
        ("America/Sao_Paulo", date(2018, 11, 4), "2018-11-04T03:00:00Z", 23),
        ("Africa/Cairo", date(2023, 4, 28), "2023-04-27T22:00:00Z", 23),
        ("America/Havana", date(2025, 11, 2), "2025-11-02T04:00:00Z", 25),
        // The clock went from 23:30 to 00:30, skipping midnight.
        ("America/Toronto", date(1919, 3, 31), "1919-03-31T04:30:00Z", 23),
    ] {
        let calendar = zone(name);
        let start = calendar.start_of_day(day).unwrap();
        let next = calendar.start_of_day(day.tomorrow().unwrap()).unwrap();

        assert_eq!(start, first_instant.parse().unwrap(), "{name}");
        assert_eq!(calendar.date_of(start), day, "{name}");
        assert_eq!(hours(Period::new(start, next)), length, "{name}");
        assert_eq!(calendar.start_of(start, TimeUnit::Day), Some(start), "{name}");
        assert_eq!(calendar.end_of(start, TimeUnit::Day), Some(next), "{name}");
    }
}

#[test]
fn a_day_the_zone_skipped_is_empty_and_no_bucket() {
    let apia = zone("Pacific/Apia");
    let skipped = date(2011, 12, 30);

    assert_eq!(apia.start_of_day(skipped), apia.start_of_day(date(2011, 12, 31)));
    let days = apia.buckets(period(&apia, "2011-12-29..2012-01-01"), TimeUnit::Day, 9).unwrap();
    assert_eq!(days.len(), 2);
}

#[test]
fn clocks_that_go_back_over_midnight_do_not_reopen_the_day_before() {
    let st_johns = zone("America/St_Johns");
    // At 00:01 on October 29, 2006, clocks went back to 23:01.
    let repeated: Timestamp = "2006-10-29T03:00:00Z".parse().unwrap();

    assert_eq!(st_johns.wall_clock(repeated).to_string(), "2006-10-28T23:30:00");
    assert_eq!(st_johns.date_of(repeated), date(2006, 10, 29));
}

#[test]
fn clocks_never_go_back_over_midnight_into_a_morning() {
    for name in Calendar::zone_names() {
        let calendar = zone(&name);
        let changes = calendar.zone().preceding(Timestamp::MAX).take(500);
        for change in changes.map(|change| change.timestamp()) {
            let after = calendar.wall_clock(change);
            let Ok(next) = after.date().tomorrow() else { continue };
            let midnight = calendar.zone().to_ambiguous_timestamp(next.at(0, 0, 0, 0));
            let is_repeated = matches!(midnight.offset(), AmbiguousOffset::Fold { .. });
            if is_repeated && calendar.start_of_day(next).is_some_and(|start| start < change) {
                assert!(after.hour() >= 12, "{name} {change}");
            }
        }
    }
}

#[test]
fn the_repeated_hour_of_autumn_is_two_hours() {
    let berlin = zone("Europe/Berlin");
    let first: Timestamp = "2026-10-25T00:30:00Z".parse().unwrap();
    let second: Timestamp = "2026-10-25T01:30:00Z".parse().unwrap();

    assert_eq!(berlin.wall_clock(first), berlin.wall_clock(second));
    assert_eq!(berlin.start_of(first, TimeUnit::Hour), Some("2026-10-25T00:00Z".parse().unwrap()));
    assert_eq!(berlin.end_of(first, TimeUnit::Hour), Some("2026-10-25T01:00Z".parse().unwrap()));
    assert_eq!(berlin.start_of(second, TimeUnit::Hour), Some("2026-10-25T01:00Z".parse().unwrap()));
    assert_eq!(berlin.end_of(second, TimeUnit::Hour), Some("2026-10-25T02:00Z".parse().unwrap()));
}

#[test]
fn hours_follow_the_clock_of_zones_off_by_half_an_hour() {
    let kolkata = zone("Asia/Kolkata");
    let noon = at(&kolkata, "2026-01-01T12:15");
    assert_eq!(kolkata.start_of(noon, TimeUnit::Hour), Some(at(&kolkata, "2026-01-01T12:00")));

    // Lord Howe Island moves its clocks by 30 minutes: 02:00 became 01:30.
    let lord_howe = zone("Australia/Lord_Howe");
    let change: Timestamp = "2026-04-04T15:00:00Z".parse().unwrap();
    let half_hour: Timestamp = "2026-04-04T15:30:00Z".parse().unwrap();
    assert_eq!(lord_howe.wall_clock(change).to_string(), "2026-04-05T01:30:00");
    assert_eq!(lord_howe.start_of(half_hour, TimeUnit::Hour), Some(half_hour));
    assert_eq!(lord_howe.end_of(change, TimeUnit::Hour), Some(half_hour));
    assert_eq!(lord_howe.start_of(change, TimeUnit::Hour), Some(change));
}

#[test]
fn seconds_and_minutes_round_down_before_1970_too() {
    let utc = Calendar::default();
    let before: Timestamp = "1969-12-31T23:59:59.25Z".parse().unwrap();

    assert_eq!(
        utc.start_of(before, TimeUnit::Second),
        Some("1969-12-31T23:59:59Z".parse().unwrap())
    );
    assert_eq!(utc.end_of(before, TimeUnit::Second), Some(Timestamp::UNIX_EPOCH));
    assert_eq!(
        utc.start_of(before, TimeUnit::Minute),
        Some("1969-12-31T23:59:00Z".parse().unwrap())
    );
}

#[test]
fn an_hour_that_a_change_of_clocks_cuts_short_ends_with_the_change() {
    let st_johns = zone("America/St_Johns");
    // At 00:01 on October 29, 2006, clocks went back to 23:01.
    let change: Timestamp = "2006-10-29T02:31:00Z".parse().unwrap();
    let midnight: Timestamp = "2006-10-29T02:30:00Z".parse().unwrap();

    assert_eq!(st_johns.end_of(midnight, TimeUnit::Hour), Some(change));
    assert_eq!(st_johns.start_of(change, TimeUnit::Hour), Some(change));
    let end = st_johns.end_of(change, TimeUnit::Hour).unwrap();
    assert_eq!(hours(Period::new(change, end)), 0);
    assert_eq!(st_johns.wall_clock(end).to_string(), "2006-10-29T00:00:00");
}

#[test]
fn days_and_hours_fit_together_around_every_change_of_clocks_since_1970() {
    let hours_around = 40 * 3_600 * NANOSECONDS_PER_SECOND;
    for name in Calendar::zone_names() {
        let calendar = zone(&name);
        for change in calendar.zone().following(Timestamp::UNIX_EPOCH).take(30) {
            let start = Calendar::add_nanoseconds(change.timestamp(), -hours_around).unwrap();
            let end = Calendar::add_nanoseconds(change.timestamp(), hours_around).unwrap();
            for unit in [TimeUnit::Hour, TimeUnit::Day] {
                for bucket in calendar.buckets(Period::new(start, end), unit, 100).unwrap() {
                    let last = Calendar::add_nanoseconds(bucket.end, -1).unwrap();
                    let (first, again) =
                        (calendar.start_of(bucket.start, unit), calendar.start_of(last, unit));
                    assert_eq!(first, again, "{name} {}", change.timestamp());
                    assert!(bucket.start == start || first == Some(bucket.start), "{name}");
                }
            }
        }
    }
}
