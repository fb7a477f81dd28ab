//! Years of 52 and 53 weeks.

use jiff::civil::{Weekday, date};

use super::super::{Calendar, DatePart, Period, PeriodLiteral, Retail454, TimeSpan, TimeUnit};
use super::{at, check, period, show};

fn nrf() -> Calendar {
    Calendar::default().with_retail(Retail454::NRF)
}

fn year(number: i16) -> Period {
    nrf().resolve(PeriodLiteral::Year(number)).unwrap()
}

#[test]
fn years_end_on_the_saturday_nearest_the_end_of_january() {
    for (number, expected, weeks) in [
        (2012, "2012-01-29..2013-02-03", 53),
        (2016, "2016-01-31..2017-01-29", 52),
        (2017, "2017-01-29..2018-02-04", 53),
        (2018, "2018-02-04..2019-02-03", 52),
        (2022, "2022-01-30..2023-01-29", 52),
        (2023, "2023-01-29..2024-02-04", 53),
        (2024, "2024-02-04..2025-02-02", 52),
    ] {
        assert_eq!(show(&nrf(), year(number)), expected);
        assert_eq!(nrf().days_in(year(number)), Some(weeks * 7), "{number}");
    }
}

#[test]
fn months_have_four_five_and_four_weeks_and_week_53_belongs_to_the_last() {
    let lengths = |number| {
        let months = nrf().buckets(year(number), TimeUnit::Month, 12).unwrap();
        months.into_iter().map(|month| nrf().days_in(month).unwrap() / 7).collect::<Vec<_>>()
    };

    assert_eq!(lengths(2024), [4, 5, 4, 4, 5, 4, 4, 5, 4, 4, 5, 4]);
    assert_eq!(lengths(2023), [4, 5, 4, 4, 5, 4, 4, 5, 4, 4, 5, 5]);
    let quarters = nrf().buckets(year(2023), TimeUnit::Quarter, 4).unwrap();
    assert_eq!(nrf().is_whole(*quarters.last().unwrap()), Some((TimeUnit::Quarter, 1)));
}

#[test]
fn a_year_may_begin_near_any_month_on_any_weekday() {
    let january = Retail454::new(1, Weekday::Monday).unwrap();
    let calendar = Calendar::default().with_retail(january);

    // January 1, 2026 is a Thursday: the Monday before is nearest.
    let new_year = at(&calendar, "2025-12-29");
    assert_eq!(calendar.start_of(new_year, TimeUnit::Year), Some(new_year));
    assert_eq!(calendar.date_part(date(2025, 12, 29), DatePart::FiscalYear), 2026);
    assert_eq!(calendar.date_part(date(2025, 12, 28), DatePart::FiscalYear), 2025);
    assert_eq!(calendar.date_part(date(2025, 12, 28), DatePart::Quarter), 4);
}

#[test]
fn a_year_back_is_the_same_fiscal_weeks() {
    let calendar = nrf();
    check(
        &calendar,
        |period| calendar.last(period, TimeUnit::Year),
        &[
            // The first week, the first month and the whole of 2024, against the first 52 weeks of 2023.
            ("2024-02-04..2024-02-11", "2023-01-29..2023-02-05"),
            ("2024-02-04..2024-03-03", "2023-01-29..2023-02-26"),
            ("2024-02-04..2025-02-02", "2023-01-29..2024-01-28"),
            // A year of 53 weeks against one of 52; its last month, its last week and a day there.
            ("2023-01-29..2024-02-04", "2022-01-30..2023-01-29"),
            ("2023-12-31..2024-02-04", "2023-01-01..2023-01-29"),
            ("2024-01-28..2024-02-04", "2023-01-22..2023-01-29"),
            ("2024-01-30..2024-01-31", "2023-01-24..2023-01-25"),
            ("2024-01-24..2024-01-31", "2023-01-25..2023-01-29"),
            // The elapsed part keeps its weekday; in week 53 it is all of the previous year.
            (
                "2024-02-04..2025-02-02 as of 2024-02-14T10:00",
                "2023-01-29..2024-01-28 as of 2023-02-08T10:00",
            ),
            ("2023-01-29..2024-02-04 as of 2024-01-30T10:00", "2022-01-30..2023-01-29"),
        ],
    );
}

#[test]
fn weeks_and_days_at_the_end_of_a_year_or_month_stay_as_many() {
    let calendar = nrf();
    check(
        &calendar,
        |period| calendar.last(period, TimeUnit::Year),
        &[
            // Weeks 52, and 51 and 52, before a year of 53 weeks; the end of such a week; a part.
            ("2025-01-26..2025-02-02", "2024-01-21..2024-01-28"),
            ("2025-01-19..2025-02-02", "2024-01-14..2024-01-28"),
            ("2025-01-30..2025-02-02", "2024-01-25..2024-01-28"),
            (
                "2025-01-26..2025-02-02 as of 2025-01-28T10:00",
                "2024-01-21..2024-01-28 as of 2024-01-23T10:00",
            ),
            // The same holds for months and quarters of 2024, although those of 2023 have a week
            // 53.
            ("2025-01-05..2025-02-02", "2023-12-31..2024-01-28"),
            ("2024-11-03..2025-02-02", "2023-10-29..2024-01-28"),
        ],
    );
    check(
        &calendar,
        |period| calendar.last(period, TimeUnit::Month),
        &[
            // The fourth week of April is compared with that of March, which has five.
            ("2025-04-27..2025-05-04", "2025-03-23..2025-03-30"),
            ("2025-03-30..2025-04-06", "2025-02-23..2025-03-02"),
            ("2025-04-06..2025-05-04", "2025-03-02..2025-04-06"),
        ],
    );
}

#[test]
fn the_month_before_a_retail_month_is_a_retail_month() {
    let calendar = nrf();
    check(
        &calendar,
        |period| calendar.previous(period, 1, true),
        &[
            ("2024-03-03..2024-04-07", "2024-02-04..2024-03-03"),
            ("2024-02-04..2024-03-03", "2023-12-31..2024-02-04"),
            (
                "2024-03-03..2024-04-07 as of 2024-03-12T09:00",
                "2024-02-04..2024-03-03 as of 2024-02-13T09:00",
            ),
            ("2024-03-03..2024-04-07 as of 2024-04-02T09:00", "2024-02-04..2024-03-03"),
            ("2024-02-04..2024-05-05", "2023-10-29..2024-02-04"),
            ("2024-02-04..2025-02-02", "2023-01-29..2024-02-04"),
        ],
    );
}

#[test]
fn twelve_months_and_four_quarters_are_a_year() {
    let calendar = nrf();
    for span in [(-1, TimeUnit::Year), (-4, TimeUnit::Quarter), (-12, TimeUnit::Month)] {
        let span = TimeSpan::new(span.0, span.1);
        check(
            &calendar,
            |period| calendar.shift(period, span),
            &[("2024-02-04..2025-02-02", "2023-01-29..2024-01-28")],
        );
    }
    // Two years ahead, from a year of 52 weeks to one of 53, and back.
    check(
        &calendar,
        |period| calendar.shift(period, TimeSpan::new(2, TimeUnit::Year)),
        &[("2021-01-31..2022-01-30", "2023-01-29..2024-01-28")],
    );
    check(
        &calendar,
        |period| calendar.shift(period, TimeSpan::new(-2, TimeUnit::Year)),
        &[("2023-01-29..2024-02-04", "2021-01-31..2022-01-30")],
    );
}

#[test]
fn trailing_and_to_date_count_retail_units() {
    let calendar = nrf();
    let march = period(&calendar, "2024-03-03..2024-04-07 as of 2024-03-12T09:00");

    let month_to_date = calendar.to_date(march, TimeUnit::Month).unwrap();
    assert_eq!(show(&calendar, month_to_date), "2024-03-03..2024-03-12T09:00");
    let year_to_date = calendar.to_date(march, TimeUnit::Year).unwrap();
    assert_eq!(show(&calendar, year_to_date), "2024-02-04..2024-03-12T09:00");
    let trailing = calendar.trailing(march, TimeSpan::new(1, TimeUnit::Month), true).unwrap();
    assert_eq!(show(&calendar, trailing), "2024-02-13T09:00..2024-03-12T09:00");
}

#[test]
fn every_day_of_400_years_lies_in_the_month_that_holds_it() {
    for start_month in 1..=12 {
        let retail = Retail454::new(start_month, Weekday::Wednesday).unwrap();
        let calendar = Calendar::default().with_retail(retail);
        for day in (-5_000..146_097).step_by(7) {
            let month = calendar.unit_number(day, TimeUnit::Month).unwrap();
            let first = calendar.first_day(TimeUnit::Month, month).unwrap();
            let next = calendar.first_day(TimeUnit::Month, month + 1).unwrap();
            assert!(first <= day && day < next, "day {day}, years from month {start_month}");
        }
    }
}
