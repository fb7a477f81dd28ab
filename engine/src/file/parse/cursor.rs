//! A cursor over the tokens of one line.

use crate::diagnostics::{Code, Diagnostic, Suggestion};
use crate::file::finding::{ParseResult, excerpt, misfit, unknown};
use crate::file::layout::Line;
use crate::file::syntax::{Located, PathSyntax};
use crate::file::token::{LineToken, LineTokenKind};
use crate::source::Span;
use crate::syntax::{is_reserved, unquoted};

/// A position in a line; comments are skipped.
#[derive(Debug)]
pub(super) struct TokenCursor<'t> {
    text: &'t str,
    tokens: Vec<LineToken>,
    at: usize,
}

impl<'t> TokenCursor<'t> {
    pub(super) fn new(text: &'t str, line: &Line) -> Self {
        let significant = line.tokens.iter().filter(|token| token.kind != LineTokenKind::Comment);
        Self { text, tokens: significant.copied().collect(), at: 0 }
    }

    pub(super) fn peek(&self) -> Option<LineToken> {
        self.tokens.get(self.at).copied()
    }

    pub(super) fn at_end(&self) -> bool {
        self.peek().is_none()
    }

    pub(super) fn skip(&mut self) {
        self.at = self.at.saturating_add(1);
    }

    /// Returns the next token's text and place; at the end, an empty text after the last token.
    pub(super) fn peek_text(&self) -> (&'t str, Span) {
        if let Some(token) = self.peek() {
            return (token.span.slice(self.text), token.span);
        }
        let end = self.tokens.last().map(|token| token.span.end).unwrap_or_default();
        ("", Span { start: end, end })
    }

    /// Skips the next token if it has this kind.
    pub(super) fn take(&mut self, kind: LineTokenKind) -> Option<LineToken> {
        let token = self.peek().filter(|token| token.kind == kind)?;
        self.skip();
        Some(token)
    }

    /// Skips the next token if it is this word.
    pub(super) fn take_word(&mut self, word: &str) -> bool {
        let found = self.peek().is_some_and(|token| token.kind == LineTokenKind::Word)
            && self.peek_text().0.eq_ignore_ascii_case(word);
        if found {
            self.skip();
        }
        found
    }

    /// Requires a word.
    pub(super) fn expect_word(&mut self, word: &str, help: &str) -> ParseResult<()> {
        if self.take_word(word) { Ok(()) } else { Err(self.missing(&format!("`{word}`"), help)) }
    }

    /// Requires a symbol, `mark`.
    pub(super) fn expect(
        &mut self,
        kind: LineTokenKind,
        mark: &str,
        help: &str,
    ) -> ParseResult<Span> {
        self.take(kind)
            .map(|token| token.span)
            .ok_or_else(|| self.missing(&format!("`{mark}`"), help))
    }

    /// Builds the finding for an unexpected token.
    pub(super) fn missing(&self, what: &str, help: &str) -> Diagnostic {
        let (found, span) = self.peek_text();
        if self.peek().is_some_and(|token| token.kind == LineTokenKind::Unclosed) {
            return misfit(span, "a quoted text without an end", "texts end on their own line");
        }
        let message = if found.is_empty() {
            format!("{what} is missing")
        } else {
            format!("{what} is expected, not `{}`", excerpt(found))
        };
        misfit(span, message, help)
    }

    /// Requires the end of the line.
    pub(super) fn end(&self, help: &str) -> ParseResult<()> {
        if self.at_end() {
            return Ok(());
        }
        let (found, span) = self.peek_text();
        let rest = self.tokens.last().map_or(span, |last| span.to(last.span));
        Err(misfit(rest, format!("`{}` does not belong here", excerpt(found)), help))
    }

    /// Reads one of a few words.
    pub(super) fn one_of<const N: usize>(
        &mut self,
        what: &str,
        known: &[&'static str; N],
    ) -> ParseResult<&'static str> {
        self.choice(what, &known.map(|word| (word, word)))
    }

    /// Reads one of a table of words and returns its value.
    pub(super) fn choice<T: Copy, const N: usize>(
        &mut self,
        what: &str,
        table: &[(&'static str, T); N],
    ) -> ParseResult<T> {
        let (found, span) = self.peek_text();
        let Some((_, value)) = table.iter().find(|(word, _)| word.eq_ignore_ascii_case(found))
        else {
            return Err(unknown(Code::E802, what, (found, span), &table.map(|(word, _)| word)));
        };
        self.skip();
        Ok(*value)
    }

    /// Reads a name: letters, digits and `_`, or anything in brackets.
    pub(super) fn name(&mut self, what: &str) -> ParseResult<Located<String>> {
        let help =
            "a name is made of letters, digits and `_`; others stand in brackets: [Net Sales]";
        let (found, span) = self.peek_text();
        let name = match self.peek().map(|token| token.kind) {
            Some(LineTokenKind::Bracketed) => found.trim_matches(['[', ']']).trim(),
            Some(LineTokenKind::Word) if !is_name(found) => {
                return Err(misfit(span, format!("`{}` is not a name", excerpt(found)), help));
            }
            Some(LineTokenKind::Word) if is_reserved(found) => {
                let bracketed = format!("[{found}]");
                let message = format!("`{found}` is a word of formulas");
                let help = format!("choose another name, or write `{bracketed}`");
                let finding = misfit(span, message, &help);
                return Err(finding.suggest(Suggestion::replace(span, bracketed)));
            }
            Some(LineTokenKind::Word) => found,
            _ => return Err(self.missing(what, help)),
        };
        if name.is_empty() {
            return Err(misfit(span, "a name without letters", help));
        }
        self.skip();
        Ok(Located::new(name.to_owned(), span))
    }

    /// Reads names separated by dots.
    pub(super) fn path(&mut self, what: &str) -> ParseResult<PathSyntax> {
        let mut segments = vec![self.name(what)?];
        while self.take(LineTokenKind::Dot).is_some() {
            segments.push(self.name("a name after the dot")?);
        }
        Ok(PathSyntax { segments })
    }

    /// Reads a quoted text and returns it without quotes.
    pub(super) fn quoted(&mut self, what: &str, help: &str) -> ParseResult<Located<String>> {
        let Some(token) = self.take(LineTokenKind::Text) else {
            return Err(self.missing(what, help));
        };
        Ok(Located::new(unquoted(token.span.slice(self.text)).to_string(), token.span))
    }

    /// Returns the rest of the line as written.
    pub(super) fn rest(&mut self, what: &str, help: &str) -> ParseResult<Located<String>> {
        let (Some(first), Some(last)) = (self.peek(), self.tokens.last()) else {
            return Err(self.missing(what, help));
        };
        let span = first.span.to(last.span);
        self.at = self.tokens.len();
        Ok(Located::new(span.slice(self.text).to_owned(), span))
    }

    /// Returns the text from `{` to its partner, as written.
    pub(super) fn braced(&mut self, help: &str) -> ParseResult<Located<String>> {
        let Some(open) = self.take(LineTokenKind::BraceOpen) else {
            return Err(self.missing("`{`", help));
        };
        let mut depth = 1_usize;
        while let Some(token) = self.peek() {
            self.skip();
            if token.kind == LineTokenKind::BraceOpen {
                depth = depth.saturating_add(1);
            } else if token.kind == LineTokenKind::BraceClose {
                depth = depth.saturating_sub(1);
            }
            if depth == 0 {
                let span = open.span.to(token.span);
                return Ok(Located::new(span.slice(self.text).to_owned(), span));
            }
        }
        Err(misfit(open.span, "the record that starts here has no `}`", help))
    }
}

fn is_name(word: &str) -> bool {
    word.starts_with(char::is_alphabetic)
        && word.chars().all(|letter| letter.is_alphanumeric() || letter == '_')
}
