//! The parser of items: each property has its own small parser, and an unreadable line never hides
//! another.

mod cursor;
mod field;
mod item;
mod metric;
mod source;
mod store;

use super::MAX_FINDINGS;
use super::finding::{ParseResult, unknown};
use super::layout::{ItemBlock, Layout, Line, layout};
use super::syntax::{FileSyntax, Item};
use crate::diagnostics::{Code, Diagnostic};
use crate::source::Span;
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
    fn keep<T>(&mut self, outcome: ParseResult<T>) -> Option<T> {
        outcome.map_err(|finding| self.findings.push(finding)).ok()
    }

    fn cursor(&self, line: &Line) -> TokenCursor<'t> {
        TokenCursor::new(self.text, line)
    }

    fn item(&mut self, block: &ItemBlock) -> Option<Item> {
        let mut cursor = self.cursor(&block.header);
        if block.header.stray {
            let (_, span) = cursor.peek_text();
            self.findings.push(
                Diagnostic::new(Code::E801, span, "an indented line without an item above it")
                    .help("an item starts in the first column"),
            );
            return None;
        }
        let (keyword, _) = self.keyword(&mut cursor, "item", &ITEMS)?;
        if matches!(keyword, "use" | "population" | "placeholder" | "input" | "rates") {
            self.no_properties(keyword, block);
        }
        let kind = match keyword {
            "use" => self.keep(item::import(cursor)),
            "store" => Some(self.store_item(&cursor, block)),
            "source" => self.source_item(cursor, block),
            "population" => self.keep(item::population(cursor)),
            "dimension" => self.dimension_item(cursor, block),
            "placeholder" => self.keep(item::placeholder(cursor)),
            "input" => self.input_item(cursor),
            "rates" => self.keep(item::rates(cursor)),
            _ => self.metric_item(cursor, block),
        }?;
        let description = block.header.description(self.text);
        Some(Item { description, span: block.header.span(), kind })
    }

    /// Reads the keyword of a line, one of `known`.
    fn keyword(
        &mut self,
        cursor: &mut TokenCursor<'_>,
        what: &str,
        known: &[&'static str],
    ) -> Option<(&'static str, Span)> {
        let (word, span) = cursor.peek_text();
        let Some(key) = known.iter().find(|key| key.eq_ignore_ascii_case(word)) else {
            self.findings.push(unknown(Code::E801, what, (word, span), known));
            return None;
        };
        cursor.skip();
        Some((key, span))
    }

    /// Reports the properties of an item that takes none.
    fn no_properties(&mut self, item: &str, block: &ItemBlock) {
        for property in &block.properties {
            let span = property.span();
            let message = format!("`{item}` has no properties");
            let help = "an item starts in the first column";
            self.findings.push(Diagnostic::new(Code::E801, span, message).help(help));
        }
    }
}

/// The properties of an item seen so far.
#[derive(Debug, Default)]
struct SeenProperties {
    seen: Vec<(&'static str, Span)>,
}

impl SeenProperties {
    /// Refuses a duplicate property.
    fn check(&mut self, key: &'static str, span: Span) -> ParseResult<()> {
        if let Some((_, first)) = self.seen.iter().find(|(seen, _)| *seen == key) {
            let finding = Diagnostic::new(Code::E802, span, format!("`{key}` is given twice"))
                .label(*first, "first here")
                .help("leave one of them");
            return Err(finding);
        }
        self.seen.push((key, span));
        Ok(())
    }
}
