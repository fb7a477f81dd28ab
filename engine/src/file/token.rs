//! The lexer of formula files: words, texts, symbols and comments.
//!
//! A formula is only skimmed, to find its quotes and comments.

use crate::source::Span;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct LineToken {
    pub(super) kind: LineTokenKind,
    pub(super) span: Span,
}

impl LineToken {
    /// Returns whether following text could belong to this token.
    pub(super) const fn is_broken(self) -> bool {
        matches!(self.kind, LineTokenKind::Unclosed | LineTokenKind::Other)
    }

    /// Returns whether it is a comment that ends with its line.
    pub(super) fn is_line_comment(self, text: &str) -> bool {
        self.kind == LineTokenKind::Comment && self.span.slice(text).starts_with("//")
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum LineTokenKind {
    /// Letters, digits and symbols without a meaning of their own: `orders`, `4-5-4`,
    /// `@2026-01-31`.
    Word,
    /// A quoted text that ends on its line.
    Text,
    /// A quoted text without an end on its line.
    Unclosed,
    /// A name in brackets: `[Net Sales]`.
    Bracketed,
    /// `(`
    Open,
    /// `)`
    Close,
    /// `{`
    BraceOpen,
    /// `}`
    BraceClose,
    /// `,`
    Comma,
    /// `.`
    Dot,
    /// `=`
    Equals,
    /// A comment with its delimiters.
    Comment,
    /// An unmatched bracket.
    Other,
}

/// Splits rows into tokens.
#[derive(Debug)]
pub(super) struct LineLexer<'t> {
    text: &'t str,
    /// The number of open braces; inside them, quotes follow the rules of JSON.
    pub(super) braces: u32,
    /// No comment that starts before this byte ends before it.
    unclosed_until: usize,
    /// No bracketed name starts before this byte in the line last searched.
    unbracketed_until: usize,
    /// Unterminated comments.
    pub(super) unclosed: Vec<Span>,
}

const fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\r')
}

impl<'t> LineLexer<'t> {
    pub(super) const fn new(text: &'t str) -> Self {
        Self { text, braces: 0, unclosed_until: 0, unbracketed_until: 0, unclosed: Vec::new() }
    }

    fn byte(&self, at: usize) -> Option<u8> {
        self.text.as_bytes().get(at).copied()
    }

    fn rest(&self, at: usize) -> &'t str {
        self.text.get(at..).unwrap_or_default()
    }

    /// Returns the first byte after the blanks at `at`, and its column.
    pub(super) fn skip_blanks(&self, at: usize) -> (usize, usize) {
        let mut column = 0_usize;
        let mut at = at;
        while let Some(byte) = self.byte(at).filter(|byte| is_blank(*byte)) {
            // A tab advances to the next multiple of four.
            let width = if byte == b'\t' { 4_usize.saturating_sub(column & 3) } else { 1 };
            column = column.saturating_add(width);
            at = at.saturating_add(1);
        }
        (at, column)
    }

    /// Returns whether only a line end follows.
    pub(super) fn at_line_end(&self, at: usize) -> bool {
        matches!(self.byte(at), None | Some(b'\n'))
    }

    /// Adds the tokens from `start` to the end of its line and returns the start of the next line.
    ///
    /// A comment may span lines; the row then continues after it.
    pub(super) fn row(
        &mut self,
        start: usize,
        flush_left: bool,
        into: &mut Vec<LineToken>,
    ) -> usize {
        let mut at = start;
        loop {
            at = self.skip_blanks(at).0;
            if self.at_line_end(at) {
                return at.saturating_add(1);
            }
            let (kind, length) = self.token(at, flush_left && at == start);
            let end = at.saturating_add(length.max(1));
            into.push(LineToken { kind, span: Span::new(at, end) });
            at = end;
        }
    }

    fn token(&mut self, at: usize, flush_left: bool) -> (LineTokenKind, usize) {
        let rest = self.rest(at);
        if rest.starts_with("//") {
            return (LineTokenKind::Comment, line_length(rest));
        }
        if rest.starts_with("/*") {
            return (LineTokenKind::Comment, self.block_comment(at, flush_left));
        }
        match rest.as_bytes().first().copied() {
            Some(quote @ (b'\'' | b'"')) => {
                let json = quote == b'"' && self.braces > 0;
                quoted_length(rest, quote, json)
                    .map_or((LineTokenKind::Unclosed, line_length(rest)), |length| {
                        (LineTokenKind::Text, length)
                    })
            }
            Some(b'[') => self.bracketed(at),
            Some(b'{') => {
                self.braces = self.braces.saturating_add(1);
                (LineTokenKind::BraceOpen, 1)
            }
            Some(b'}') => {
                self.braces = self.braces.saturating_sub(1);
                (LineTokenKind::BraceClose, 1)
            }
            Some(b'(') => (LineTokenKind::Open, 1),
            Some(b')') => (LineTokenKind::Close, 1),
            Some(b',') => (LineTokenKind::Comma, 1),
            Some(b'.') => (LineTokenKind::Dot, 1),
            Some(b'=') => (LineTokenKind::Equals, 1),
            Some(b']') => (LineTokenKind::Other, 1),
            _ => (LineTokenKind::Word, word_length(rest)),
        }
    }

    /// Reads a name in brackets, which must end on its line; otherwise the bracket alone.
    fn bracketed(&mut self, at: usize) -> (LineTokenKind, usize) {
        if at < self.unbracketed_until {
            return (LineTokenKind::Other, 1);
        }
        let rest = self.rest(at);
        // Not the whole line, which may have many such names.
        let end = rest.bytes().position(|byte| matches!(byte, b']' | b'\n'));
        let end = at.saturating_add(end.unwrap_or(rest.len()));
        if self.byte(end) == Some(b']') {
            return (LineTokenKind::Bracketed, end.saturating_sub(at).saturating_add(1));
        }
        self.unbracketed_until = end;
        (LineTokenKind::Other, 1)
    }

    /// Returns the length of the comment that starts at `at`.
    ///
    /// One that starts in the first column may contain any lines up to its end. One inside an item
    /// ends within the item, since a line that starts in the first column is another item.
    fn block_comment(&mut self, at: usize, flush_left: bool) -> usize {
        let rest = self.rest(at);
        if at >= self.unclosed_until {
            match comment_length(rest, flush_left) {
                Ok(length) => return length,
                Err(searched) => self.unclosed_until = at.saturating_add(searched),
            }
        }
        let length = line_length(rest);
        if let Some(close) = rest.get(2..length).and_then(|line| line.find("*/")) {
            return close.saturating_add(4);
        }
        self.unclosed.push(Span::new(at, at.saturating_add(length)));
        length
    }
}

/// Returns the length of a comment with its delimiters, or how far the search found no end.
fn comment_length(rest: &str, flush_left: bool) -> Result<usize, usize> {
    let bytes = rest.as_bytes();
    for (index, byte) in bytes.iter().enumerate().skip(2) {
        let next = bytes.get(index.saturating_add(1)).copied();
        if *byte == b'*' && next == Some(b'/') {
            return Ok(index.saturating_add(2));
        }
        let item = next.is_some_and(|next| !is_blank(next) && next != b'\n');
        if *byte == b'\n' && item && !flush_left {
            return Err(index);
        }
    }
    Err(rest.len())
}

/// Returns the length of the first line, without trailing blanks.
fn line_length(rest: &str) -> usize {
    let line = rest.split('\n').next().unwrap_or_default();
    line.trim_end_matches([' ', '\t', '\r']).len()
}

fn quoted_length(rest: &str, quote: u8, json: bool) -> Option<usize> {
    let mut bytes = rest.bytes().enumerate().skip(1).peekable();
    while let Some((index, byte)) = bytes.next() {
        if byte == b'\n' {
            return None;
        }
        let escaped = if json {
            byte == b'\\'
        } else {
            byte == quote && bytes.peek().is_some_and(|(_, next)| *next == quote)
        };
        if escaped {
            if bytes.peek().is_some_and(|(_, next)| *next == b'\n') {
                return None;
            }
            bytes.next();
        } else if byte == quote {
            return Some(index.saturating_add(1));
        }
    }
    None
}

fn word_length(rest: &str) -> usize {
    let bytes = rest.as_bytes();
    for (index, byte) in bytes.iter().enumerate() {
        let ends = match byte {
            b' ' | b'\t' | b'\r' | b'\n' | b'\'' | b'"' | b'(' | b')' | b'[' | b']' | b'{'
            | b'}' | b',' | b'.' | b'=' => true,
            b'/' => matches!(bytes.get(index.saturating_add(1)), Some(b'/' | b'*')),
            _ => false,
        };
        if ends {
            return index;
        }
    }
    bytes.len()
}
