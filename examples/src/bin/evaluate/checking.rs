//! `--check`: diagnostics of the file, and failing examples.

use quotient::diagnostics::Severity;
use serde_json::{Value, json};

use crate::arguments::Arguments;
use crate::console;
use crate::failure::Failure;
use crate::findings::{Findings, counted};
use crate::output::Format;
use crate::session::Session;

/// A line with the number of checked items, or all diagnostics.
pub(crate) fn check(session: &Session, arguments: &Arguments) -> Result<String, Failure> {
    let mut findings = session.findings.clone();
    let examples = session.engine.run_examples(&session.loaded);
    findings.extend(examples.failed);
    findings.extend(examples.warnings);
    findings.sort_by_key(|(file, finding)| (*file, finding.span, finding.code));
    findings.dedup();
    let findings = Findings::of_files(&session.loaded.files, &findings);
    if findings.count(Severity::Error) > 0 {
        return Err(Failure::Findings(findings));
    }
    let metrics = session.engine.metrics().len();
    match arguments.output.format {
        Format::Json => {
            let mut whole = findings.json();
            whole.insert("metrics".to_owned(), json!(metrics));
            whole.insert("examples".to_owned(), json!(examples.passed));
            Ok(crate::json::pretty(&Value::Object(whole)))
        }
        Format::Ndjson => Ok(crate::ndjson::lines(&findings.diagnostics())),
        Format::Table | Format::Csv | Format::Markdown => {
            console::print_error(&findings.drawn(console::findings_style()));
            let metrics = counted(metrics, "metric");
            Ok(format!("{metrics}, {}: all is well\n", counted(examples.passed, "example")))
        }
    }
}
