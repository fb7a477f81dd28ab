//! Calendar settings.

use jiff::civil::Weekday;

use super::super::{Calendar, CalendarError, Retail454};
use super::zone;

#[test]
fn the_default_is_utc_with_weeks_from_monday_and_years_from_january() {
    let calendar = Calendar::default();

    assert_eq!(calendar.zone_name(), "UTC");
    assert_eq!(calendar.week_start(), Weekday::Monday);
    assert_eq!(calendar.fiscal_start(), 1);
    assert_eq!(calendar.retail(), None);
}

#[test]
fn zones_are_found_without_regard_to_case_and_compare_equal() {
    assert_eq!(zone("europe/berlin").zone_name(), "Europe/Berlin");
    assert_eq!(zone("europe/berlin"), zone("Europe/Berlin"));
    assert_ne!(zone("Europe/Paris"), zone("Europe/Berlin"));
}

#[test]
fn settings_that_do_not_exist_are_refused_with_a_reason() {
    for name in ["Europe/Atlantis", "", "Etc/Unknown", "../etc/passwd", "+01:00"] {
        let error = Calendar::with_zone(name).unwrap_err();
        assert_eq!(error.to_string(), format!("unknown time zone `{name}`"));
    }
    for month in [0, 13, -1, i8::MIN, i8::MAX] {
        let no_month = CalendarError::NoSuchMonth { month };
        assert_eq!(Calendar::default().with_fiscal_start(month), Err(no_month.clone()));
        assert_eq!(Retail454::new(month, Weekday::Sunday), Err(no_month));
    }
}

#[test]
fn a_retail_calendar_decides_where_weeks_and_years_begin() {
    let calendar = zone("America/New_York").with_retail(Retail454::NRF);

    assert_eq!(calendar.week_start(), Weekday::Sunday);
    assert_eq!(calendar.fiscal_start(), 2);
}

#[test]
fn the_bundled_zones_are_listed_in_order() {
    let names = Calendar::zone_names();

    assert!(names.len() > 400, "{}", names.len());
    assert!(names.is_sorted());
    assert!(names.iter().any(|name| name == "Europe/Berlin"));
}
