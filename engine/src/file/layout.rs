//! The layout of a file: items and properties, recognized by indentation alone.
//!
//! A line in the first column starts an item. Lines indented like the item's first property, or
//! less, are properties; deeper lines continue the property above. Comments keep their places, so
//! that the printer and the parser share one layout.

use super::token::{LineLexer, LineToken, LineTokenKind};
use crate::diagnostics::{Code, Diagnostic};
use crate::source::Span;

#[derive(Debug, Default)]
pub(super) struct Layout {
    pub(super) blocks: Vec<ItemBlock>,
    /// Comments after the last item.
    pub(super) tail: Vec<StandaloneComment>,
}

/// An item: its line in the first column and the lines below it.
#[derive(Debug)]
pub(super) struct ItemBlock {
    pub(super) header: Line,
    pub(super) properties: Vec<Line>,
    /// Comments after the last property.
    pub(super) tail: Vec<StandaloneComment>,
}

/// One line with its continuations.
#[derive(Debug)]
pub(super) struct Line {
    /// Comments on lines of their own above it.
    pub(super) above: Vec<StandaloneComment>,
    /// Whether a blank line precedes it.
    pub(super) blank_before: bool,
    /// Its tokens with comments; never empty, and never comments alone.
    pub(super) tokens: Vec<LineToken>,
    /// Whether it is indented without an item above it.
    pub(super) stray: bool,
}

/// A comment on lines of its own.
#[derive(Debug, Clone, Copy)]
pub(super) struct StandaloneComment {
    pub(super) span: Span,
    /// Whether it is a `///` comment, which describes what follows.
    pub(super) doc: bool,
    /// Whether a blank line precedes it.
    pub(super) blank_before: bool,
    /// Whether it starts in the first column.
    pub(super) flush_left: bool,
}

impl Line {
    /// Returns the span from the first to the last token.
    pub(super) fn span(&self) -> Span {
        let first = self.tokens.first().map(|token| token.span).unwrap_or_default();
        self.tokens.last().map_or(first, |last| first.to(last.span))
    }

    /// Returns the text of the `///` lines above.
    pub(super) fn description(&self, text: &str) -> Option<String> {
        let lines: Vec<&str> = self
            .above
            .iter()
            .filter(|aside| aside.doc)
            .map(|aside| {
                let line = aside.span.slice(text);
                let line = line.strip_prefix("///").unwrap_or(line);
                line.strip_prefix(' ').unwrap_or(line)
            })
            .collect();
        (!lines.is_empty()).then(|| lines.join("\n"))
    }
}

/// The byte order mark with which some editors begin a file.
const MARK: char = '\u{feff}';

/// Splits a text into items; the findings are unterminated comments.
pub(super) fn layout(text: &str) -> (Layout, Vec<Diagnostic>) {
    let mut builder = LayoutBuilder::default();
    let mut lexer = LineLexer::new(text);
    let mut at = 0_usize;
    while at < text.len() {
        let (content, column) = lexer.skip_blanks(at);
        // The printer removes blanks before the first item, so a byte order mark after them would
        // become the start of the printed text.
        if builder.is_empty() && text.get(content..).is_some_and(|rest| rest.starts_with(MARK)) {
            at = content.saturating_add(MARK.len_utf8());
            continue;
        }
        if lexer.at_line_end(content) {
            builder.blank = true;
            at = content.saturating_add(1);
            continue;
        }
        at = builder.row(&mut lexer, text, content, column);
    }
    let findings = lexer.unclosed.iter().map(|span| unclosed(*span)).collect();
    (builder.finish(), findings)
}

fn unclosed(span: Span) -> Diagnostic {
    Diagnostic::new(Code::E801, span, "the comment that starts here has no end")
        .help("close it with `*/`; a comment inside an item ends before the next item starts")
}

#[derive(Debug, Default)]
struct LayoutBuilder {
    layout: Layout,
    pending: Vec<StandaloneComment>,
    blank: bool,
    /// The column of the current item's first property.
    property_column: Option<usize>,
}

impl LayoutBuilder {
    /// Returns whether only blanks have been read.
    fn is_empty(&self) -> bool {
        self.layout.blocks.is_empty() && self.pending.is_empty()
    }

    /// Reads the row at `content` and returns the start of the next.
    fn row(
        &mut self,
        lexer: &mut LineLexer<'_>,
        text: &str,
        content: usize,
        column: usize,
    ) -> usize {
        let blank_before = std::mem::take(&mut self.blank);
        if self.property_column.is_some_and(|first| column > first)
            && let Some(property) =
                self.layout.blocks.last_mut().and_then(|block| block.properties.last_mut())
        {
            // Comments between the lines of a property belong to it, wherever they start.
            let between = self.pending.drain(..);
            property.tokens.extend(
                between.map(|aside| LineToken { kind: LineTokenKind::Comment, span: aside.span }),
            );
            return lexer.row(content, false, &mut property.tokens);
        }
        lexer.braces = 0;
        let mut tokens = Vec::new();
        let next = lexer.row(content, column == 0, &mut tokens);
        if tokens.iter().all(|token| token.kind == LineTokenKind::Comment) {
            for (index, token) in tokens.iter().enumerate() {
                self.pending.push(StandaloneComment {
                    span: token.span,
                    doc: is_doc(token.span.slice(text)),
                    blank_before: blank_before && index == 0,
                    flush_left: column == 0 && index == 0,
                });
            }
            return next;
        }
        let stray = column > 0 && self.layout.blocks.is_empty();
        if column == 0 || stray {
            let above = self.close_item();
            let header = Line { above, blank_before, tokens, stray };
            self.layout.blocks.push(ItemBlock { header, properties: Vec::new(), tail: Vec::new() });
            self.property_column = None;
        } else if let Some(block) = self.layout.blocks.last_mut() {
            self.property_column.get_or_insert(column);
            let above = std::mem::take(&mut self.pending);
            block.properties.push(Line { above, blank_before, tokens, stray });
        }
        next
    }

    /// Returns the comments that belong to what follows; indented ones stay with the item.
    fn close_item(&mut self) -> Vec<StandaloneComment> {
        let mut pending = std::mem::take(&mut self.pending);
        if let Some(block) = self.layout.blocks.last_mut() {
            let kept = pending.iter().rposition(|aside| !aside.flush_left);
            let after = kept.map_or(0, |index| index.saturating_add(1));
            let following = pending.split_off(after);
            block.tail = pending;
            return following;
        }
        pending
    }

    fn finish(mut self) -> Layout {
        self.layout.tail = self.close_item();
        self.layout
    }
}

fn is_doc(comment: &str) -> bool {
    comment.starts_with("///") && !comment.starts_with("////")
}
