//! The parser of items: each property has its own small parser, and an unreadable line never hides
//! another.

mod csv_form;
mod cursor;
mod field;
mod finding;
mod item;
mod metric;
mod properties;
mod source;
mod store;

use super::MAX_FINDINGS;
use super::layout::{ItemBlock, Layout, layout};
use super::syntax::FileSyntax;
use crate::diagnostics::{Code, Diagnostic};
use cursor::TokenCursor;

/// Every word that can start an item.
const ITEMS: [&str; 9] = [
    "use",
    "store",
    "source",
    "population",
    "dimension",
    "placeholder",
    "input",
    "rates",
    "metric",
];

/// Parses a formula file as far as possible, and returns all findings.
pub fn parse(text: &str) -> (FileSyntax, Vec<Diagnostic>) {
    let (Layout { blocks, .. }, mut findings) = layout(text);
    let mut reader = LineReader { text, findings: Vec::new() };
    let mut items = Vec::new();
    for block in &blocks {
        if reader.findings.len() >= MAX_FINDINGS {
            let message = format!("the file is not read on after {MAX_FINDINGS} findings");
            let finding = Diagnostic::new(Code::E801, block.header.span(), message);
            reader.findings.push(finding.help("fix the errors above first"));
            break;
        }
        items.extend(reader.item(block));
    }
    findings.append(&mut reader.findings);
    findings.sort_by_key(|finding| finding.span);
    (FileSyntax { items }, findings)
}

/// The state shared by line readers: the text and the findings.
#[derive(Debug)]
struct LineReader<'t> {
    text: &'t str,
    findings: Vec<Diagnostic>,
}

impl<'t> LineReader<'t> {
    /// Records the finding, or returns the value.
    fn keep<T>(&mut self, outcome: finding::ParseResult<T>) -> Option<T> {
        outcome.map_err(|finding| self.findings.push(finding)).ok()
    }

    fn cursor(&self, line: &super::layout::Line) -> TokenCursor<'t> {
        TokenCursor::new(self.text, line)
    }

    fn item(&mut self, block: &ItemBlock) -> Option<super::syntax::Item> {
        let mut cursor = self.cursor(&block.header);
        let (word, span) = cursor.peek_text();
        if block.header.stray {
            self.findings.push(
                Diagnostic::new(Code::E801, span, "an indented line without an item above it")
                    .help("an item starts in the first column"),
            );
            return None;
        }
        let Some(keyword) = ITEMS.iter().find(|item| item.eq_ignore_ascii_case(word)) else {
            self.findings.push(finding::unknown(Code::E801, "item", (word, span), &ITEMS));
            return None;
        };
        cursor.skip();
        let description = block.header.description(self.text);
        let kind = match *keyword {
            "use" => self.use_item(cursor, block),
            "store" => Some(self.store_item(&cursor, block)),
            "source" => self.source_item(cursor, block),
            "population" => self.population_item(cursor, block),
            "dimension" => self.dimension_item(cursor, block),
            "placeholder" => self.placeholder_item(cursor, block),
            "input" => self.input_item(cursor, block),
            "rates" => self.rates_item(cursor, block),
            _ => self.metric_item(cursor, block),
        }?;
        Some(super::syntax::Item { description, span: block.header.span(), kind })
    }
}
