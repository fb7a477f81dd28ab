//! Stored examples: a context record with the expected result of the formula.

use super::loading::located;
use super::{Engine, Inputs, Request};
use crate::data::{Record, RecordError, entries, plain_name};
use crate::diagnostics::{Code, Diagnostic};
use crate::file::{ExampleDefinition, FormulaSource, Loaded};
use crate::source::Span;

/// The result of running the examples of formula files.
#[derive(Debug, Clone, Default)]
pub struct ExampleReport {
    /// The number of examples that passed.
    pub passed: usize,
    /// The failed examples, with the index of the file and the place in it.
    pub failed: Vec<(usize, Diagnostic)>,
    /// What is probably wrong with their contexts, see [`Engine::check_record`].
    pub warnings: Vec<(usize, Diagnostic)>,
}

/// The outcome of one example.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ExampleOutcome {
    /// The formula gives the expected value.
    Held,
    /// The formula gives another value or none. The findings refer to the text of the formula.
    Failed {
        /// The actual result, or why there is none.
        message: String,
        /// The findings of the evaluation.
        findings: Vec<Diagnostic>,
    },
}

impl Engine {
    /// Runs every example of loaded formula files.
    pub fn run_examples(&self, loaded: &Loaded) -> ExampleReport {
        let mut report = ExampleReport::default();
        for metric in &loaded.metrics {
            for example in &metric.examples {
                let context = &example.context;
                if let Err(error) = Record::from_json(&context.text) {
                    report.failed.push(unreadable(context, &error));
                    continue;
                }
                let warnings = self.check_record(&context.text).into_iter();
                report.warnings.extend(warnings.map(|finding| located(context, finding)));
                let outcome = self.run_example(
                    &metric.formula.text,
                    &example.context.text,
                    &example.expected.text,
                );
                match outcome {
                    ExampleOutcome::Held => report.passed = report.passed.saturating_add(1),
                    ExampleOutcome::Failed { findings, .. } if !findings.is_empty() => {
                        let placed = findings
                            .into_iter()
                            .map(|finding| in_example(example, located(&metric.formula, finding)));
                        report.failed.extend(placed);
                    }
                    ExampleOutcome::Failed { message, .. } => {
                        let finding = Diagnostic::new(Code::E804, example.expected.span, message)
                            .help("fix the formula or the example");
                        report.failed.push((example.context.file, finding));
                    }
                }
            }
        }
        report
    }

    /// Runs one example with the context as JSON and the expectation as a constant or `null
    /// (reason)`.
    pub fn run_example(&self, formula: &str, context: &str, expected: &str) -> ExampleOutcome {
        let failed = |message: String| ExampleOutcome::Failed { message, findings: Vec::new() };
        let record = match Record::from_json(context) {
            Ok(record) => record,
            Err(error) => return failed(error.to_string()),
        };
        // The findings of the formula itself are reported at its declaration.
        let Ok(formula) = self.compile(formula) else {
            return failed("the formula does not check".to_owned());
        };
        let answers = match self.evaluate(&[&formula], Inputs::record(&record), &Request::default())
        {
            Ok(answers) => answers,
            Err(findings) => return ExampleOutcome::Failed { message: String::new(), findings },
        };
        let Some(answer) = answers.first() else { return failed("there is no answer".to_owned()) };
        let given = match answer.null_reason {
            Some(reason) => format!("null ({})", reason.name()),
            None => crate::format::exact(&answer.value),
        };
        if self.is_expected(&given, answer.null_reason.is_none().then_some(&answer.value), expected)
        {
            return ExampleOutcome::Held;
        }
        let missing = &answers.missing_inputs;
        let note = if missing.is_empty() {
            String::new()
        } else {
            format!("; missing: {}", missing.join(", "))
        };
        failed(format!("expected {}, the formula gives {given}{note}", expected.trim()))
    }

    fn is_expected(
        &self,
        given: &str,
        value: Option<&crate::types::Value>,
        expected: &str,
    ) -> bool {
        let Some(value) = value else {
            return plain_name(given) == plain_name(expected) || plain_name(expected) == "null";
        };
        let Ok(constant) = self.compile(expected) else { return false };
        let answers = self.evaluate(&[&constant], Inputs::default(), &Request::default());
        answers.is_ok_and(|answers| answers.first().is_some_and(|answer| answer.value == *value))
    }
}

/// E804 for a context that is no record, at the context.
fn unreadable(context: &FormulaSource, error: &RecordError) -> (usize, Diagnostic) {
    let finding = Diagnostic::new(Code::E804, context.span, error.to_string());
    (context.file, finding.help("for example: example { \"sales\": 100, \"orders\": 4 } = 25 USD"))
}

/// A finding about the record is located at the name in the example; others stay in the formula.
fn in_example(
    example: &ExampleDefinition,
    (file, finding): (usize, Diagnostic),
) -> (usize, Diagnostic) {
    let context = &example.context;
    if !matches!(finding.code, Code::E501 | Code::E503 | Code::E504) {
        return (file, finding);
    }
    let name = finding.message.split('`').nth(1).unwrap_or_default();
    let given = entries(&context.text, Span::new(0, context.text.len()));
    // Of `orders.total` in rows, the record has `orders`.
    let entry = given.iter().rfind(|entry| {
        let own = plain_name(&entry.name);
        name == own || name.strip_prefix(&own).is_some_and(|rest| rest.starts_with('.'))
    });
    let place = entry.map_or(context.span, |entry| entry.value_span.shifted(context.span.start));
    let reader = finding.span;
    (
        context.file,
        Diagnostic { span: place, suggestion: None, ..finding }.label(reader, "used here"),
    )
}
