//! Answers for programs. Numbers are exact text: no reader can round them by accident.

use quotient::engine::RowKind;
use serde_json::{Map, Value, json};

use crate::report::{Cell, Report, Shown};

/// The report as indented JSON.
pub(crate) fn json(report: &Report) -> String {
    let metrics: Vec<Value> = report
        .metrics
        .iter()
        .map(|metric| {
            json!({
                "key": metric.key,
                "title": metric.title,
                "category": metric.category,
                "type": metric.unit,
            })
        })
        .collect();
    let rows: Vec<Value> = report
        .rows
        .iter()
        .map(|row| {
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
            let keys = report.metrics.iter().map(|metric| metric.key.clone());
            let values: Map<String, Value> = keys.zip(row.cells.iter().map(cell)).collect();
            object.insert("values".to_owned(), Value::Object(values));
            Value::Object(object)
        })
        .collect();
    let whole = json!({ "period": report.period, "metrics": metrics, "rows": rows });
    pretty(&whole)
}

/// Indented, with a line's end behind it.
pub(crate) fn pretty(whole: &Value) -> String {
    let mut text = serde_json::to_string_pretty(whole).unwrap_or_default();
    text.push('\n');
    text
}

fn cell(cell: &Cell) -> Value {
    let mut object = shown(&cell.value);
    if let Some(previous) = &cell.previous {
        object.insert("previous".to_owned(), Value::Object(shown(previous)));
    }
    if let Some(change) = &cell.change {
        object.insert("change".to_owned(), Value::Object(shown(change)));
    }
    if let Some(as_of) = &cell.as_of {
        object.insert("partial".to_owned(), json!(true));
        object.insert("as_of".to_owned(), json!(as_of));
    }
    Value::Object(object)
}

fn shown(shown: &Shown) -> Map<String, Value> {
    let mut object = Map::new();
    let value = if shown.null_reason.is_some() { Value::Null } else { json!(shown.exact) };
    object.insert("value".to_owned(), value);
    object.insert("formatted".to_owned(), json!(shown.formatted));
    if let Some(reason) = &shown.null_reason {
        object.insert("null_reason".to_owned(), json!(reason));
        object.insert("null_at".to_owned(), json!(shown.null_at));
    }
    object
}

#[cfg(test)]
mod tests {
    use super::json;
    use crate::report::samples::{by_country, number};
    use serde_json::{Value, json as object};

    #[test]
    fn numbers_are_exact_text_and_nulls_have_a_reason() {
        let mut report = by_country();
        report.rows[0].cells[0].value = number("£0.10", "0.1000000000000000000000000001");

        let parsed: Value = serde_json::from_str(&json(&report)).unwrap();

        assert_eq!(
            parsed["rows"][0],
            object!({
                "group": { "country": "=France" },
                "values": {
                    "net_sales": {
                        "value": "0.1000000000000000000000000001",
                        "formatted": "£0.10"
                    },
                    "orders": { "value": "12", "formatted": "12" }
                }
            })
        );
        assert_eq!(parsed["rows"][1]["values"]["net_sales"]["value"], Value::Null);
        assert_eq!(parsed["rows"][1]["values"]["net_sales"]["null_reason"], "no_rows");
        assert_eq!(parsed["metrics"][0]["title"], "Net sales");
    }
}
