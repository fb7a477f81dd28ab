//! The request for a number, to copy into a shell.

use serde_json::{Map, Value};

/// Returns the `curl` line of a query about metrics.
pub(super) fn line(question: &Map<String, Value>) -> String {
    let body = Value::Object(question.clone()).to_string();
    let body = body.replace('\'', r"'\''");
    format!(
        "curl \"$STORE/admin/metrics/compute\" -H \"Authorization: Bearer $SECRET\" \\\n  -H 'content-type: application/json' -d '{body}'"
    )
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_formula_with_quotes_stays_one_word_of_the_shell() {
        let question = json!({ "formula": "count(orders where status = 'x')" });
        let line = line(question.as_object().expect("an object"));
        assert!(
            line.ends_with(r#"-d '{"formula":"count(orders where status = '\''x'\'')"}'"#),
            "{line}"
        );
    }
}
