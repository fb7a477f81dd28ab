//! Answers for programs that read line by line: one JSON object per line.

use std::fmt::Write;

use serde_json::{Map, Value, json};

use crate::json::{answer, marked};
use crate::report::Report;

/// The report with one answer per line: its metric and row, then the fields of an answer in `json`.
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::samples::by_country;

    #[test]
    fn every_answer_is_an_object_on_a_line_of_its_own() {
        let text = ndjson(&by_country());
        let parsed: Vec<Value> =
            text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();

        assert_eq!(parsed.len(), 6);
        assert_eq!(parsed[0]["metric"], "net_sales");
        assert_eq!(parsed[0]["group"], json!({ "country": "=France" }));
        assert_eq!(parsed[0]["value"], "1000.5");
        assert_eq!(parsed[2]["null_reason"], "no_rows");
        assert_eq!(parsed[5]["metric"], "orders");
    }
}
