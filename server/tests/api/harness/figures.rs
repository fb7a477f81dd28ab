//! Metrics from templates, month by month, against an independent recount.

use std::borrow::Cow;
use std::path::Path;
use std::process::Command;

use quotient_server::testing::rounds;
use serde::Deserialize;
use serde_json::{Value, json};

use super::{Person, TestServer};

/// The rows of a recount's file or, in full tests, many times as many, which the recount generates and
/// counts.
pub(crate) fn rows(folder: &str, kept: &'static str, full: usize) -> Cow<'static, str> {
    let times = rounds(1, full);
    if times == 1 {
        return Cow::Borrowed(kept);
    }
    let made = tempfile::NamedTempFile::new().expect("a file");
    let program =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/api").join(folder).join("figures.py");
    let mut python = Command::new("python3");
    python.arg(program).arg("--times").arg(times.to_string()).arg(made.path());
    assert!(python.status().expect("Python").success(), "{python:?}");
    Cow::Owned(std::fs::read_to_string(made.path()).expect("the rows"))
}

/// The results of a recount.
#[derive(Debug, Deserialize)]
pub(crate) struct Counted {
    months: Vec<Value>,
}

/// Returns a value: its number as text, or null.
pub(crate) fn text(value: &Value) -> Value {
    if value.is_number() { json!(value.to_string()) } else { value.clone() }
}

impl TestServer {
    /// Returns the answer to a formula over a month of the recount.
    pub(crate) async fn over_month(&self, formula: &str, month: &Value, more: Value) -> Value {
        let mut body = json!({
            "formula": formula, "currency_code": "gbp", "start_date": month["first"], "end_date": month["last"],
        });
        if let (Value::Object(body), Value::Object(more)) = (&mut body, more) {
            body.extend(more);
        }
        let answer = self.post(&Person::admin(), "/admin/metrics/compute", body).await.ok();
        answer["metrics"]["formula"].clone()
    }

    /// Creates the metrics of a recount from their templates, and compares them over each of its months. `is_same` compares
    /// a value with the recount's.
    pub(crate) async fn assert_recounted(
        &self,
        figures: &str,
        count: usize,
        is_same: impl Fn(&str, &Value, &Value) -> bool,
    ) {
        let Counted { months } = serde_json::from_str(figures).expect("JSON");
        let keys: Vec<&String> = months[0]["values"].as_object().expect("values").keys().collect();
        for key in &keys {
            self.instantiate(key).await;
        }
        let mut wrong = Vec::new();
        for month in &months {
            for key in &keys {
                let value = text(&self.over_month(key, month, json!({})).await["value"]);
                let expected = &month["values"][key.as_str()];
                if !is_same(key, &value, expected) {
                    let month = &month["first"];
                    wrong.push(format!("{key} of {month}: {value}, recounted {expected}"));
                }
            }
        }
        assert!(wrong.is_empty(), "{wrong:#?}");
        assert_eq!(keys.len(), count);
    }

    /// Creates a metric from its template.
    pub(crate) async fn instantiate(&self, key: &str) {
        let path = format!("/admin/metrics/templates/tmpl_{key}");
        let template = self.get(&Person::admin(), &path).await.ok();
        let name = json!({ "name": template["template"]["name"] });
        let made = self.post(&Person::admin(), &format!("{path}/instantiate"), name).await;
        // Some were created with others whose formulas use them.
        assert!(matches!(made.status, 201 | 409), "{key}: {made:?}");
    }
}

/// Returns whether two values are the same.
pub(crate) fn is_same(_key: &str, value: &Value, expected: &Value) -> bool {
    value == expected
}
