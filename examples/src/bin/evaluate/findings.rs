//! Findings with the texts they are about, drawn for people or as JSON for programs.

use std::fmt::Write;

use quotient::diagnostics::render::{Style, render};
use quotient::diagnostics::{Diagnostic, Severity};
use quotient::file::SourceFile;
use quotient::source::{Position, Span, position};
use serde_json::{Map, Value, json};

use crate::console::{self, one_line};
use crate::output::Format;

/// Findings, text by text.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Findings {
    texts: Vec<FoundIn>,
    /// Whether they are of whole files, so that their number is printed.
    is_counted: bool,
}

/// The diagnostics of one text.
#[derive(Debug, Clone, PartialEq, Eq)]
struct FoundIn {
    name: String,
    /// Without it, the diagnostics are about the request and have no place.
    text: Option<String>,
    found: Vec<Diagnostic>,
}

impl Findings {
    /// Findings in formula files, each with the index of its file.
    pub(crate) fn of_files(files: &[SourceFile], findings: &[(usize, Diagnostic)]) -> Self {
        let of = |(index, file): (usize, &SourceFile)| {
            let own = findings.iter().filter(|(at, _)| *at == index);
            let found: Vec<Diagnostic> = own.map(|(_, finding)| finding.clone()).collect();
            let name = file.name.clone();
            (!found.is_empty()).then(|| FoundIn { name, text: Some(file.text.clone()), found })
        };
        Self { texts: files.iter().enumerate().filter_map(of).collect(), is_counted: true }
    }

    /// Findings in a text of the command line, or in a record.
    pub(crate) fn of_text(name: &str, text: &str, findings: &[Diagnostic]) -> Self {
        let (name, text) = (name.to_owned(), Some(text.to_owned()));
        let texts = vec![FoundIn { name, text, found: findings.to_vec() }];
        Self { texts, is_counted: false }
    }

    /// Findings about a request.
    pub(crate) fn of_request(findings: &[Diagnostic]) -> Self {
        let texts = vec![FoundIn { name: String::new(), text: None, found: findings.to_vec() }];
        Self { texts, is_counted: false }
    }

    /// Adds findings of another text.
    pub(crate) fn add(&mut self, other: Self) {
        self.texts.extend(other.texts);
    }

    /// Prints warnings for people at once; keeps them for programs, whose answers contain them.
    pub(crate) fn beside(self, format: Format) -> Self {
        match format {
            Format::Json | Format::Ndjson => self,
            Format::Table | Format::Csv | Format::Markdown => {
                if !self.is_empty() {
                    console::print_error(&format!("{}\n", self.drawn(console::findings_style())));
                }
                Self::default()
            }
        }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.texts.iter().all(|text| text.found.is_empty())
    }

    /// How many have a severity.
    pub(crate) fn count(&self, severity: Severity) -> usize {
        let all = self.texts.iter().flat_map(|text| &text.found);
        all.filter(|finding| finding.code.severity() == severity).count()
    }

    /// For people: each at its place, errors and warnings together in order.
    pub(crate) fn drawn(&self, style: Style) -> String {
        let mut out = String::new();
        for (index, FoundIn { name, text, found }) in self.texts.iter().enumerate() {
            if index > 0 && !self.is_counted {
                out.push('\n');
            }
            match text {
                Some(text) => out.push_str(&render(name, text, found, style)),
                None => out.extend(found.iter().map(sentence)),
            }
            if self.is_counted {
                out.push('\n');
            }
        }
        if self.is_counted && !self.texts.is_empty() {
            let (errors, warnings) = (self.count(Severity::Error), self.count(Severity::Warning));
            let counts = [counted(errors, "error"), counted(warnings, "warning")];
            let counts = counts.into_iter().zip([errors, warnings]).filter(|(_, count)| *count > 0);
            let counts: Vec<String> = counts.map(|(words, _)| words).collect();
            writeln!(out, "{}", counts.join(", ")).ok();
        }
        out
    }

    /// For programs: each with its code, words, place and edits.
    pub(crate) fn diagnostics(&self) -> Vec<Value> {
        let of = |found: &FoundIn| {
            let FoundIn { name, text, found } = found;
            let place = text.as_deref().map(|text| (name.as_str(), text));
            found.iter().map(|finding| diagnostic(finding, place)).collect::<Vec<_>>()
        };
        self.texts.iter().flat_map(of).collect()
    }

    /// A JSON object with them under `diagnostics`, as in answers.
    pub(crate) fn beneath(&self, mut whole: Value) -> Value {
        if let Value::Object(fields) = &mut whole {
            fields.insert("diagnostics".to_owned(), Value::Array(self.diagnostics()));
        }
        whole
    }

    /// All of them as one JSON object, with their number.
    pub(crate) fn json(&self) -> Map<String, Value> {
        let mut whole = Map::new();
        whole.insert("diagnostics".to_owned(), Value::Array(self.diagnostics()));
        whole.insert("errors".to_owned(), json!(self.count(Severity::Error)));
        whole.insert("warnings".to_owned(), json!(self.count(Severity::Warning)));
        whole
    }
}

/// `1 error`, `2 errors`.
pub(crate) fn counted(count: usize, noun: &str) -> String {
    format!("{count} {noun}{}", if count == 1 { "" } else { "s" })
}

/// A finding about a request as a sentence: it marks no text.
fn sentence(finding: &Diagnostic) -> String {
    let message = one_line(&finding.message);
    let help = finding.help.as_deref().map(|help| format!("\n  help: {}", one_line(help)));
    format!("error[{}]: {message}{}\n", finding.code, help.unwrap_or_default())
}

fn diagnostic(finding: &Diagnostic, place: Option<(&str, &str)>) -> Value {
    let severity = match finding.code.severity() {
        Severity::Error => "error",
        Severity::Warning => "warning",
    };
    let mut object = Map::new();
    let mut add = |name: &str, value: Value| object.insert(name.to_owned(), value);
    add("code", json!(finding.code.as_str()));
    add("severity", json!(severity));
    add("message", json!(finding.message));
    add("help", json!(finding.help));
    if let Some((name, text)) = place {
        add("file", json!(name));
        for (name, value) in spanned(text, finding.span) {
            add(&name, value);
        }
        let edits = finding.suggestion.iter().flat_map(|suggestion| &suggestion.edits);
        add("edits", edits.map(|edit| marked(text, edit.span, &edit.text)).collect());
        let is_sole = finding.suggestion.as_ref().is_some_and(|suggestion| suggestion.is_sole);
        add("fixable", json!(is_sole));
        let labels = finding.labels.iter();
        add("labels", labels.map(|(span, words)| marked(text, *span, words)).collect());
    }
    Value::Object(object)
}

/// A place with what is said or written there.
fn marked(text: &str, span: Span, words: &str) -> Value {
    let mut object = spanned(text, span);
    object.insert("text".to_owned(), json!(words));
    Value::Object(object)
}

/// A place in lines and columns of editors, and in bytes.
fn spanned(text: &str, span: Span) -> Map<String, Value> {
    let Position { line, column } = position(text, span.start);
    let end = position(text, span.end);
    let entries = [
        ("line", json!(line)),
        ("column", json!(column)),
        ("end_line", json!(end.line)),
        ("end_column", json!(end.column)),
        ("start", json!(span.start)),
        ("end", json!(span.end)),
    ];
    entries.into_iter().map(|(name, value)| (name.to_owned(), value)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use quotient::diagnostics::{Code, Suggestion};

    fn found() -> (Vec<SourceFile>, Vec<(usize, Diagnostic)>) {
        let text = "metric a = 1 == 1\n".to_owned();
        let finding = Diagnostic::new(Code::E110, Span::new(13, 15), "one `=` is enough")
            .help("1 = 1")
            .suggest(Suggestion::replace(Span::new(13, 15), "="));
        let warning = Diagnostic::new(Code::W201, Span::new(0, 6), "mixed");
        (vec![SourceFile { name: "a.metrics".to_owned(), text }], vec![(0, warning), (0, finding)])
    }

    #[test]
    fn programs_get_the_place_in_lines_and_bytes_with_the_edits() {
        let (files, findings) = found();
        let findings = Findings::of_files(&files, &findings);
        let whole = findings.json();

        assert_eq!((&whole["errors"], &whole["warnings"]), (&json!(1), &json!(1)));
        assert_eq!(
            whole["diagnostics"][1],
            json!({
                "code": "E110", "severity": "error", "message": "one `=` is enough", "help": "1 = 1",
                "file": "a.metrics", "line": 1, "column": 14, "end_line": 1, "end_column": 16,
                "start": 13, "end": 15,
                "edits": [{
                    "line": 1, "column": 14, "end_line": 1, "end_column": 16, "start": 13, "end": 15,
                    "text": "="
                }],
                "fixable": true,
                "labels": []
            })
        );
    }

    #[test]
    fn findings_of_files_are_counted_and_others_are_not() {
        let (files, findings) = found();
        let drawn = Findings::of_files(&files, &findings).drawn(Style::Plain);
        assert!(drawn.ends_with("\n\n1 error, 1 warning\n"), "{drawn}");

        let only: Vec<Diagnostic> = findings.into_iter().map(|(_, finding)| finding).collect();
        let drawn = Findings::of_text("formula", &files[0].text, &only).drawn(Style::Plain);
        assert!(!drawn.contains("1 error"), "{drawn}");
        assert_eq!(Findings::of_files(&files, &[]).drawn(Style::Plain), "");
    }
}
