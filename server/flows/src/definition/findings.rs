//! The findings of a check.

use crate::http::ToSchema;
use serde::Serialize;
use serde_json::Value;

/// A defect of a draft.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
#[schema(as = FlowFinding, example = json!({
    "button": "socks", "path": "buttons.socks.accept_next[0].to", "message": "there is no button `thank`", "details": [],
}))]
pub(crate) struct Finding {
    /// The key of the button; null for the draft as a whole.
    pub(crate) button: Option<String>,
    /// The place in the draft.
    pub(crate) path: String,
    pub(crate) message: String,
    /// The findings of a formula.
    #[schema(value_type = Vec<Object>)]
    pub(crate) details: Vec<Value>,
}

#[derive(Debug, Default)]
pub(crate) struct Findings(pub(crate) Vec<Finding>);

impl Findings {
    pub(crate) fn of_draft(&mut self, path: &str, message: impl Into<String>) {
        let (path, message) = (path.to_owned(), message.into());
        self.0.push(Finding { button: None, path, message, details: Vec::new() });
    }

    pub(crate) fn of(&mut self, key: &str, part: &str, message: impl Into<String>) {
        self.add((key, part), message.into(), Vec::new());
    }

    /// Adds the findings of a condition, if there are any.
    pub(crate) fn of_formula(&mut self, place: (&str, &str), details: Vec<Value>) {
        let Some(first) = details.first() else { return };
        let message = first.get("message").and_then(Value::as_str).unwrap_or_default().to_owned();
        self.add(place, message, details);
    }

    fn add(&mut self, (key, part): (&str, &str), message: String, details: Vec<Value>) {
        let path = format!("buttons.{key}.{part}");
        self.0.push(Finding { button: Some(key.to_owned()), path, message, details });
    }
}
