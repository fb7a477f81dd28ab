//! What is wrong with formulas, as answers carry it.

use quotient::diagnostics::Diagnostic;
use serde::Serialize;
use serde_json::Value;
use utoipa::ToSchema;

/// Something found in a formula.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
#[schema(example = json!({
    "code": "E203", "message": "no metric or placeholder `net_sale`", "help": "did you mean `net_sales`?",
    "start": 0, "end": 8, "suggestion": "net_sales / order_count"
}))]
pub(crate) struct FindingView {
    /// Its stable code; `E` refuses the formula, `W` warns.
    pub code: &'static str,
    /// One sentence.
    pub message: String,
    /// How to mend it.
    pub help: Option<String>,
    /// The first byte of the place it speaks of.
    pub start: u32,
    /// One past the last.
    pub end: u32,
    /// The formula mended, where there is one way to mend it.
    pub suggestion: Option<String>,
}

impl FindingView {
    pub(crate) fn of(finding: &Diagnostic, formula: &str) -> Self {
        Self {
            suggestion: finding.suggestion.as_ref().map(|suggestion| suggestion.apply(formula)),
            ..Self::without_text(finding)
        }
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

/// The errors among findings, as an error's details.
pub(crate) fn details(findings: &[Diagnostic]) -> Vec<Value> {
    let errors = findings.iter().filter(|finding| finding.is_error());
    errors
        .filter_map(|finding| serde_json::to_value(FindingView::without_text(finding)).ok())
        .collect()
}

pub(crate) fn first(findings: &[Diagnostic]) -> String {
    let first = findings.iter().find(|finding| finding.is_error()).or(findings.first());
    first.map_or_else(
        || "The formula cannot be computed".to_owned(),
        |finding| format!("The formula does not check: {}", finding.message),
    )
}
