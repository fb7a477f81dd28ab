//! Excerpts: the lines of a text that contain given places.

use std::ops::Range;

use super::visible;
use crate::diagnostics::{Edit, Suggestion};
use crate::source::Span;

/// The complete lines of a text from the first position to the last.
#[derive(Debug)]
pub(super) struct Excerpt<'a> {
    before: &'a str,
    text: &'a str,
}

impl<'a> Excerpt<'a> {
    /// Returns the lines that contain all the places.
    pub(super) fn around(text: &'a str, places: impl Iterator<Item = Span>) -> Self {
        let span = places.reduce(Span::to).unwrap_or_default();
        let Range { start, end } = clamped(text, span.range());
        let (before, after) = text.split_at_checked(start).unwrap_or(("", text));
        let first = before.rfind('\n').map_or(0, |newline| newline.saturating_add(1));
        let length = after
            .char_indices()
            .find(|(index, character)| *character == '\n' && start.saturating_add(*index) >= end)
            .map_or(after.len(), |(index, _)| index);
        let last = start.saturating_add(length);
        Self {
            before: text.get(..first).unwrap_or_default(),
            text: text.get(first..last).unwrap_or_default(),
        }
    }

    /// Returns the number of the first line, from 1.
    pub(super) fn first_line(&self) -> usize {
        self.before.matches('\n').count().saturating_add(1)
    }

    /// Returns the lines in a form safe for a terminal, without the carriage returns before line ends.
    pub(super) fn shown(&self) -> String {
        visible::marked(self.text).replace('\r', " ")
    }

    /// Converts a place in the whole text to one in [`Self::shown`].
    pub(super) fn locate(&self, span: Span) -> Range<usize> {
        let Range { start, end } = self.place(span);
        let shown_at = |offset| visible::marked(self.text.get(..offset).unwrap_or_default()).len();
        shown_at(start)..shown_at(end)
    }

    /// Returns the lines with the edits applied.
    pub(super) fn mended(&self, suggestion: &Suggestion) -> String {
        let edit = |edit: &Edit| {
            let Range { start, end } = self.place(edit.span);
            Edit { span: Span::new(start, end), text: edit.text.clone() }
        };
        Suggestion::new(suggestion.edits.iter().map(edit).collect()).apply(self.text)
    }

    /// Converts a place in the whole text to bytes of the excerpt.
    fn place(&self, span: Span) -> Range<usize> {
        let Range { start, end } = span.range();
        let local = |offset: usize| offset.saturating_sub(self.before.len());
        clamped(self.text, local(start)..local(end))
    }
}

/// Widens the range to whole characters, and clamps it to the text.
fn clamped(text: &str, Range { start, end }: Range<usize>) -> Range<usize> {
    let start = text.floor_char_boundary(start);
    start..text.ceil_char_boundary(end).max(start)
}
