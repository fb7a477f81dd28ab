//! Stored examples: a context record with the expected result of the formula.

use super::{Engine, Inputs, Request};
use crate::diagnostics::{Code, Diagnostic};
use crate::file::Loaded;

/// The result of running the examples of formula files.
#[derive(Debug, Clone, Default)]
pub struct ExampleReport {
    /// The number of examples that passed.
    pub passed: usize,
    /// The failed examples, with the index of the file and the place in it.
    pub failed: Vec<(usize, Diagnostic)>,
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
                let outcome = self.run_example(
                    &metric.formula.text,
                    &example.context.text,
                    &example.expected.text,
                );
                match outcome {
                    ExampleOutcome::Held => report.passed = report.passed.saturating_add(1),
                    ExampleOutcome::Failed { findings, .. } if !findings.is_empty() => {
                        let shifted = findings
                            .into_iter()
                            .map(|f| super::loading::located(&metric.formula, f));
                        report.failed.extend(shifted);
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
        let record = match crate::data::Record::from_json(context) {
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
            let plain = |text: &str| crate::data::plain_name(text);
            return plain(given) == plain(expected) || plain(expected) == "null";
        };
        let Ok(constant) = self.compile(expected) else { return false };
        let answers = self.evaluate(&[&constant], Inputs::default(), &Request::default());
        answers.is_ok_and(|answers| answers.first().is_some_and(|answer| answer.value == *value))
    }
}
