//! `--check`: findings in the file, and examples that do not hold.

use crate::console;
use crate::failure::Failure;
use crate::session::Session;

/// A line that says how much was checked, or everything that is wrong.
pub(crate) fn check(session: &Session) -> Result<String, Failure> {
    let mut findings = session.findings.clone();
    let examples = session.engine.run_examples(&session.loaded);
    findings.extend(examples.failed);
    findings.sort_by_key(|(file, finding)| (*file, finding.span, finding.code));
    findings.dedup();
    let drawn = console::drawn(&session.loaded.files, &findings, console::findings_style());
    if findings.iter().any(|(_, finding)| finding.is_error()) {
        return Err(Failure::Findings(drawn));
    }
    console::print_error(&drawn);
    let metrics = counted(session.engine.metrics().len(), "metric");
    Ok(format!("{metrics}, {}: all is well\n", counted(examples.passed, "example")))
}

fn counted(count: usize, noun: &str) -> String {
    format!("{count} {noun}{}", if count == 1 { "" } else { "s" })
}
