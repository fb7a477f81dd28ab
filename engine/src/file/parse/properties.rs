//! Dispatch of properties by their first word, with a check for duplicates.

use super::LineReader;
use super::cursor::TokenCursor;
use super::finding::{ParseResult, unknown};
use crate::diagnostics::{Code, Diagnostic};
use crate::file::layout::ItemBlock;
use crate::source::Span;

/// The properties of an item seen so far.
#[derive(Debug, Default)]
pub(super) struct SeenProperties {
    seen: Vec<(&'static str, Span)>,
}

impl SeenProperties {
    /// Refuses a duplicate property.
    pub(super) fn check(&mut self, key: &'static str, span: Span) -> ParseResult<()> {
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

impl LineReader<'_> {
    /// Reads the property's keyword, one of `known`.
    pub(super) fn keyword(
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
    pub(super) fn no_properties(&mut self, item: &str, block: &ItemBlock) {
        for property in &block.properties {
            let span = property.span();
            let message = format!("`{item}` has no properties");
            let help = "an item starts in the first column";
            self.findings.push(Diagnostic::new(Code::E801, span, message).help(help));
        }
    }
}
