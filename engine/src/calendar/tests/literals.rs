//! Period literals.

use jiff::civil::{Weekday, date};

use super::super::{Calendar, PeriodLiteral, Retail454};
use super::{show, zone};

#[test]
fn every_form_is_read_with_and_without_its_sign() {
    for (text, expected) in [
        ("2026", PeriodLiteral::Year(2026)),
        ("2026-Q1", PeriodLiteral::Quarter(2026, 1)),
        ("2026-q4", PeriodLiteral::Quarter(2026, 4)),
        ("2026-W09", PeriodLiteral::Week(2026, 9)),
        ("2020-W53", PeriodLiteral::Week(2020, 53)),
        ("2026-03", PeriodLiteral::Month(2026, 3)),
        ("2024-02-29", PeriodLiteral::Day(date(2024, 2, 29))),
        ("0000", PeriodLiteral::Year(0)),
        ("9999-12-31", PeriodLiteral::Day(date(9999, 12, 31))),
    ] {
        assert_eq!(PeriodLiteral::parse(text), Some(expected), "{text}");
        assert_eq!(PeriodLiteral::parse(&format!("@{text}")), Some(expected), "{text}");
        let written = expected.to_string();
        assert_eq!(written, format!("@{}", text.to_uppercase()), "{text}");
    }
}

#[test]
fn days_that_do_not_exist_are_not_a_period() {
    for text in [
        "",
        "@",
        "@@2026",
        "26",
        "02026",
        "+026",
        "2026-",
        "2026-Q",
        "2026-Q0",
        "2026-Q5",
        "2026-Q01",
        "2026-W00",
        "2025-W53",
        "2026-W54",
        "2026-W9",
        "2026-00",
        "2026-13",
        "2026-3",
        "2026-02-29",
        "2026-04-31",
        "2026-3-1",
        "2026-03-1",
        "2026-03-01-01",
        "2026-03-00",
        "2026-é",
        "２０２６",
        "-2026",
        "2026 ",
    ] {
        assert_eq!(PeriodLiteral::parse(text), None, "{text}");
    }
}

#[test]
fn literals_resolve_in_zone_and_fiscal_year() {
    let berlin = zone("Europe/Berlin").with_week_start(Weekday::Sunday);
    let fiscal = Calendar::default().with_fiscal_start(2).unwrap();
    for (calendar, text, expected) in [
        (&berlin, "2026", "2026-01-01..2027-01-01"),
        (&berlin, "2026-Q2", "2026-04-01..2026-07-01"),
        (&berlin, "2026-W13", "2026-03-23..2026-03-30"),
        (&berlin, "2020-W53", "2020-12-28..2021-01-04"),
        (&berlin, "2026-03", "2026-03-01..2026-04-01"),
        (&berlin, "2026-03-29", "2026-03-29..2026-03-30"),
        (&fiscal, "2026", "2026-02-01..2027-02-01"),
        (&fiscal, "2026-Q4", "2026-11-01..2027-02-01"),
        (&fiscal, "2026-01", "2026-01-01..2026-02-01"),
    ] {
        let period = calendar.resolve(PeriodLiteral::parse(text).unwrap()).unwrap();
        assert_eq!(show(calendar, period), expected, "{text}");
    }
}

#[test]
fn a_retail_month_has_the_name_of_its_calendar_month() {
    let retail = Calendar::default().with_retail(Retail454::NRF);
    for (text, expected) in [
        ("2023", "2023-01-29..2024-02-04"),
        ("2023-02", "2023-01-29..2023-02-26"),
        ("2024-01", "2023-12-31..2024-02-04"),
        ("2023-Q4", "2023-10-29..2024-02-04"),
    ] {
        let period = retail.resolve(PeriodLiteral::parse(text).unwrap()).unwrap();
        assert_eq!(show(&retail, period), expected, "{text}");
    }
}

#[test]
fn impossible_literals_made_by_hand_and_the_end_of_time_resolve_to_nothing() {
    let utc = Calendar::default();
    for literal in [
        PeriodLiteral::Quarter(2026, 0),
        PeriodLiteral::Quarter(2026, i8::MAX),
        PeriodLiteral::Week(2025, 53),
        PeriodLiteral::Month(2026, 13),
        PeriodLiteral::Month(2026, i8::MIN),
        PeriodLiteral::Year(9999),
        PeriodLiteral::Year(i16::MIN),
        PeriodLiteral::Year(i16::MAX),
        PeriodLiteral::Day(date(9999, 12, 31)),
        PeriodLiteral::Day(date(-9999, 1, 1)),
    ] {
        assert_eq!(utc.resolve(literal), None, "{literal:?}");
    }
}
