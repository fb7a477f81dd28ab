//! Places in a text: byte spans, and the lines and columns people read.
//!
//! Every syntax node and diagnostic carries a [`Span`]. Nothing here knows what the text means.

use std::ops::Range;

/// A half-open range of bytes in one source text.
#[derive(
    Debug,
    Clone,
    Copy,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    Hash,
    Default,
    serde::Serialize,
    serde::Deserialize,
)]
pub struct Span {
    /// The first byte.
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
}

impl Span {
    /// Makes a span from byte offsets; offsets past 4 GiB saturate.
    pub fn new(start: usize, end: usize) -> Self {
        let narrow = |offset| u32::try_from(offset).unwrap_or(u32::MAX);
        Self { start: narrow(start), end: narrow(end) }
    }

    /// The smallest span that holds both.
    #[must_use]
    pub fn to(self, other: Self) -> Self {
        Self { start: self.start.min(other.start), end: self.end.max(other.end) }
    }

    /// The same span in a text where this one's text starts at byte `offset`.
    #[must_use]
    pub fn shifted(self, offset: u32) -> Self {
        Self { start: self.start.saturating_add(offset), end: self.end.saturating_add(offset) }
    }

    /// The part of the span before byte `end`.
    #[must_use]
    pub fn cut(self, end: u32) -> Self {
        Self { start: self.start.min(end), end: self.end.min(end) }
    }

    /// The span as a range of byte indices.
    pub fn range(self) -> Range<usize> {
        let widen = |offset| usize::try_from(offset).unwrap_or(usize::MAX);
        widen(self.start)..widen(self.end)
    }

    /// The text under the span; empty if the span does not fit the text.
    pub fn slice(self, text: &str) -> &str {
        text.get(self.range()).unwrap_or_default()
    }
}

/// A line and a column as an editor shows them, both from 1; columns count characters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Position {
    /// The line, from 1.
    pub line: usize,
    /// The column in characters, from 1.
    pub column: usize,
}

/// The position of byte `offset` in `text`; past the end counts as the end.
pub fn position(text: &str, offset: u32) -> Position {
    let before = Span { start: 0, end: offset }.slice(text);
    let before = if before.is_empty() && offset > 0 { text } else { before };
    let line = before.matches('\n').count().saturating_add(1);
    let column = before.rsplit('\n').next().map_or(0, |last| last.chars().count());
    Position { line, column: column.saturating_add(1) }
}

/// Collapses line breaks and runs of blanks into single blanks.
pub(crate) fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
