//! Instants and days moved by a span.

use jiff::Timestamp;
use jiff::civil::date;

use super::super::{Calendar, TimeSpan, TimeUnit};
use super::{at, zone};

#[test]
fn days_keep_the_time_on_the_clock_and_hours_do_not() {
    let berlin = zone("Europe/Berlin");
    let evening = at(&berlin, "2026-03-28T18:00");

    let day_later = berlin.add(evening, TimeSpan::new(1, TimeUnit::Day)).unwrap();
    let hours_later = berlin.add(evening, TimeSpan::new(24, TimeUnit::Hour)).unwrap();

    assert_eq!(day_later, at(&berlin, "2026-03-29T18:00"));
    assert_eq!(hours_later, at(&berlin, "2026-03-29T19:00"));
}

#[test]
fn a_day_that_does_not_exist_becomes_the_last_of_its_month() {
    let utc = Calendar::default();
    for (from, count, unit, to) in [
        (date(2024, 2, 29), -1, TimeUnit::Year, date(2023, 2, 28)),
        (date(2024, 2, 29), 4, TimeUnit::Year, date(2028, 2, 29)),
        (date(2026, 1, 31), 1, TimeUnit::Month, date(2026, 2, 28)),
        (date(2026, 1, 31), 1, TimeUnit::Quarter, date(2026, 4, 30)),
        (date(2026, 3, 31), -1, TimeUnit::Month, date(2026, 2, 28)),
        (date(2026, 12, 15), 2, TimeUnit::Month, date(2027, 2, 15)),
        (date(2026, 12, 15), 2, TimeUnit::Week, date(2026, 12, 29)),
        (date(2026, 3, 1), -1, TimeUnit::Day, date(2026, 2, 28)),
        (date(2026, 3, 1), 48, TimeUnit::Hour, date(2026, 3, 3)),
    ] {
        assert_eq!(utc.add_date(from, TimeSpan::new(count, unit)), Some(to), "{from} {count}");
    }
    assert_eq!(utc.add_date(date(2026, 3, 1), TimeSpan::new(5, TimeUnit::Hour)), None);
    assert_eq!(utc.add_date(date(2026, 3, 1), TimeSpan::new(1, TimeUnit::Period)), None);
}

#[test]
fn a_time_that_clocks_skip_is_moved_past_the_gap() {
    let berlin = zone("Europe/Berlin");
    let night = at(&berlin, "2026-03-28T02:30");

    let moved = berlin.add(night, TimeSpan::new(1, TimeUnit::Day)).unwrap();

    assert_eq!(berlin.wall_clock(moved).to_string(), "2026-03-29T03:30:00");
}

#[test]
fn the_start_of_a_day_stays_one_across_a_skipped_midnight() {
    let sao_paulo = zone("America/Sao_Paulo");
    let skipped = at(&sao_paulo, "2018-11-04");
    assert_eq!(sao_paulo.wall_clock(skipped).hour(), 1);

    for (count, expected) in [(1, "2018-11-05"), (-1, "2018-11-03")] {
        let moved = sao_paulo.add(skipped, TimeSpan::new(count, TimeUnit::Day));
        assert_eq!(moved, Some(at(&sao_paulo, expected)));
        let back = sao_paulo.add(moved.unwrap(), TimeSpan::new(-count, TimeUnit::Day));
        assert_eq!(back, Some(skipped));
    }
}

#[test]
fn a_zero_step_changes_nothing_in_the_repeated_hour() {
    let berlin = zone("Europe/Berlin");
    let second: Timestamp = "2026-10-25T01:30:00Z".parse().unwrap();

    assert_eq!(berlin.add(second, TimeSpan::new(0, TimeUnit::Day)), Some(second));
}

#[test]
fn a_step_out_of_time_has_no_answer() {
    let utc = Calendar::default();
    for unit in TimeUnit::ALL {
        for count in [i64::MIN, i64::MAX, -400_000_000_000, 400_000_000_000] {
            let span = TimeSpan::new(count, unit);
            assert_eq!(utc.add(Timestamp::UNIX_EPOCH, span), None, "{span}");
            assert_eq!(utc.add_date(date(1970, 1, 1), span), None, "{span}");
        }
    }
    let day = TimeSpan::new(1, TimeUnit::Day);
    assert_eq!(utc.add(Timestamp::MAX, day), None);
    assert_eq!(utc.add_date(date(9999, 12, 31), day), None);
    assert_eq!(Calendar::add_nanoseconds(Timestamp::MAX, 1), None);
    assert_eq!(Calendar::add_nanoseconds(Timestamp::MAX, i128::MAX), None);
}
