//! The printer of formula files in canonical form.
//!
//! The form has four spaces of indentation, one blank line between items, aligned column types, and
//! a formula on its header's line if it fits. Comments stay in place, every token is kept, and
//! printing is idempotent.

mod formula;
mod head;
mod parts;

use super::layout::{ItemBlock, Layout, Line, StandaloneComment, layout};
use parts::{FormulaStart, LineParts};

/// Longer lines are broken if possible.
const WIDTH: usize = 100;
const PROPERTY: &str = "    ";
const CONTINUATION: &str = "        ";
/// Items that may follow each other without a blank line.
const DENSE: [&str; 4] = ["use", "population", "placeholder", "input"];

/// Prints a formula file in its canonical form.
///
/// `formulas` prints one formula, or returns `None` to leave it as it is; a result that loses a
/// comment or does not fit the layout is ignored. A text with an unterminated comment is returned
/// unchanged.
pub fn format(text: &str, formulas: &dyn Fn(&str) -> Option<String>) -> String {
    let (Layout { blocks, tail }, unclosed) = layout(text);
    if !unclosed.is_empty() {
        return text.to_owned();
    }
    let mut printer = FilePrinter { text, formulas, out: String::with_capacity(text.len()) };
    let mut previous: Option<&ItemBlock> = None;
    for block in &blocks {
        if let Some(previous) = previous
            && (first_blank(block) || !printer.is_dense(previous, block))
        {
            printer.out.push('\n');
        }
        printer.block(block);
        previous = Some(block);
    }
    if previous.is_some() && !tail.is_empty() {
        printer.out.push('\n');
    }
    printer.comments(&tail, "", true);
    printer.out
}

struct FilePrinter<'t> {
    text: &'t str,
    formulas: &'t dyn Fn(&str) -> Option<String>,
    out: String,
}

/// Returns whether a blank line precedes the item with its comments.
fn first_blank(block: &ItemBlock) -> bool {
    let header = &block.header;
    header.above.first().map_or(header.blank_before, |first| first.blank_before)
}

/// Returns whether a quoted text or bracket is unterminated, so that any blank or line end may
/// matter.
fn is_broken(block: &ItemBlock) -> bool {
    let mut lines = std::iter::once(&block.header).chain(&block.properties);
    lines.any(|line| line.tokens.iter().any(|token| token.is_broken()))
}

impl<'t> FilePrinter<'t> {
    fn word(&self, line: &Line) -> &'t str {
        line.tokens.first().map_or("", |token| token.span.slice(self.text))
    }

    fn is_dense(&self, previous: &ItemBlock, block: &ItemBlock) -> bool {
        let bare = |block: &ItemBlock| block.properties.is_empty() && block.tail.is_empty();
        let word = self.word(&block.header);
        bare(previous)
            && bare(block)
            && block.header.above.is_empty()
            && DENSE.contains(&word)
            && self.word(&previous.header) == word
    }

    /// Prints comments on lines of their own, without a blank line before the first if it leads.
    fn comments(&mut self, comments: &[StandaloneComment], indent: &str, leads: bool) {
        for (index, comment) in comments.iter().enumerate() {
            if comment.blank_before && !(leads && index == 0) {
                self.out.push('\n');
            }
            let text = comment.span.slice(self.text);
            // The other lines of a comment in the first column may start there too.
            if !(comment.flush_left && text.contains('\n')) {
                self.out.push_str(indent);
            }
            self.push(text);
        }
    }

    /// Prints the comments above a line, and the blank line before it.
    fn above(&mut self, line: &Line, indent: &str, leads: bool) {
        self.comments(&line.above, indent, leads);
        let described = line.above.last().is_some_and(|comment| comment.doc);
        if line.blank_before && !described && !(leads && line.above.is_empty()) {
            self.out.push('\n');
        }
    }

    fn push(&mut self, line: &str) {
        self.out.push_str(line);
        self.out.push('\n');
    }

    fn block(&mut self, block: &ItemBlock) {
        self.above(&block.header, "", true);
        if is_broken(block) {
            let last = block.properties.last().unwrap_or(&block.header);
            let text = self.text;
            self.push(block.header.span().to(last.span()).slice(text));
        } else {
            self.lines(block);
        }
        self.comments(&block.tail, PROPERTY, false);
    }

    fn lines(&mut self, block: &ItemBlock) {
        let keyword = self.word(&block.header).to_ascii_lowercase();
        let mut properties = block.properties.as_slice();
        if keyword == "metric" {
            properties = self.metric_header(&block.header, properties);
        } else {
            let split = parts::header_split(&keyword);
            let line = self.line(&block.header, split, "", None);
            self.push(&line);
        }
        let pads = properties.iter().filter_map(|line| parts::pad(self.text, &keyword, line));
        let column = pads.map(|(_, width)| width).max();
        for (index, property) in properties.iter().enumerate() {
            self.above(property, PROPERTY, index == 0);
            let split = parts::property_split(&keyword, self.word(property));
            let pad = parts::pad(self.text, &keyword, property).zip(column);
            let pad = pad.map(|((tokens, _), column)| (tokens, column));
            let line = self.line(property, split, PROPERTY, pad);
            self.push(&line);
        }
    }

    /// Prints the header of a metric with its formula, on one line if both fit, and returns the
    /// remaining properties.
    fn metric_header<'b>(&mut self, header: &Line, properties: &'b [Line]) -> &'b [Line] {
        let parts = LineParts::of(header, FormulaStart::AtEquals, self.text);
        let head = head::print(self.text, parts.head, "", None);
        if parts.has_equals {
            let Some(formula) = self.formula(&parts) else {
                self.push(&format!("{head} ="));
                return properties;
            };
            let line = format!("{head} = {formula}");
            if is_one_line(&formula)
                && width(&line) <= WIDTH
                && !parts.ends_with_line_comment(self.text)
            {
                self.push(&line);
            } else {
                self.push(&head);
                self.push(&format!("{PROPERTY}= {formula}"));
            }
            return properties;
        }
        if let Some((first, rest)) = properties.split_first()
            && first.above.is_empty()
            && parts.names_a_metric()
        {
            let parts = LineParts::of(first, FormulaStart::AtEquals, self.text);
            if parts.head.is_empty()
                && let Some(formula) = self.formula(&parts)
            {
                let line = format!("{head} = {formula}");
                if is_one_line(&formula) && width(&line) <= WIDTH {
                    self.push(&line);
                    return rest;
                }
            }
        }
        self.push(&head);
        properties
    }

    fn formula(&self, parts: &LineParts<'_>) -> Option<String> {
        formula::print(self.text, parts.formula, self.formulas)
    }

    fn line(
        &self,
        line: &Line,
        split: FormulaStart,
        indent: &str,
        pad: Option<(usize, usize)>,
    ) -> String {
        let parts = LineParts::of(line, split, self.text);
        let mut out = head::print(self.text, parts.head, indent, pad);
        let formula = match split {
            FormulaStart::Nowhere => None,
            FormulaStart::AfterKeyword | FormulaStart::Raw => {
                formula::raw(self.text, parts.formula)
            }
            // A header cannot be continued on another line.
            FormulaStart::AfterWhere => self
                .formula(&parts)
                .filter(|formula| is_one_line(formula))
                .or_else(|| formula::raw(self.text, parts.formula)),
            FormulaStart::AtEquals => self.formula(&parts),
        };
        let pieces = [parts.has_equals.then_some("="), formula.as_deref()];
        let mut breaks = parts.ends_with_line_comment(self.text);
        for piece in pieces.into_iter().flatten() {
            if breaks {
                out.push('\n');
                out.push_str(CONTINUATION);
            } else if !out.trim().is_empty() {
                out.push(' ');
            }
            out.push_str(piece);
            breaks = false;
        }
        out
    }
}

fn is_one_line(formula: &str) -> bool {
    !formula.contains('\n')
}

fn width(line: &str) -> usize {
    line.chars().count()
}
