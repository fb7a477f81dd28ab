//! Answers for programs, as a whole or line by line. Numbers are exact text, so that no reader rounds
//! them by accident.

use std::fmt::Write;

use quotient::engine::RowKind;
use quotient::format::exact;
use quotient::types::Value as Computed;
use serde_json::{Map, Value, json};

use crate::report::{Cell, FormattedValue, Heading, KnownPeriod, Origin, Report, Row};

/// The report as indented JSON.
pub(crate) fn json(report: &Report) -> String {
    let metric = |metric: &Heading| {
        json!({
            "key": metric.key,
            "title": metric.title,
            "category": metric.category,
            "type": metric.ty,
            "unit": metric.unit,
        })
    };
    let row = |row: &Row| {
        let mut object = marked(row, report);
        let answers = report.metrics.iter().zip(&row.cells);
        let values: Map<String, Value> = answers
            .map(|(metric, cell)| (metric.key.clone(), Value::Object(answer(metric, cell))))
            .collect();
        object.insert("values".to_owned(), Value::Object(values));
        Value::Object(object)
    };
    let whole = json!({
        "period": report.whole.as_ref().map(period),
        "timezone": report.timezone,
        "metrics": report.metrics.iter().map(metric).collect::<Vec<_>>(),
        "rows": report.rows.iter().map(row).collect::<Vec<_>>(),
        "inputs_used": report.inputs_used,
        "missing_inputs": report.missing_inputs,
        "diagnostics": report.diagnostics,
    });
    pretty(&whole)
}

/// Indented, with a line's end behind it.
pub(crate) fn pretty(whole: &Value) -> String {
    let mut text = serde_json::to_string_pretty(whole).unwrap_or_default();
    text.push('\n');
    text
}

/// The report with one answer per line: its metric and row, then the fields of an answer in [`json()`].
/// Diagnostics follow, one per line.
pub(crate) fn ndjson(report: &Report) -> String {
    let mut all = Vec::new();
    for row in &report.rows {
        for (metric, cell) in report.metrics.iter().zip(&row.cells) {
            let mut object = Map::new();
            object.insert("metric".to_owned(), json!(metric.key));
            object.extend(marked(row, report));
            object.extend(answer(metric, cell));
            all.push(Value::Object(object));
        }
    }
    all.extend(report.diagnostics.iter().cloned());
    lines(&all)
}

/// Values, one a line.
pub(crate) fn lines(values: &[Value]) -> String {
    let mut out = String::new();
    for value in values {
        writeln!(out, "{value}").ok();
    }
    out
}

/// What a row stands for: its kind unless it is a group, its group and its bucket.
fn marked(row: &Row, report: &Report) -> Map<String, Value> {
    let mut object = Map::new();
    let kind = match row.kind {
        RowKind::Group => None,
        RowKind::Subtotal => Some("subtotal"),
        RowKind::Others => Some("others"),
        RowKind::Total => Some("total"),
    };
    object.extend(kind.map(|kind| ("kind".to_owned(), json!(kind))));
    if !report.group_names.is_empty() {
        let names = report.group_names.iter().cloned();
        let group: Map<String, Value> =
            names.zip(row.group.iter().map(|value| json!(value))).collect();
        object.insert("group".to_owned(), Value::Object(group));
    }
    if let Some(bucket) = &row.bucket {
        object.insert("bucket".to_owned(), json!(bucket));
    }
    object
}

/// An answer: the value with its type, unit and period, and for a null the reason and the origin.
fn answer(metric: &Heading, cell: &Cell) -> Map<String, Value> {
    let mut object = Map::new();
    let mut add = |name: &str, value: Value| object.insert(name.to_owned(), value);
    add("value", cell.value.value.as_ref().map_or(Value::Null, typed));
    add("type", json!(metric.ty));
    let currency = cell.currency.as_deref();
    add("unit", currency.map_or_else(|| json!(metric.unit), |code| json!(code)));
    add("formatted", json!(cell.value.formatted));
    add("exact", json!(!cell.is_inexact));
    add("null_reason", json!(cell.value.null_reason));
    add("null_at", cell.null_at.as_ref().map_or(Value::Null, origin));
    add("period", cell.period.as_ref().map_or(Value::Null, period));
    if let Some(previous) = &cell.previous {
        add("previous", compared(previous));
    }
    if let Some(change) = &cell.change {
        add("change", compared(change));
    }
    object
}

/// A value as JSON has it: numbers as exact text, lists as lists.
fn typed(value: &Computed) -> Value {
    match value {
        Computed::Missing(_) => Value::Null,
        Computed::Bool(truth) => json!(truth),
        Computed::List(items) => items.iter().map(typed).collect(),
        Computed::Number(_)
        | Computed::Text(_)
        | Computed::Date(_)
        | Computed::DateTime(_)
        | Computed::Period(_)
        | Computed::Span(_) => json!(exact(value)),
    }
}

fn origin(at: &Origin) -> Value {
    json!({ "metric": at.metric, "start": at.start, "end": at.end, "text": at.text })
}

fn period(period: &KnownPeriod) -> Value {
    json!({
        "from": period.from.to_string(),
        "to": period.to.to_string(),
        "partial": period.is_partial,
        "as_of": period.as_of.to_string(),
    })
}

fn compared(shown: &FormattedValue) -> Value {
    json!({
        "value": shown.value.as_ref().map_or(Value::Null, typed),
        "formatted": shown.formatted,
        "null_reason": shown.null_reason,
    })
}

#[cfg(test)]
mod tests {
    use super::{json, ndjson};
    use crate::report::samples::{by_country, number};
    use crate::report::{FormattedValue, KnownPeriod, Origin};
    use quotient::types::Value as Computed;
    use serde_json::{Value, json as object};

    fn parsed(report: &crate::report::Report) -> Value {
        serde_json::from_str(&json(report)).unwrap()
    }

    #[test]
    fn numbers_are_exact_text_and_nulls_have_a_reason_and_a_place() {
        let mut report = by_country();
        report.rows[0].cells[0].value = number("£0.10", "0.1000000000000000000000000001");
        report.rows[1].cells[0].null_at =
            Some(Origin { metric: None, start: 4, end: 9, text: "1 / 0".to_owned() });

        let parsed = parsed(&report);

        assert_eq!(parsed["rows"][0]["group"], object!({ "country": "=France" }));
        assert_eq!(
            parsed["rows"][0]["values"]["net_sales"],
            object!({
                "value": "0.1000000000000000000000000001",
                "type": "money(GBP)",
                "unit": "GBP",
                "formatted": "£0.10",
                "exact": true,
                "null_reason": null,
                "null_at": null,
                "period": null
            })
        );
        let null = &parsed["rows"][1]["values"]["net_sales"];
        assert_eq!((&null["value"], &null["null_reason"]), (&Value::Null, &object!("no_rows")));
        assert_eq!(
            null["null_at"],
            object!({ "metric": null, "start": 4, "end": 9, "text": "1 / 0" })
        );
        assert_eq!(parsed["metrics"][0]["title"], "Net sales");
    }

    #[test]
    fn the_unit_of_an_amount_is_the_currency_of_its_rows() {
        let mut report = by_country();
        report.rows[0].cells[0].currency = Some("EUR".into());

        let parsed = parsed(&report);
        let unit = |row: usize| &parsed["rows"][row]["values"]["net_sales"]["unit"];

        assert_eq!((unit(0), unit(2)), (&object!("EUR"), &object!("GBP")));
    }

    #[test]
    fn lists_and_truth_are_those_of_json_and_inexact_results_are_marked() {
        let mut report = by_country();
        let list = [Computed::Number("1.50".parse().unwrap()), Computed::Bool(true)];
        report.rows[0].cells[0].value = FormattedValue {
            value: Some(Computed::List(list.into())),
            ..FormattedValue::default()
        };
        report.rows[0].cells[0].is_inexact = true;
        report.rows[0].cells[0].period = Some(KnownPeriod {
            from: "2011-12-01".parse().unwrap(),
            to: "2011-12-31".parse().unwrap(),
            is_partial: true,
            as_of: "2011-12-10T00:00:00Z".parse().unwrap(),
        });

        let parsed = parsed(&report);
        let answer = &parsed["rows"][0]["values"]["net_sales"];

        assert_eq!(answer["value"], object!(["1.5", true]));
        assert_eq!(answer["exact"], false);
        assert_eq!(
            answer["period"],
            object!({
                "from": "2011-12-01", "to": "2011-12-31", "partial": true,
                "as_of": "2011-12-10T00:00:00Z"
            })
        );
    }

    #[test]
    fn every_answer_is_an_object_on_a_line_of_its_own() {
        let text = ndjson(&by_country());
        let parsed: Vec<Value> =
            text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();

        assert_eq!(parsed.len(), 6);
        assert_eq!(parsed[0]["metric"], "net_sales");
        assert_eq!(parsed[0]["group"], object!({ "country": "=France" }));
        assert_eq!(parsed[0]["value"], "1000.5");
        assert_eq!(parsed[2]["null_reason"], "no_rows");
        assert_eq!(parsed[5]["metric"], "orders");
    }
}
