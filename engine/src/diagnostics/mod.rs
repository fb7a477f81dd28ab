//! What is wrong with a formula, as data: a code, a sentence, a place, a help line and, where there
//! is one, the replacement that mends it.
//!
//! Drawing is [`render`]'s business; finding the nearest name is [`nearest()`]'s.

mod code;
mod nearest;
#[cfg(feature = "render")]
pub mod render;

pub use code::{Code, CodeInfo, Severity};
pub use nearest::nearest;

use crate::source::Span;

/// Limit: the findings of one formula; who has more mends these first.
const MAX_FINDINGS: usize = 100;

/// The findings in order of place, each once; of too many the first that matter.
pub(crate) fn in_order(findings: Vec<Diagnostic>) -> Vec<Diagnostic> {
    if findings.len() < 2 {
        return findings;
    }
    let findings = findings.into_iter().map(|finding| (0, finding)).collect();
    let findings = in_order_of_files(findings, MAX_FINDINGS);
    findings.into_iter().map(|(_, finding)| finding).collect()
}

/// The same for findings with the index of their file, up to a limit.
pub(crate) fn in_order_of_files(
    mut findings: Vec<(usize, Diagnostic)>,
    limit: usize,
) -> Vec<(usize, Diagnostic)> {
    findings.sort_by_key(|(file, finding)| (*file, finding.span, finding.code));
    findings.dedup();
    if findings.len() > limit {
        // What only follows from another finding comes last.
        let weight = |finding: &Diagnostic| (!finding.is_error(), finding.code == Code::E602);
        findings.sort_by_key(|(_, finding)| weight(finding));
        findings.truncate(limit);
        findings.sort_by_key(|(file, finding)| (*file, finding.span, finding.code));
    }
    findings
}

/// One finding about a formula or a formula file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Diagnostic {
    /// The stable code, such as `E201`.
    pub code: Code,
    /// One sentence: lower case, no full stop, user text in backticks.
    pub message: String,
    /// The place it speaks of.
    pub span: Span,
    /// How to mend it, in one line.
    pub help: Option<String>,
    /// Other places that explain it, each with a few words.
    pub labels: Vec<(Span, String)>,
    /// An edit that, applied, mends it.
    pub suggestion: Option<Suggestion>,
}

/// Edits of the source text that, applied together, mend a finding.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Suggestion {
    /// Disjoint edits in order of place.
    pub edits: Vec<Edit>,
}

/// One replacement of the text under a span.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Edit {
    /// The bytes to replace.
    pub span: Span,
    /// What stands there instead.
    pub text: String,
}

impl Suggestion {
    /// A suggestion of one replacement.
    pub fn replace(span: Span, text: impl Into<String>) -> Self {
        Self { edits: vec![Edit { span, text: text.into() }] }
    }

    /// A suggestion of parentheses around a span.
    pub fn bracket(span: Span) -> Self {
        let insert = |at, text: &str| Edit { span: Span { start: at, end: at }, text: text.into() };
        Self { edits: vec![insert(span.start, "("), insert(span.end, ")")] }
    }

    /// The text with all edits made.
    pub fn apply(&self, text: &str) -> String {
        let mut out = String::with_capacity(text.len());
        let mut at = 0;
        for edit in &self.edits {
            let range = edit.span.range();
            out.push_str(text.get(at..range.start).unwrap_or_default());
            out.push_str(&edit.text);
            at = range.end;
        }
        out.push_str(text.get(at..).unwrap_or_default());
        out
    }
}

impl Diagnostic {
    /// A finding with neither help nor labels.
    pub fn new(code: Code, span: Span, message: impl Into<String>) -> Self {
        Self {
            code,
            message: message.into(),
            span,
            help: None,
            labels: Vec::new(),
            suggestion: None,
        }
    }

    /// Adds the help line.
    #[must_use]
    pub fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }

    /// Adds a second place with a few words.
    #[must_use]
    pub fn label(mut self, span: Span, text: impl Into<String>) -> Self {
        self.labels.push((span, text.into()));
        self
    }

    /// Adds the edit that mends it.
    #[must_use]
    pub fn suggest(mut self, suggestion: Suggestion) -> Self {
        self.suggestion = Some(suggestion);
        self
    }

    /// The same finding in a text where this one's text starts at byte `offset`.
    #[must_use]
    pub fn shifted(mut self, offset: u32) -> Self {
        self.span = self.span.shifted(offset);
        for (span, _) in &mut self.labels {
            *span = span.shifted(offset);
        }
        for edit in self.suggestion.iter_mut().flat_map(|suggestion| &mut suggestion.edits) {
            edit.span = edit.span.shifted(offset);
        }
        self
    }

    /// Whether it refuses the formula; warnings do not.
    pub fn is_error(&self) -> bool {
        self.code.severity() == Severity::Error
    }
}
