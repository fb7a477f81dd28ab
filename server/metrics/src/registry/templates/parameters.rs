//! Parameters for creating a metric from a template.

use std::cmp::Reverse;

use quotient::types::Currency;
use rust_decimal::Decimal;
use serde::Serialize;
use serde_json::{Map, Value};

use super::{Template, in_currency};
use crate::MetricError;
use crate::http::ToSchema;

/// Limit: characters of a text.
const MAX_TEXT_CHARS: usize = 100;

/// The type of a parameter's values.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum ParameterKind {
    /// A duration: `30 days`.
    Span,
    /// A percentage: 90.
    Percentage,
    /// An amount in the store's currency, in major units: 200.
    Amount,
    /// A whole number of at least 1.
    Count,
    /// A text, such as the name of a channel.
    Text,
    /// A year, half, quarter or month: `2026`, `2026-H1`, `2026-Q1`, `2026-03`.
    Period,
}

/// A replaceable part of a template's formula.
#[derive(Debug)]
pub(crate) struct Parameter {
    template: &'static str,
    pub name: &'static str,
    pub kind: ParameterKind,
    /// The default value, as a request would send it.
    pub default: &'static str,
    pub description: &'static str,
    /// The replaceable parts of the formula, each with a version that has `{}` for the value.
    places: &'static [(&'static str, &'static str)],
}

macro_rules! parameter {
    ($template:literal $name:ident: $kind:ident = $default:literal, $description:literal, [$($place:expr),+]) => {
        Parameter {
            template: $template,
            name: stringify!($name),
            kind: ParameterKind::$kind,
            default: $default,
            description: $description,
            places: &[$($place),+],
        }
    };
}

#[rustfmt::skip]
static PARAMETERS: &[Parameter] = &[
    parameter!("gmv_trailing_30" span: Span = "30 days", "How far it looks back.", [("30 days", "{}")]),
    parameter!("gmv_wow_change" span: Span = "1 week", "How far back it compares.", [("1 week", "{}")]),
    parameter!("bfcm_vs_last" span: Span = "52 weeks", "How far back it compares.", [("52 weeks", "{}")]),
    parameter!("q1_gmv" period: Period = "2026-Q1", "The period.", [("@2026-Q1", "@{}")]),
    parameter!("p90_order_value" percentile: Percentage = "90", "Which part of the orders is worth less.", [("90%", "{}")]),
    parameter!("mobile_share" channel: Text = "mobile", "The sales channel's name.", [("'mobile'", "{}")]),
    parameter!("high_value_share" threshold: Amount = "200", "From which amount on an order is large.", [("200 USD", "{}")]),
    parameter!("repeat_purchase_rate" orders: Count = "2", "How many orders make a buyer a repeating one.", [(">= 2", ">= {}")]),
    parameter!("ltv_predicted" years: Count = "3", "How many years are foreseen.", [("per_year * 3", "per_year * {}")]),
    parameter!("lead_time_p95" percentile: Percentage = "95", "Which part of the parcels left sooner.", [("95%", "{}")]),
    parameter!("late_unshipped" wait: Span = "48 hours", "After which time an order is late.", [("48 hours", "{}")]),
    parameter!("spend_band" low: Amount = "50", "Below it the band is low.", [("< 50 USD", "< {}"), ("between 50 USD", "between {}")]),
    parameter!("spend_band" high: Amount = "150", "Above it the band is high.", [("and 150 USD", "and {}")]),
    parameter!("sales_health" red: Percentage = "-20", "Growth below it is red.", [("< -20%", "< {}")]),
    parameter!("sales_health" amber: Percentage = "0", "Growth below it is amber.", [("< 0%", "< {}")]),
    parameter!("order_drop_alert" part: Percentage = "50", "The part of a usual day's orders that is too little.", [("50%", "{}")]),
    parameter!("order_drop_alert" span: Span = "28 days", "The days that say what is usual.", [("28 days", "{}")]),
];

impl Template {
    pub(crate) fn parameters(&self) -> impl Iterator<Item = &'static Parameter> {
        PARAMETERS.iter().filter(move |parameter| parameter.template == self.key)
    }
}

/// Returns a template's formula in a currency, with the chosen parameters.
///
/// # Errors
/// [`MetricError::Parameter`] for an unknown parameter or an invalid value.
pub(super) fn filled(
    template: &Template,
    chosen: &Map<String, Value>,
    currency: Currency,
) -> Result<String, MetricError> {
    let parameters: Vec<&Parameter> = template.parameters().collect();
    for name in chosen.keys() {
        if !parameters.iter().any(|parameter| parameter.name == name) {
            let names: Vec<&str> = parameters.iter().map(|parameter| parameter.name).collect();
            let names = if names.is_empty() { "none".to_owned() } else { names.join(", ") };
            return Err(MetricError::Parameter(format!(
                "The template `{}` has no parameter `{name}`; it has {names}",
                template.key
            )));
        }
    }
    let mut formula = template.formula_in(currency);
    let mut places = Vec::new();
    for parameter in parameters {
        let sent = chosen.get(parameter.name).filter(|value| !value.is_null());
        let value = sent.map_or_else(|| Value::from(parameter.default), Clone::clone);
        let written = parameter.written(&value, currency).ok_or_else(|| {
            MetricError::Parameter(format!(
                "The parameter `{}` cannot be {value}; it is {}",
                parameter.name,
                parameter.kind.expected()
            ))
        })?;
        for (piece, shape) in parameter.places {
            let piece = in_currency(piece, currency);
            for (start, piece) in formula.match_indices(&piece) {
                let end = start.saturating_add(piece.len());
                places.push((start..end, shape.replace("{}", &written)));
            }
        }
    }
    // Places were located in the template itself and are filled from the end, so that no value is taken for a
    // placeholder.
    places.sort_by_key(|(place, _)| Reverse(place.start));
    for (place, written) in places {
        formula.replace_range(place, &written);
    }
    Ok(formula)
}

impl ParameterKind {
    const fn expected(self) -> &'static str {
        match self {
            Self::Span => "a stretch of time such as `30 days`",
            Self::Percentage => "a number of percent from -1000 to 1000, such as 90",
            Self::Amount => "an amount of the store's currency, such as 200",
            Self::Count => "a whole number from 1 to 1000",
            Self::Text => "a text of 1 to 100 characters",
            Self::Period => "a year, half, quarter or month such as `2026-Q1`",
        }
    }
}

impl Parameter {
    /// Formats a value for the formula, if it is valid.
    fn written(&self, value: &Value, currency: Currency) -> Option<String> {
        let text = match value {
            Value::String(text) => text.trim().to_owned(),
            Value::Number(number) => number.to_string(),
            Value::Null | Value::Bool(_) | Value::Array(_) | Value::Object(_) => return None,
        };
        match self.kind {
            ParameterKind::Span => is_span(&text).then_some(text),
            ParameterKind::Percentage => {
                let percent = decimal(&text)?;
                (percent.abs() <= Decimal::ONE_THOUSAND).then(|| format!("{percent}%"))
            }
            ParameterKind::Amount => {
                let amount = decimal(&text)?;
                let fits = !amount.is_sign_negative() && amount.scale() <= currency.digits();
                fits.then(|| format!("{amount} {}", currency.code()))
            }
            ParameterKind::Count => {
                let count: u32 = text.parse().ok()?;
                (1..=1_000).contains(&count).then(|| count.to_string())
            }
            ParameterKind::Text => {
                let fits = !text.is_empty() && text.chars().count() <= MAX_TEXT_CHARS;
                (fits && !text.contains(char::is_control))
                    .then(|| format!("'{}'", text.replace('\'', "''")))
            }
            ParameterKind::Period => is_period(&text).then_some(text),
        }
    }
}

/// Parses plain digits only, so that nothing is rounded.
fn decimal(text: &str) -> Option<Decimal> {
    Decimal::from_str_exact(text).ok()
}

fn is_span(text: &str) -> bool {
    const UNITS: &[&str] = &["minute", "hour", "day", "week", "month", "quarter", "year"];
    let Some((count, unit)) = text.split_once(' ') else { return false };
    let is_count = count.parse::<u16>().is_ok_and(|count| (1..=9_999).contains(&count));
    is_count && UNITS.contains(&unit.strip_suffix('s').unwrap_or(unit))
}

fn is_period(text: &str) -> bool {
    let (year, rest) = text.split_once('-').unwrap_or((text, ""));
    let is_year = year.len() == 4 && year.bytes().all(|digit| digit.is_ascii_digit());
    let is_part = match rest.as_bytes() {
        [] => !text.contains('-'),
        [b'Q', b'1'..=b'4'] | [b'H', b'1' | b'2'] | [b'0', b'1'..=b'9'] | [b'1', b'0'..=b'2'] => {
            true
        }
        _ => false,
    };
    is_year && is_part
}
