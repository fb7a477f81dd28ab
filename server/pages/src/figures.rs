//! Figures as pages show them: the API's answers, percentage changes, reasons of nulls, small charts.

use std::collections::BTreeMap;

use rust_decimal::Decimal;
use rust_decimal::prelude::ToPrimitive as _;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::decimal;
use super::locale::Locale;
use super::store::Store;

/// A value in the API's format, with its series and its groups.
#[derive(Debug, Clone, Default, Deserialize)]
pub(super) struct Answer {
    #[serde(default)]
    pub(super) value: Value,
    #[serde(default)]
    pub(super) formatted: String,
    #[serde(rename = "type", default)]
    pub(super) kind: String,
    pub(super) unit: Option<String>,
    pub(super) null_reason: Option<String>,
    pub(super) period: Option<Period>,
    pub(super) previous_formatted: Option<String>,
    pub(super) change: Option<Value>,
    #[serde(default)]
    pub(super) series: Vec<Self>,
    #[serde(default)]
    pub(super) groups: Vec<Self>,
    #[serde(default)]
    pub(super) keys: BTreeMap<String, Value>,
    pub(super) definition: Option<Definition>,
    pub(super) as_of: Option<String>,
    #[serde(default)]
    pub(super) warnings: Vec<String>,
    /// Why this metric has no answer, if others have one.
    pub(super) error: Option<AnswerError>,
}

impl Answer {
    /// Returns amounts in a currency over periods.
    pub(super) fn of_amounts(
        store: &Store,
        code: &str,
        points: impl Iterator<Item = (Value, Period)>,
    ) -> Self {
        let point = |(value, period): (Value, Period)| Self {
            formatted: store.money(code, &value),
            value,
            period: Some(period),
            ..Self::default()
        };
        Self { series: points.map(point).collect(), ..Self::default() }
    }
}

/// The period of a value.
#[derive(Debug, Clone, Deserialize)]
pub(super) struct Period {
    pub(super) start: Option<String>,
    pub(super) end: Option<String>,
    /// Whether it has not ended.
    #[serde(rename = "partial", default)]
    pub(super) is_partial: bool,
}

/// The definition with which a value was computed.
#[derive(Debug, Clone, Deserialize)]
pub(super) struct Definition {
    pub(super) version: Option<u32>,
}

/// Why a metric has no answer.
#[derive(Debug, Clone, Deserialize)]
pub(super) struct AnswerError {
    pub(super) message: String,
}

/// The answer to a question about several metrics.
#[derive(Debug, Clone, Deserialize)]
pub(super) struct ValuesAnswer {
    pub(super) metrics: BTreeMap<String, Answer>,
}

/// A change since an earlier period.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Change {
    /// The change in percent with its sign, such as `+12.4%`.
    pub(super) text: String,
    /// `up`, `down` or `flat`.
    pub(super) direction: &'static str,
}

impl Change {
    /// Returns the change in an answer; none if there is nothing to compare with.
    pub(super) fn of(growth: Option<&Value>, locale: Locale) -> Option<Self> {
        let growth = decimal::read(growth?)?;
        let percent = growth.checked_mul(Decimal::ONE_HUNDRED)?.round_dp(1);
        let (sign, direction) = match percent.cmp(&Decimal::ZERO) {
            std::cmp::Ordering::Less => ("−", "down"),
            std::cmp::Ordering::Equal => ("", "flat"),
            std::cmp::Ordering::Greater => ("+", "up"),
        };
        let text = locale.percent(&format!("{:.1}", percent.abs()));
        Some(Self { text: format!("{sign}{text}"), direction })
    }
}

/// An answer as pages show it.
#[derive(Debug, Clone)]
pub(super) struct Figure {
    pub(super) formatted: String,
    /// Why there is no value.
    pub(super) reason: Option<String>,
    pub(super) previous: Option<String>,
    pub(super) change: Option<Change>,
}

impl Figure {
    pub(super) fn of(answer: &Answer, locale: Locale) -> Self {
        Self {
            formatted: answer.formatted.clone(),
            reason: answer.null_reason.as_deref().map(|name| reason(name).to_owned()),
            previous: answer.previous_formatted.clone(),
            change: Change::of(answer.change.as_ref(), locale),
        }
    }
}

/// Returns the reason for a missing value, in words.
pub(super) fn reason(name: &str) -> &'static str {
    match name {
        "missing_input" => "an input is missing",
        "null_value" => "a field is empty",
        "no_rows" => "there are no rows to count",
        "no_coverage" => "there is no data this far back",
        "not_yet" => "the period has not begun",
        "no_bucket" => "there is no earlier period in the range",
        "division_by_zero" => "it would divide by zero",
        "not_comparable" => "the earlier value is negative",
        "no_branch" => "no case applies",
        "overflow" => "the number is too large",
        "no_rate" => "an exchange rate is missing",
        "mixed_currency" => "it would mix currencies",
        "domain" => "it is outside of what can be computed",
        _ => "it has no value",
    }
}

/// The width and the height of sparklines, in their own units.
const WIDTH: i64 = 100;
const HEIGHT: i64 = 28;

/// Returns the path of a line through values, from left to right, with gaps where they are missing.
pub(super) fn sparkline(values: &[Option<Decimal>]) -> String {
    let known = || values.iter().flatten();
    let (Some(least), Some(most)) = (known().min(), known().max()) else { return String::new() };
    let steps = i64::try_from(values.len()).unwrap_or(i64::MAX).saturating_sub(1).max(1);
    let mut path = String::new();
    let mut pen = 'M';
    for (index, value) in values.iter().enumerate() {
        let Some(value) = value else {
            pen = 'M';
            continue;
        };
        let index = i64::try_from(index).unwrap_or(steps);
        let x = WIDTH.saturating_mul(10).saturating_mul(index).checked_div(steps).unwrap_or(0);
        let y = HEIGHT.saturating_sub(scaled(*value, (*least, *most), HEIGHT));
        let point = format!("{pen}{}.{} {y}", x / 10, x % 10);
        path.push_str(&point);
        pen = 'L';
    }
    path
}

/// Returns the position of a value between two others, from 0 to `size`.
pub(super) fn scaled(value: Decimal, (least, most): (Decimal, Decimal), size: i64) -> i64 {
    let part = || {
        let span = most.checked_sub(least)?;
        let part = value.checked_sub(least)?.checked_div(span)?;
        part.checked_mul(Decimal::from(size))?.round().to_i64()
    };
    part().unwrap_or(size / 2).clamp(0, size)
}

/// Returns the lengths of bars, out of 100; the largest number fills the whole.
pub(super) fn bars(numbers: &[Option<Decimal>]) -> Vec<i64> {
    let most = numbers.iter().flatten().max().copied().unwrap_or_default();
    let is_drawn = most > Decimal::ZERO;
    let bar = |own: &Option<Decimal>| match own {
        Some(own) if is_drawn => scaled(*own, (Decimal::ZERO, most), 100),
        Some(_) | None => 0,
    };
    numbers.iter().map(bar).collect()
}

/// The data of a chart over time, read by the script of the page.
#[derive(Debug, Clone, Serialize)]
pub(super) struct Chart {
    /// The starts of the buckets, and their displayed names.
    pub(super) at: Vec<String>,
    pub(super) names: Vec<String>,
    pub(super) lines: Vec<Line>,
    pub(super) zone: String,
    /// The type of the values, and their currency or unit.
    pub(super) kind: String,
    pub(super) unit: Option<String>,
    pub(super) by: &'static str,
}

#[derive(Debug, Clone, Serialize)]
pub(super) struct Line {
    pub(super) name: String,
    /// Whether it is drawn behind the others.
    pub(super) is_earlier: bool,
    /// Whether its values are drawn as single marks.
    pub(super) is_marks: bool,
    /// The exact values; null where there is none.
    pub(super) values: Vec<Value>,
    /// The same values, formatted.
    pub(super) formatted: Vec<String>,
}

impl Line {
    pub(super) fn of(name: impl Into<String>, series: &[Answer], is_earlier: bool) -> Self {
        Self {
            name: name.into(),
            is_earlier,
            is_marks: false,
            values: series.iter().map(|own| own.value.clone()).collect(),
            formatted: series.iter().map(|own| own.formatted.clone()).collect(),
        }
    }

    /// Returns marks at some of the values of a series.
    pub(super) fn marks(name: impl Into<String>, series: &[Answer], at: &[usize]) -> Self {
        let is_marked = |index: usize| at.contains(&index);
        let marked = series.iter().enumerate();
        let value = |(index, own): (usize, &Answer)| {
            // Where the value is missing, the mark is at the bottom.
            let value = if own.value.is_null() { Value::from(0) } else { own.value.clone() };
            if is_marked(index) { value } else { Value::Null }
        };
        let formatted = (0..series.len()).map(|index| if is_marked(index) { "yes" } else { "" });
        Self {
            name: name.into(),
            is_earlier: false,
            is_marks: true,
            values: marked.map(value).collect(),
            formatted: formatted.map(str::to_owned).collect(),
        }
    }
}

impl Chart {
    /// Returns the chart of a series, with an earlier one behind it.
    pub(super) fn of(
        (name, answer): (&str, &Answer),
        earlier: Option<(&str, &Answer)>,
        (store, by): (&Store, &'static str),
    ) -> Self {
        let periods = answer.series.iter().filter_map(|own| own.period.as_ref());
        let buckets = periods.filter_map(|own| Some((own.start.as_deref()?, own.end.as_deref())));
        let named = |(start, end): (&str, Option<&str>)| store.bucket(by, start, end);
        let mut lines = vec![Line::of(name, &answer.series, false)];
        if let Some((name, earlier)) = earlier {
            let mut line = Line::of(name, &earlier.series, true);
            line.values.truncate(answer.series.len());
            line.formatted.truncate(answer.series.len());
            lines.push(line);
        }
        Self {
            at: buckets.clone().map(|(start, _)| start.to_owned()).collect(),
            names: buckets.map(named).collect(),
            lines,
            zone: store.time_zone.clone(),
            kind: answer.kind.clone(),
            unit: answer.unit.clone(),
            by,
        }
    }

    /// Returns the chart of a series; none if it has no values.
    pub(super) fn of_values(
        (name, answer): (&str, &Answer),
        earlier: Option<(&str, &Answer)>,
        scale: (&Store, &'static str),
    ) -> Option<Self> {
        let has_values = answer.series.iter().any(|own| decimal::read(&own.value).is_some());
        has_values.then(|| Self::of((name, answer), earlier, scale))
    }

    /// Returns the data for the script.
    pub(super) fn json(&self) -> String {
        serde_json::to_string(self).unwrap_or_default()
    }

    /// Returns the rows of the chart as a table: the bucket and the value of each line.
    pub(super) fn rows(&self) -> Vec<(String, Vec<String>)> {
        let cell =
            |line: &Line, index: usize| line.formatted.get(index).cloned().unwrap_or_default();
        let row = |(index, name): (usize, &String)| {
            let cells = self.lines.iter().map(|line| cell(line, index)).collect();
            (name.clone(), cells)
        };
        self.names.iter().enumerate().map(row).collect()
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_change_has_a_sign_and_one_decimal() {
        for (growth, expected) in [
            (json!(0.1234), "+12.3%"),
            (json!("-0.5"), "−50.0%"),
            (json!(0), "0.0%"),
            (json!("-0.00001"), "0.0%"),
        ] {
            let change = Change::of(Some(&growth), Locale::default()).map(|change| change.text);
            assert_eq!(change.as_deref(), Some(expected), "{growth}");
        }
        assert_eq!(Change::of(Some(&Value::Null), Locale::default()), None);
        assert_eq!(Change::of(None, Locale::default()), None);
    }

    #[test]
    fn a_line_runs_from_corner_to_corner_and_has_gaps() {
        let values = [Some(Decimal::ZERO), None, Some(Decimal::TEN), Some(Decimal::ONE)];
        assert_eq!(sparkline(&values), "M0.0 28M66.6 0L100.0 25");
        assert_eq!(sparkline(&[None]), "");
        assert_eq!(sparkline(&[Some(Decimal::ONE); 2]), "M0.0 14L100.0 14");
    }

    #[test]
    fn bars_are_shares_of_the_greatest_number_and_nothing_without_one() {
        let number = |text: &str| text.parse().ok();
        assert_eq!(bars(&[number("5"), None, number("20"), number("-3")]), [25, 0, 100, 0]);
        assert_eq!(bars(&[number("0"), number("0"), None]), [0, 0, 0]);
        assert_eq!(bars(&[number("-1"), number("-2")]), [0, 0]);
        assert_eq!(bars(&[]), Vec::<i64>::new());
    }

    #[test]
    fn every_reason_of_the_engine_has_words() {
        for name in ["no_rows", "division_by_zero", "no_coverage", "not_yet"] {
            assert_ne!(reason(name), "it has no value", "{name}");
        }
    }
}
