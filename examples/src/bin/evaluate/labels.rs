//! Periods, buckets and groups in words.

use jiff::Timestamp;
use quotient::calendar::{Calendar, DatePart, Period, TimeUnit};
use quotient::format;
use quotient::types::{Flavour, Type, Value};

use crate::report::KnownPeriod;

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

/// The same for programs.
pub(crate) fn known_period(period: Period, calendar: &Calendar) -> Option<KnownPeriod> {
    if period.start == Timestamp::MIN || period.end == Timestamp::MAX {
        return None;
    }
    let end = calendar.date_of(period.end);
    Some(KnownPeriod {
        from: calendar.date_of(period.start),
        to: end.yesterday().unwrap_or(end),
        is_partial: period.is_partial(),
        as_of: period.as_of,
    })
}

/// The unit of the exact numbers of a type: `USD`, `orders`, `seconds`, `USD per second`.
pub(crate) fn unit_label(ty: &Type) -> Option<String> {
    let unit = match ty {
        Type::List(item) => return unit_label(item),
        Type::Quantity(unit) => unit,
        Type::Text
        | Type::Bool
        | Type::Date
        | Type::DateTime
        | Type::Period
        | Type::Span
        | Type::Null => {
            return None;
        }
    };
    match (unit.money, unit.time, &unit.flavour) {
        (0, 0, Flavour::Count(entity)) => entity.as_deref().map(str::to_owned),
        (0, 0, _) => None,
        (0, 1, _) => Some("seconds".to_owned()),
        (money, time, _) => {
            let currency = unit.currency.to_string();
            let powers = [(currency.as_str(), money), ("second", time)];
            let raised = |(name, power): &(&str, i8)| match power.unsigned_abs() {
                1 => (*name).to_owned(),
                above => format!("{name}^{above}"),
            };
            let multiplied = powers.iter().filter(|(_, power)| *power > 0).map(raised);
            let multiplied = multiplied.collect::<Vec<_>>().join(" ");
            let dividing = powers.iter().filter(|(_, power)| *power < 0).map(raised);
            let dividing = dividing.map(|unit| format!("per {unit}"));
            let words =
                std::iter::once(multiplied).filter(|words| !words.is_empty()).chain(dividing);
            Some(words.collect::<Vec<_>>().join(" "))
        }
    }
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
            // A retail month begins some days before or after the month that it is named after.
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

/// The value of a group key, none for a null. A number is a name here: `2011`, not `2,011`.
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
    use quotient::types::{Currency, CurrencyOf, Unit};

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

    #[test]
    fn a_unit_is_what_the_exact_numbers_count() {
        let usd = CurrencyOf::Fixed(Currency::USD);
        let unit = |money, time| Type::Quantity(Unit { money, time, ..Unit::money(usd) });
        for (ty, expected) in [
            (unit(1, 0), Some("USD")),
            (unit(1, -1), Some("USD per second")),
            (unit(-1, 0), Some("per USD")),
            (unit(0, 1), Some("seconds")),
            (unit(0, -1), Some("per second")),
            (unit(1, 2), Some("USD second^2")),
            (Type::Quantity(Unit::count("orders")), Some("orders")),
            (Type::Quantity(Unit::PERCENT), None),
            (Type::List(std::sync::Arc::new(unit(1, 0))), Some("USD")),
            (Type::Text, None),
        ] {
            assert_eq!(unit_label(&ty).as_deref(), expected, "{ty}");
        }
    }
}
