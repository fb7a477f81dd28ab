//! Findings about a formula as data: a code, a sentence, a place, a help line and, if possible, the
//! replacement that fixes it.
//!
//! [`render`] draws them; [`nearest()`] finds the nearest name.

mod code;
mod nearest;
#[cfg(feature = "render")]
pub mod render;

pub use code::{Code, CodeInfo, Severity};
pub use nearest::nearest;

use crate::source::Span;

/// Limit: findings of one formula; further ones appear once these are fixed.
const MAX_FINDINGS: usize = 100;

/// Sorts the findings by place and removes duplicates; above the limit, the most important are
/// kept.
pub(crate) fn in_order(findings: Vec<Diagnostic>) -> Vec<Diagnostic> {
    if findings.len() < 2 {
        return findings;
    }
    let findings = findings.into_iter().map(|finding| (0, finding)).collect();
    let findings = in_order_of_files(findings, MAX_FINDINGS);
    findings.into_iter().map(|(_, finding)| finding).collect()
}

/// Like [`in_order`], for findings with the index of their file and with a limit.
pub(crate) fn in_order_of_files(
    mut findings: Vec<(usize, Diagnostic)>,
    limit: usize,
) -> Vec<(usize, Diagnostic)> {
    findings.sort_by_key(|(file, finding)| (*file, finding.span, finding.code));
    findings.dedup();
    if findings.len() > limit {
        // Findings that merely follow from another one come last.
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
    /// The place of the finding.
    pub span: Span,
    /// The remedy, in one line.
    pub help: Option<String>,
    /// Related places, each with a short text.
    pub labels: Vec<(Span, String)>,
    /// An edit that fixes it.
    pub suggestion: Option<Suggestion>,
}

/// Edits of the source text that together fix a finding.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Suggestion {
    /// Disjoint edits, in order of place.
    pub edits: Vec<Edit>,
    /// Whether no other meaning is plausible, so that the edits may be applied automatically.
    pub is_sole: bool,
}

/// A replacement of the text in a span.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Edit {
    /// The bytes to replace.
    pub span: Span,
    /// The replacement.
    pub text: String,
}

impl Suggestion {
    /// Creates a suggestion of these edits.
    pub const fn new(edits: Vec<Edit>) -> Self {
        Self { edits, is_sole: true }
    }

    /// Creates a suggestion of one replacement.
    pub fn replace(span: Span, text: impl Into<String>) -> Self {
        Self::new(vec![Edit { span, text: text.into() }])
    }

    /// Marks it as one of several, from which the author has to choose.
    #[must_use]
    pub fn among_others(self) -> Self {
        Self { is_sole: false, ..self }
    }

    /// Creates a suggestion of parentheses around a span.
    pub fn bracket(span: Span) -> Self {
        let insert = |at, text: &str| Edit { span: Span { start: at, end: at }, text: text.into() };
        Self::new(vec![insert(span.start, "("), insert(span.end, ")")])
    }

    /// Returns the text with all edits applied.
    pub fn apply(&self, text: &str) -> String {
        edited(text, &self.edits)
    }
}

/// Applies edits, which must be in order and must not overlap.
pub(crate) fn edited(text: &str, edits: &[Edit]) -> String {
    let mut out = String::with_capacity(text.len());
    let mut at = 0;
    for edit in edits {
        let range = edit.span.range();
        out.push_str(text.get(at..range.start).unwrap_or_default());
        out.push_str(&edit.text);
        at = range.end;
    }
    out.push_str(text.get(at..).unwrap_or_default());
    out
}

impl Diagnostic {
    /// Creates a finding without help and labels.
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

    /// Adds a related place with a short text.
    #[must_use]
    pub fn label(mut self, span: Span, text: impl Into<String>) -> Self {
        self.labels.push((span, text.into()));
        self
    }

    /// Adds the edit that fixes it.
    #[must_use]
    pub fn suggest(mut self, suggestion: Suggestion) -> Self {
        self.suggestion = Some(suggestion);
        self
    }

    /// Shifts the finding into a text in which its own text starts at byte `offset`.
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

    /// Returns whether the finding rejects the formula; warnings do not.
    pub fn is_error(&self) -> bool {
        self.code.severity() == Severity::Error
    }
}
