//! `--check`: findings in the file, and examples that do not hold.

use quotient::data::Record;
use quotient::diagnostics::{Code, Diagnostic};
use quotient::file::{ExampleDefinition, FormulaSource, MetricDefinition};
use quotient::format;
use quotient::types::Value;

use crate::console;
use crate::facade::Metric;
use crate::failure::Failure;
use crate::session::Session;
use crate::sources::Given;

/// A line that says how much was checked, or everything that is wrong.
pub(crate) fn check(session: &Session) -> Result<String, Failure> {
    let mut findings = session.findings.clone();
    let mut example_count = 0_usize;
    for definition in &session.definitions {
        let Some(metric) = session.engine().metric(&definition.key.value) else { continue };
        for example in &definition.examples {
            example_count = example_count.saturating_add(1);
            findings.extend(example_finding(session, definition, metric, example));
        }
    }
    findings.sort_by_key(|(file, finding)| (*file, finding.span));
    let drawn = console::drawn(&session.files, &findings, console::findings_style());
    if findings.iter().any(|(_, finding)| finding.is_error()) {
        return Err(Failure::Findings(drawn));
    }
    console::print_error(&drawn);
    let metrics = counted(session.definitions.len(), "metric");
    Ok(format!("{metrics}, {}: all is well\n", counted(example_count, "example")))
}

fn counted(count: usize, noun: &str) -> String {
    format!("{count} {noun}{}", if count == 1 { "" } else { "s" })
}

/// What is wrong with an example, if anything is.
fn example_finding(
    session: &Session,
    definition: &MetricDefinition,
    metric: &Metric,
    example: &ExampleDefinition,
) -> Option<(usize, Diagnostic)> {
    let wrong = |place: &FormulaSource, message: String| {
        Some((place.file, Diagnostic::new(Code::E804, place.span, message)))
    };
    let record = match Record::from_json(&example.context.text) {
        Ok(record) => record,
        Err(error) => return wrong(&example.context, error.to_string()),
    };
    let given = Given { data: None, record: Some(record) };
    let answer = match session.constant(&metric.formula, &given) {
        Ok(answer) => answer,
        Err(findings) => {
            let message = findings.first().map(|finding| finding.message.clone());
            return wrong(&example.context, message.unwrap_or_else(|| "no answer".to_owned()));
        }
    };
    let value = match expected(session, &example.expected.text) {
        Ok(value) => value,
        Err(message) => return wrong(&example.expected, message),
    };
    if same(&answer.value, &value) {
        return None;
    }
    let message = format!("`{}` is {} here", definition.key.value, written(&answer.value));
    wrong(&example.expected, message)
}

/// What an example expects: `null (reason)`, or the value of a constant.
fn expected(session: &Session, text: &str) -> Result<Expected, String> {
    if let Some(rest) = text.strip_prefix("null") {
        let reason = rest.trim().trim_start_matches('(').trim_end_matches(')').trim();
        return Ok(Expected::Null(Some(reason.to_owned()).filter(|reason| !reason.is_empty())));
    }
    let formula = session.engine().compile(text).map_err(|findings| {
        findings.first().map_or_else(String::new, |finding| finding.message.clone())
    })?;
    let answer = session.constant(&formula, &Given::default());
    let answer = answer.map_err(|_| "a constant is expected".to_owned())?;
    Ok(Expected::Value(answer.value))
}

#[derive(Debug)]
enum Expected {
    /// A null, for the reason if one is given.
    Null(Option<String>),
    Value(Value),
}

fn same(value: &Value, expected: &Expected) -> bool {
    match expected {
        Expected::Null(reason) => value.as_missing().is_some_and(|missing| {
            reason.as_ref().is_none_or(|reason| reason == missing.reason.name())
        }),
        Expected::Value(expected) => {
            // Numbers may differ in zeros behind the point.
            !value.is_missing() && format::exact(value) == format::exact(expected)
        }
    }
}

fn written(value: &Value) -> String {
    match value.as_missing() {
        Some(missing) => format!("null ({})", missing.reason.name()),
        None => format::exact(value),
    }
}
