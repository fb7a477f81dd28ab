//! Values as JSON: exact, and formatted for display.

use quotient::Answer;
use quotient::calendar::Period;
use quotient::format::exact;
use quotient::types::Value;
use serde::Serialize;
use serde_json::value::RawValue;

use crate::clock::Timestamp;
use crate::http::ToSchema;
use crate::registry::vocabulary::kind;

/// Limit: digits of a JSON number; longer ones are sent as text, since many parsers would round them.
const MAX_NUMBER_DIGITS: usize = 15;

/// An exact value: a number, a text if it has more than 15 digits, a boolean, a list, or null.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[serde(transparent)]
#[schema(value_type = Value, example = json!(42.49))]
pub(crate) struct ValueView(Box<RawValue>);

impl ValueView {
    pub(crate) fn of(value: &Value) -> Self {
        let text = match value {
            Value::Number(number) => {
                let plain = number.normalize().to_string();
                let digits = plain.bytes().filter(u8::is_ascii_digit).count();
                if digits > MAX_NUMBER_DIGITS { quoted(&plain) } else { plain }
            }
            Value::Bool(truth) => truth.to_string(),
            Value::Missing(_) => "null".to_owned(),
            Value::List(items) => {
                let items: Vec<String> =
                    items.iter().map(|item| Self::of(item).0.get().to_owned()).collect();
                format!("[{}]", items.join(","))
            }
            Value::Text(text) => quoted(text),
            Value::DateTime(at) => quoted(&Timestamp::from(*at).to_string()),
            Value::Date(_) | Value::Period(_) | Value::Span(_) => quoted(&exact(value)),
        };
        Self(RawValue::from_string(text).unwrap_or_else(|_impossible| RawValue::NULL.to_owned()))
    }
}

/// The text for null. The reason is in a separate field.
pub(crate) const NULL_TEXT: &str = "–";

/// Returns the text of a value for display: null is a dash, unless the metric's formatting rules give it another text.
pub(crate) fn formatted_value(value: &Value, formatted: &str) -> String {
    if let Value::Missing(missing) = value
        && formatted == format!("null ({})", missing.reason.name())
    {
        return NULL_TEXT.to_owned();
    }
    formatted.to_owned()
}

fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

/// A period; `end` is exclusive.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub(crate) struct PeriodView {
    /// The first instant; null in an explanation of what is computed from the first row on.
    #[schema(required)]
    pub start: Option<Timestamp>,
    /// The instant after the last.
    pub end: Timestamp,
    /// Whether the period is only partly known: it lies in the future, or the data ends before it.
    pub partial: bool,
    /// The instant up to which rows are included: the earliest of the period's end, the present and the end of what each
    /// source covers.
    pub as_of: Timestamp,
}

impl PeriodView {
    pub(crate) fn of(period: &Period) -> Self {
        Self {
            start: (period.start != jiff::Timestamp::MIN).then(|| period.start.into()),
            end: period.end.into(),
            partial: period.is_partial(),
            as_of: period.as_of.into(),
        }
    }
}

/// The place in a formula where a null originates.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub(crate) struct NullAtView {
    /// The metric whose formula has the place, if it is not the requested one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub metric: Option<String>,
    /// The first byte of the place.
    pub start: u32,
    /// The byte after the last.
    pub end: u32,
}

/// A value with its type, unit and period.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub(crate) struct AnswerView {
    pub value: ValueView,
    /// The value formatted for display.
    #[schema(example = "$42.49")]
    pub formatted: String,
    /// The type of the value, as a definition's `data_type`.
    #[serde(rename = "type")]
    #[schema(example = "currency")]
    pub kind: &'static str,
    /// The currency or the counted unit.
    #[schema(example = "USD")]
    pub unit: Option<String>,
    /// Whether no root, logarithm or fractional power was used.
    pub exact: bool,
    /// Why there is no value.
    #[schema(example = "division_by_zero")]
    pub null_reason: Option<&'static str>,
    /// Where the null originates.
    pub null_at: Option<NullAtView>,
    pub period: Option<PeriodView>,
    /// The value that it is compared with.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub previous: Option<ValueView>,
    /// The compared value formatted for display.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub previous_formatted: Option<String>,
    /// The growth since the compared value: 0.1 is 10 %.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub change: Option<ValueView>,
}

impl AnswerView {
    pub(crate) fn of(answer: &Answer) -> Self {
        let (kind, unit) = kind(&answer.ty);
        Self {
            value: ValueView::of(&answer.value),
            formatted: formatted_value(&answer.value, &answer.formatted),
            kind,
            unit,
            exact: answer.exact,
            null_reason: answer.null_reason.map(quotient::types::Reason::name),
            null_at: answer.null_at.as_ref().map(|at| NullAtView {
                metric: at.metric.clone(),
                start: at.span.start,
                end: at.span.end,
            }),
            period: answer.period.as_ref().map(PeriodView::of),
            previous: answer.previous.as_ref().map(ValueView::of),
            previous_formatted: answer
                .previous
                .as_ref()
                .zip(answer.previous_formatted.as_deref())
                .map(|(previous, formatted)| formatted_value(previous, formatted)),
            change: answer.change.as_ref().map(ValueView::of),
        }
    }
}

#[cfg(test)]
mod tests {
    use quotient::types::Reason;
    use rust_decimal::Decimal;

    use super::*;

    #[test]
    fn a_number_of_up_to_fifteen_digits_is_a_number_and_a_longer_one_a_text() {
        let json = |text: &str| {
            let number: Decimal = text.parse().expect("a number");
            serde_json::to_string(&ValueView::of(&Value::Number(number))).expect("JSON")
        };
        assert_eq!(json("42.4900"), "42.49");
        assert_eq!(json("-0.5"), "-0.5");
        assert_eq!(json("123456789012345"), "123456789012345");
        assert_eq!(json("0.3333333333333333333333333333"), "\"0.3333333333333333333333333333\"");
    }

    #[test]
    fn other_values_are_what_json_has_for_them() {
        let json = |value: &Value| serde_json::to_string(&ValueView::of(value)).expect("JSON");
        assert_eq!(json(&Value::missing(Reason::NoRows)), "null");
        assert_eq!(json(&Value::Bool(true)), "true");
        assert_eq!(json(&Value::text("a \"b\"")), r#""a \"b\"""#);
        assert_eq!(
            json(&Value::List([Value::Bool(false), Value::text("x")].into())),
            r#"[false,"x"]"#
        );
    }
}
