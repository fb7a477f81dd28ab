//! Periods, buckets and groups in words.

use jiff::Timestamp;
use quotient::calendar::{Calendar, DatePart, Period, TimeUnit};
use quotient::format;
use quotient::types::{Type, Value};

/// The first and the last day, unless the period has no end.
pub(crate) fn period_label(first: Period, last: Period, calendar: &Calendar) -> Option<String> {
    if first.start == Timestamp::MIN || last.end == Timestamp::MAX {
        return None;
    }
    let (from, end) = (calendar.date_of(first.start), calendar.date_of(last.end));
    let to = end.yesterday().unwrap_or(end);
    let so_far = if last.is_partial() {
        format!(", known until {}", wall_clock(last.as_of, calendar))
    } else {
        String::new()
    };
    Some(format!("{from} to {to} ({}){so_far}", calendar.zone_name()))
}

/// `2026-03-31T12:00:00`, in the calendar's zone.
pub(crate) fn wall_clock(at: Timestamp, calendar: &Calendar) -> String {
    calendar.wall_clock(at).to_string()
}

/// `2026-03-31`, `2026-03`, `2026-Q1`, `2026`; a week by its first day.
pub(crate) fn bucket_label(calendar: &Calendar, unit: TimeUnit, bucket: Period) -> String {
    let first = calendar.date_of(bucket.start);
    match unit {
        TimeUnit::Month => {
            // A retail month starts in the days before or after the month it stands for.
            let half = bucket.end.duration_since(bucket.start).checked_div(2).unwrap_or_default();
            let middle = bucket.start.checked_add(half).unwrap_or(bucket.start);
            let middle = calendar.date_of(middle);
            format!("{:04}-{:02}", middle.year(), middle.month())
        }
        TimeUnit::Quarter => {
            let year = calendar.date_part(first, DatePart::FiscalYear);
            format!("{year:04}-Q{}", calendar.date_part(first, DatePart::Quarter))
        }
        TimeUnit::Year => format!("{:04}", calendar.date_part(first, DatePart::FiscalYear)),
        TimeUnit::Second
        | TimeUnit::Minute
        | TimeUnit::Hour
        | TimeUnit::Day
        | TimeUnit::Week
        | TimeUnit::Period => first.to_string(),
    }
}

/// The value of what rows are grouped by; none for a null. A number is a name here: `2011`, not `2,011`.
pub(crate) fn label(value: &Value, calendar: &Calendar) -> Option<String> {
    if value.as_number().is_some() {
        return Some(format::exact(value));
    }
    let rules = format::FormatRules::default();
    (!value.is_missing()).then(|| format::value(value, &Type::Text, &rules, calendar.zone()))
}

/// An amount with its sign, as something is added with it.
pub(crate) fn signed(amount: &Value, formatted: String) -> String {
    let is_positive = amount.as_number().is_some_and(|n| n.is_sign_positive() && !n.is_zero());
    if is_positive { format!("+{formatted}") } else { formatted }
}

/// A fraction in percent; none for a null.
pub(crate) fn percent(value: &Value, calendar: &Calendar) -> Option<String> {
    let rules = format::FormatRules::default();
    let ty = Type::Quantity(quotient::types::Unit::PERCENT);
    (!value.is_missing()).then(|| format::value(value, &ty, &rules, calendar.zone()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bucket(calendar: &Calendar, first: &str, last: &str) -> Period {
        let start = calendar.start_of_day(first.parse().unwrap()).unwrap();
        let end = calendar.start_of_day(last.parse().unwrap()).unwrap();
        Period::new(start, end)
    }

    #[test]
    fn a_number_that_names_a_group_has_no_separators() {
        let calendar = Calendar::with_zone("UTC").unwrap();
        for (value, expected) in [
            (Value::Number(2011.into()), Some("2011")),
            (Value::text("2,011"), Some("2,011")),
            (Value::missing(quotient::types::Reason::NullValue), None),
        ] {
            assert_eq!(label(&value, &calendar).as_deref(), expected);
        }
    }

    #[test]
    fn buckets_are_called_by_their_unit() {
        let calendar = Calendar::with_zone("Europe/London").unwrap().with_fiscal_start(2).unwrap();
        for (unit, first, last, expected) in [
            (TimeUnit::Day, "2011-03-27", "2011-03-28", "2011-03-27"),
            (TimeUnit::Week, "2011-03-21", "2011-03-28", "2011-03-21"),
            (TimeUnit::Month, "2011-03-01", "2011-04-01", "2011-03"),
            (TimeUnit::Month, "2011-03-31", "2011-04-01", "2011-03"),
            (TimeUnit::Month, "2011-08-28", "2011-10-02", "2011-09"),
            (TimeUnit::Quarter, "2011-02-01", "2011-05-01", "2011-Q1"),
            (TimeUnit::Year, "2011-02-01", "2012-02-01", "2011"),
        ] {
            let bucket = bucket(&calendar, first, last);
            assert_eq!(bucket_label(&calendar, unit, bucket), expected, "{first}");
        }
    }
}
