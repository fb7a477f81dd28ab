//! Findings about formulas, as responses show them.

use crate::http::ToSchema;
use quotient::Formula;
use quotient::diagnostics::{Code, Diagnostic};
use serde::Serialize;
use serde_json::Value;

use super::templates;

/// A finding about a formula.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
#[schema(example = json!({
    "code": "E203", "message": "no metric or placeholder `net_sale`", "help": "did you mean `net_sales`?",
    "start": 0, "end": 8, "suggestion": "net_sales / order_count"
}))]
pub(crate) struct FindingView {
    /// The stable code; `E` is an error, `W` a warning. `W9…` are about the metrics and data of this
    /// store; `docs/ERRORS.md` lists the others.
    pub code: &'static str,
    pub message: String,
    /// How to correct the formula.
    pub help: Option<String>,
    /// The first byte of the place.
    pub start: u32,
    /// The byte after the last.
    pub end: u32,
    /// The corrected formula, if there is only one correction.
    pub suggestion: Option<String>,
}

impl FindingView {
    pub(crate) fn of(finding: &Diagnostic, formula: &str) -> Self {
        Self {
            suggestion: finding.suggestion.as_ref().map(|suggestion| suggestion.apply(formula)),
            help: template_of(finding, formula).or_else(|| finding.help.clone()),
            ..Self::without_text(finding)
        }
    }

    /// Creates a warning about what a formula names in this store.
    pub(crate) fn of_store(
        code: &'static str,
        message: String,
        help: String,
        formula: &Formula,
    ) -> Self {
        let end = u32::try_from(formula.text().len()).unwrap_or(u32::MAX);
        Self { code, message, help: Some(help), start: 0, end, suggestion: None }
    }

    fn without_text(finding: &Diagnostic) -> Self {
        Self {
            code: finding.code.as_str(),
            message: finding.message.clone(),
            help: finding.help.clone(),
            start: finding.span.start,
            end: finding.span.end,
            suggestion: None,
        }
    }
}

/// Returns the template behind a name that the store does not have, if it is the name of a
/// template.
fn template_of(finding: &Diagnostic, formula: &str) -> Option<String> {
    if finding.code != Code::E203 {
        return None;
    }
    let template = templates::find(finding.span.slice(formula))?;
    Some(format!("create the metric first, from the template `{}`", template.id()))
}

/// Returns the errors among findings, as details of an HTTP error; with corrections if the text that they are about is
/// given.
pub(crate) fn details(findings: &[Diagnostic], formula: Option<&str>) -> Vec<Value> {
    let errors = findings.iter().filter(|finding| finding.is_error());
    let view = |finding| match formula {
        Some(formula) => FindingView::of(finding, formula),
        None => FindingView::without_text(finding),
    };
    errors.filter_map(|finding| serde_json::to_value(view(finding)).ok()).collect()
}

pub(crate) fn first(findings: &[Diagnostic]) -> String {
    let first = findings.iter().find(|finding| finding.is_error()).or(findings.first());
    first.map_or_else(
        || "The formula cannot be computed".to_owned(),
        |finding| format!("The formula does not check: {}", finding.message),
    )
}
