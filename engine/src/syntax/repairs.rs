//! Repair of a text in place: replacements are padded with blanks to the same length, so that
//! spans in the repaired text are spans in the original.

use crate::source::Span;

/// Same-length replacements, in any order.
#[derive(Debug, Default)]
pub(super) struct Repairs {
    edits: Vec<(Span, &'static str)>,
    /// The number of missing closing brackets at the end.
    missing_closers: usize,
}

impl Repairs {
    /// Overwrites the span with blanks.
    pub(super) fn blank(&mut self, span: Span) {
        self.edits.push((span, ""));
    }

    /// Overwrites the span with a text no longer than it, padded with blanks.
    pub(super) fn replace(&mut self, span: Span, text: &'static str) {
        self.edits.push((span, text));
    }

    /// Closes a bracket at the end of the text.
    pub(super) fn close(&mut self) {
        self.missing_closers = self.missing_closers.saturating_add(1);
    }

    pub(super) fn is_empty(&self) -> bool {
        self.edits.is_empty() && self.missing_closers == 0
    }

    /// Returns the repaired text.
    pub(super) fn apply(&mut self, text: &str) -> String {
        self.edits.sort_by_key(|(span, _)| *span);
        let mut out = String::with_capacity(text.len());
        let mut at = 0;
        for (span, replacement) in &self.edits {
            let range = span.range();
            if range.start < at {
                continue;
            }
            out.push_str(text.get(at..range.start).unwrap_or_default());
            out.push_str(replacement);
            let padding = range.len().saturating_sub(replacement.len());
            out.extend(std::iter::repeat_n(' ', padding));
            at = range.end;
        }
        out.push_str(text.get(at..).unwrap_or_default());
        out.extend(std::iter::repeat_n(')', self.missing_closers));
        out
    }
}

/// Puts a text on one line for a help line: collapses blanks and truncates long texts.
pub(super) fn one_line(text: &str) -> String {
    let folded = crate::source::one_line(text);
    if folded.chars().count() <= 120 {
        return folded;
    }
    folded.chars().take(119).chain(['…']).collect()
}
