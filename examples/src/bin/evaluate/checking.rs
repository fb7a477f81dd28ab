//! `--check`: diagnostics of the file, and failing examples.

use quotient::Engine;
use quotient::diagnostics::{Diagnostic, Severity};
use quotient::file::Loaded;
use serde_json::{Value, json};

use crate::arguments::Arguments;
use crate::console;
use crate::failure::Failure;
use crate::findings::{Findings, counted};
use crate::output::Format;
use crate::session::Session;

/// A line with the number of checked items, or all diagnostics.
pub(crate) fn check(session: &Session, arguments: &Arguments) -> Result<String, Failure> {
    let (findings, passed) =
        with_examples(&session.engine, &session.loaded, session.findings.clone());
    let findings = Findings::of_files(&session.loaded.files, &findings);
    if findings.count(Severity::Error) > 0 {
        return Err(Failure::Findings(findings));
    }
    let metrics = session.engine.metrics().len();
    match arguments.output.format {
        Format::Json => {
            let mut whole = findings.json();
            whole.insert("metrics".to_owned(), json!(metrics));
            whole.insert("examples".to_owned(), json!(passed));
            Ok(crate::json::pretty(&Value::Object(whole)))
        }
        Format::Ndjson => Ok(crate::json::lines(&findings.diagnostics())),
        Format::Table | Format::Csv | Format::Markdown => {
            console::print_error(&findings.drawn(console::findings_style()));
            let metrics = counted(metrics, "metric");
            Ok(format!("{metrics}, {}: all is well\n", counted(passed, "example")))
        }
    }
}

/// Adds the findings of the examples, and returns all in order with the number of examples that hold.
pub(crate) fn with_examples(
    engine: &Engine,
    loaded: &Loaded,
    mut findings: Vec<(usize, Diagnostic)>,
) -> (Vec<(usize, Diagnostic)>, usize) {
    let examples = engine.run_examples(loaded);
    findings.extend(examples.failed);
    findings.extend(examples.warnings);
    findings.sort_by_key(|(file, finding)| (*file, finding.span, finding.code));
    findings.dedup();
    (findings, examples.passed)
}
