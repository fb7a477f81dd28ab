//! Conversion of context record values to engine values.

use std::sync::Arc;

use jiff::Timestamp;
use rust_decimal::Decimal;

use crate::calendar::{Calendar, Period};
use crate::data::{Record, RecordValue};
use crate::number;
use crate::types::{CurrencyOf, Flavour, Reason, Type, Value};

/// Reads a record's value as the given type; `None` if it does not fit.
pub(crate) fn read(
    given: &RecordValue,
    ty: &Type,
    calendar: &Calendar,
    period: Option<Period>,
) -> Option<Value> {
    match (ty, given) {
        (_, RecordValue::Null) => Some(Value::missing(Reason::NullValue)),
        (Type::Quantity(_), RecordValue::Number(number)) => Some(Value::Number(*number)),
        (Type::Quantity(unit), RecordValue::Text(text)) => {
            let text = text.trim();
            let is_share = unit.is_dimensionless() && !matches!(unit.flavour, Flavour::Count(_));
            let percent = text.strip_suffix('%').filter(|_| is_share);
            let number = match percent {
                Some(digits) => number::divide(number::parse(digits)?, Decimal::ONE_HUNDRED).ok(),
                None => number::parse(text),
            };
            number.map(Value::Number)
        }
        (Type::Quantity(unit), RecordValue::Money(amount, currency)) => {
            let fits = match unit.currency {
                CurrencyOf::Fixed(own) => own == *currency,
                CurrencyOf::Mixed => true,
            };
            (unit.is_money() && fits).then_some(Value::Number(*amount))
        }
        (Type::Text, RecordValue::Text(text)) => Some(Value::text(text.as_str())),
        (Type::Bool, RecordValue::Bool(truth)) => Some(Value::Bool(*truth)),
        (Type::Date, RecordValue::Text(text)) => text.parse().ok().map(Value::Date),
        (Type::DateTime, RecordValue::Text(text)) => {
            calendar.read_instant(text, false).map(Value::DateTime)
        }
        (Type::List(item), RecordValue::List(items)) => {
            let items: Option<Vec<Value>> =
                items.iter().map(|given| read(given, item, calendar, period)).collect();
            items.map(|items| Value::List(Arc::from(items)))
        }
        (Type::Period, RecordValue::Fields(_)) => period.map(Value::period),
        _ => None,
    }
}

/// The values that a record can give for a type, with an example.
pub(crate) fn expected(ty: &Type) -> String {
    match ty {
        Type::Quantity(unit) if unit.is_money() => match unit.currency {
            CurrencyOf::Fixed(own) => {
                format!(r#"a number, or {{"amount": 5, "currency": "{}"}}"#, own.code())
            }
            CurrencyOf::Mixed => r#"{"amount": 5, "currency": "EUR"}"#.to_owned(),
        },
        Type::Quantity(unit) if unit.is_duration() => "a number of seconds".to_owned(),
        Type::Quantity(unit) => match unit.flavour {
            Flavour::Ratio | Flavour::Percent => r#"a number such as 0.15, or "15%""#.to_owned(),
            Flavour::Literal | Flavour::Number | Flavour::Count(_) => "a number".to_owned(),
        },
        Type::Bool => "true or false without quotes".to_owned(),
        Type::Date => r#"a date such as "2026-01-31""#.to_owned(),
        Type::DateTime => r#"an instant such as "2026-01-31T09:30:00Z""#.to_owned(),
        Type::Period => r#"{"start": "2026-01-01", "end": "2026-01-31"}"#.to_owned(),
        Type::List(item) => format!("a list: each item {}", expected(item)),
        Type::Text | Type::Span | Type::Null => "a text in quotes".to_owned(),
    }
}

/// The period that a record declares.
pub(crate) fn period_of(record: &Record, calendar: &Calendar, now: Timestamp) -> Option<Period> {
    let RecordValue::Fields(fields) = record.get("period")? else { return None };
    let text = |name: &str| match fields.get(name) {
        Some(RecordValue::Text(text)) => Some(text.as_str()),
        Some(_) | None => None,
    };
    let start = calendar.read_instant(text("start")?, false)?;
    let end = calendar.read_instant(text("end")?, true)?;
    (start < end).then(|| Period::new(start, end).seen_at(now))
}
