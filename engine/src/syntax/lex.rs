//! The lexer: words, numbers with their units, quoted texts. `misread` and the grammar check the
//! order of tokens.

use super::repairs::{Repairs, one_line};
use super::{Comment, Limits};
use crate::calendar::TimeUnit;
use crate::diagnostics::{Code, Diagnostic, Edit, Suggestion};
use crate::source::Span;

/// A token with its place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Token {
    pub(crate) kind: TokenKind,
    pub(crate) span: Span,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum TokenKind {
    Number,
    Percentage,
    /// A number with its unit or currency.
    Measured,
    Word,
    Keyword,
    Bracketed,
    Text,
    Period,
    Hole,
    Open,
    Close,
    Comma,
    Colon,
    Semicolon,
    Dot,
    /// An infix operator.
    Infix,
    /// `+` or `-`, which may also be a prefix.
    Sign,
    /// A `%` that is not a percentage.
    Remainder,
    /// A character without meaning.
    Unknown,
}

/// The words that cannot be bare names.
pub(crate) const RESERVED: [&str; 19] = [
    "let", "not", "and", "or", "is", "null", "in", "between", "like", "default", "where", "per",
    "dated", "by", "case", "when", "then", "else", "end",
];

/// The length of `between` and `default`, the longest reserved words.
const LONGEST_RESERVED: usize = 7;

/// The result of the first pass.
#[derive(Debug, Default)]
pub(super) struct LexOutput {
    pub(super) tokens: Vec<Token>,
    pub(super) comments: Vec<Comment>,
    pub(super) findings: Vec<Diagnostic>,
    pub(super) repairs: Repairs,
    /// Whether the token limit ended the pass early.
    pub(super) cut: bool,
}

/// Returns the tokens of a text that need not be a formula, for editors.
pub(crate) fn tokens(text: &str, limits: &Limits) -> Vec<Token> {
    lex(text, limits).tokens
}

/// Cuts `text` into tokens; stops at the token limit.
pub(super) fn lex(text: &str, limits: &Limits) -> LexOutput {
    // Most tokens are at least a character followed by a blank.
    let tokens = Vec::with_capacity(text.len().div_ceil(2));
    let mut lexer = Lexer { text, at: 0, out: LexOutput { tokens, ..LexOutput::default() } };
    while lexer.at < text.len() {
        if lexer.out.tokens.len() >= limits.max_tokens {
            lexer.out.cut = true;
            break;
        }
        lexer.token();
    }
    lexer.out
}

struct Lexer<'a> {
    text: &'a str,
    at: usize,
    out: LexOutput,
}

impl Lexer<'_> {
    fn rest(&self) -> &str {
        self.text.get(self.at..).unwrap_or_default()
    }

    fn span(&self, length: usize) -> Span {
        Span::new(self.at, self.at.saturating_add(length))
    }

    fn skip(&mut self, length: usize) {
        self.at = self.at.saturating_add(length.max(1));
    }

    fn push(&mut self, kind: TokenKind, length: usize) {
        let span = self.span(length);
        self.out.tokens.push(Token { kind, span });
        self.skip(length);
    }

    fn token(&mut self) {
        let rest = self.rest();
        let Some(first) = rest.chars().next() else { return };
        match first {
            ' ' if !rest.starts_with("  ") => self.skip(1),
            ' ' | '\t' | '\r' | '\n' => {
                let blanks = rest
                    .len()
                    .saturating_sub(rest.trim_start_matches([' ', '\t', '\r', '\n']).len());
                self.skip(blanks);
            }
            '/' if rest.starts_with("//") => {
                self.comment(rest.find('\n').unwrap_or(rest.len()));
            }
            '/' if rest.starts_with("/*") => self.block_comment(),
            '0'..='9' => self.number(),
            'a'..='z' | 'A'..='Z' => {
                let is_part = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_';
                let length = rest.bytes().take_while(is_part).count();
                let (word, after) = rest.split_at_checked(length).unwrap_or_default();
                if after.starts_with(char::is_alphabetic) {
                    return self.foreign_name();
                }
                let kind = if length <= LONGEST_RESERVED
                    && RESERVED.iter().any(|key| key.eq_ignore_ascii_case(word))
                {
                    TokenKind::Keyword
                } else {
                    TokenKind::Word
                };
                self.push(kind, length);
            }
            '\'' | '"' => self.quoted(first),
            '‘' | '’' | '“' | '”' | '„' | '‚' => self.curly(first),
            '[' => self.bracketed(),
            '@' => {
                let length = prefix_length(rest, |c| c.is_ascii_alphanumeric() || "@-".contains(c));
                self.push(TokenKind::Period, length);
            }
            // No-break and other spaces come along when a formula is pasted from a document.
            _ if first.is_whitespace() => self.skip(first.len_utf8()),
            _ => self.symbol(first),
        }
    }

    fn comment(&mut self, length: usize) {
        let span = self.span(length);
        let text = span.slice(self.text).trim_end().to_owned();
        let span = Span::new(self.at, self.at.saturating_add(text.len()));
        self.out.repairs.blank(span);
        self.out.comments.push(Comment { span, text });
        self.skip(length);
    }

    fn block_comment(&mut self) {
        if let Some(end) = self.rest().find("*/") {
            return self.comment(end.saturating_add(2));
        }
        let span = self.span(2);
        self.out.findings.push(
            Diagnostic::new(Code::E101, span, "the comment opened here is never closed")
                .help("close it with `*/`"),
        );
        let length = self.rest().len();
        self.out.repairs.blank(self.span(length));
        self.skip(length);
    }

    /// Reads a number with its suffix: `15%`, `30 days`, `50 EUR`.
    fn number(&mut self) {
        let rest = self.rest();
        let mut length = prefix_length(rest, |c| c.is_ascii_digit() || c == '_');
        let after = rest.get(length..).unwrap_or_default();
        if let Some(fraction) = after.strip_prefix('.') {
            let digits = prefix_length(fraction, |c| c.is_ascii_digit());
            if digits > 0 {
                length = length.saturating_add(digits).saturating_add(1);
            }
        }
        let after = rest.get(length..).unwrap_or_default();
        if after.starts_with('%') {
            return self.push(TokenKind::Percentage, length.saturating_add(1));
        }
        let blank = usize::from(after.starts_with(' '));
        let word = after.get(blank..).unwrap_or_default();
        let word = word.get(..prefix_length(word, is_word)).unwrap_or_default();
        let is_currency = blank == 1
            && word.len() == 3
            && word.bytes().all(|byte| byte.is_ascii_uppercase())
            && !RESERVED.iter().any(|key| key.eq_ignore_ascii_case(word));
        if is_currency || !word.is_empty() && TimeUnit::from_name(word).is_some() {
            let whole = length.saturating_add(blank).saturating_add(word.len());
            return self.push(TokenKind::Measured, whole);
        }
        self.push(TokenKind::Number, length);
    }

    fn quoted(&mut self, quote: char) {
        let rest = self.rest();
        let mut chars = rest.char_indices().skip(1).peekable();
        while let Some((index, c)) = chars.next() {
            if c != quote {
                continue;
            }
            if chars.peek().is_some_and(|(_, next)| *next == quote) {
                chars.next();
                continue;
            }
            return self.push(TokenKind::Text, index.saturating_add(1));
        }
        self.unclosed(&format!("missing {quote}"), "the quote opened here is never closed");
    }

    /// Reads a text in the quotes of a word processor, and suggests straight ones.
    fn curly(&mut self, opener: char) {
        let rest = self.rest();
        let width = opener.len_utf8();
        let is_curly = |c: char| "‘’“”".contains(c);
        let inner = rest.get(width..).unwrap_or_default();
        // `’` between letters is an apostrophe.
        let is_apostrophe = |at: usize| {
            let (before, after) = inner.split_at_checked(at).unwrap_or_default();
            let after = after.strip_prefix('’').unwrap_or_default();
            before.ends_with(char::is_alphanumeric) && after.starts_with(char::is_alphanumeric)
        };
        let is_closer = |(at, c): &(usize, char)| is_curly(*c) && !is_apostrophe(*at);
        let Some((closer, _)) = inner.char_indices().find(is_closer) else {
            return self.unknown(opener);
        };
        let text = inner.get(..closer).unwrap_or_default();
        let quote = if text.contains('\'') { "\"" } else { "'" };
        let help = format!("write {quote}{text}{quote}");
        let closing = inner.get(closer..).and_then(|after| after.chars().next());
        let before = width.saturating_add(closer);
        let length = before.saturating_add(closing.map_or(0, char::len_utf8));
        let (span, opening) = (self.span(length), self.span(width));
        let closing = Span::new(self.at.saturating_add(before), self.at.saturating_add(length));
        let edits = [opening, closing].map(|span| Edit { span, text: quote.to_owned() });
        let suggestion = Suggestion::new(edits.to_vec());
        self.out.findings.push(
            Diagnostic::new(Code::E108, span, "text stands in straight quotes")
                .help(help)
                .suggest(suggestion),
        );
        self.out.repairs.replace(opening, quote);
        self.out.repairs.replace(closing, quote);
        self.push(TokenKind::Text, length);
    }

    fn bracketed(&mut self) {
        let Some(end) = self.rest().find(']') else {
            return self.unclosed("missing `]`", "the bracket opened here is never closed");
        };
        let length = end.saturating_add(1);
        if !self.rest().get(1..end).unwrap_or_default().trim().is_empty() {
            return self.push(TokenKind::Bracketed, length);
        }
        let span = self.span(length);
        self.out.findings.push(
            Diagnostic::new(Code::E102, span, "the brackets name nothing")
                .help("a name with blanks is written `[Net Sales]`"),
        );
        self.push(TokenKind::Unknown, length);
    }

    fn unclosed(&mut self, message: &str, help: &str) {
        let span = self.span(1);
        self.out.findings.push(Diagnostic::new(Code::E101, span, message).help(help));
        let length = self.rest().len();
        self.push(TokenKind::Unknown, length);
    }

    fn symbol(&mut self, first: char) {
        let rest = self.rest();
        if let [b'<' | b'>' | b'!', b'=', ..]
        | [b'<', b'>', ..]
        | [b'?', b'?', ..]
        | [b'|', b'|', ..] = rest.as_bytes()
        {
            return self.push(TokenKind::Infix, 2);
        }
        match first {
            '=' if rest.starts_with("==") => self.double_equals(),
            '-' if rest.starts_with("--") => self.double_minus(),
            '+' | '-' => self.push(TokenKind::Sign, 1),
            '*' | '/' | '^' | '=' | '<' | '>' | '&' => self.push(TokenKind::Infix, 1),
            '%' => self.push(TokenKind::Remainder, 1),
            '(' => self.push(TokenKind::Open, 1),
            ')' => self.push(TokenKind::Close, 1),
            ',' => self.push(TokenKind::Comma, 1),
            ':' => self.push(TokenKind::Colon, 1),
            ';' => self.push(TokenKind::Semicolon, 1),
            '.' => self.push(TokenKind::Dot, 1),
            '?' => self.push(TokenKind::Hole, 1),
            _ => self.unknown(first),
        }
    }

    fn double_equals(&mut self) {
        let span = self.span(2);
        let repaired = format!(
            "{}={}",
            self.text.get(..self.at).unwrap_or_default(),
            self.text.get(self.at.saturating_add(2)..).unwrap_or_default()
        );
        self.out.findings.push(
            Diagnostic::new(Code::E110, span, "one `=` is enough to compare")
                .help(one_line(&repaired))
                .suggest(Suggestion::replace(span, "=")),
        );
        self.out.repairs.replace(span, "=");
        self.push(TokenKind::Infix, 2);
    }

    fn double_minus(&mut self) {
        let span = self.span(2);
        let length = self.rest().find('\n').unwrap_or(self.rest().len());
        let after = self.rest().get(2..length).unwrap_or_default();
        // A remark is preceded by a blank, and is longer than a number.
        let is_value = after.starts_with(|next: char| next.is_alphanumeric() || next == '(')
            || after.trim().parse::<rust_decimal::Decimal>().is_ok();
        let meant = if is_value { "- -" } else { "//" };
        self.out.findings.push(
            Diagnostic::new(Code::E107, span, "`--` starts no comment here, and is no operator")
                .help("comments start with `//`; to subtract a negative, write `- -x`")
                .suggest(Suggestion::replace(span, meant).among_others()),
        );
        let line = self.span(length);
        self.out.repairs.blank(line);
        self.skip(length);
    }

    /// Reports a name with letters beyond `z`, which is written in brackets.
    fn foreign_name(&mut self) {
        let length = prefix_length(self.rest(), |c| c.is_alphanumeric() || c == '_');
        let span = self.span(length);
        let bracketed = format!("[{}]", span.slice(self.text));
        self.out.findings.push(
            Diagnostic::new(Code::E108, span, "bare names have the letters a to z")
                .help("in brackets a name may have any")
                .suggest(Suggestion::replace(span, bracketed)),
        );
        self.out.repairs.blank(span);
        self.push(TokenKind::Unknown, length);
    }

    fn unknown(&mut self, first: char) {
        if first.is_alphabetic() {
            return self.foreign_name();
        }
        let span = self.span(first.len_utf8());
        let (mut replacement, help) = meant_by(first);
        if replacement == ")" && !self.is_bracket_open() {
            replacement = "";
        }
        let shown = if first.is_control()
            || first.len_utf8() > 1 && !"€£¥".contains(first) && replacement.is_empty()
        {
            first.escape_unicode().to_string()
        } else {
            first.to_string()
        };
        let message = format!("unknown character `{shown}` (U+{:04X})", u32::from(first));
        let mut finding = Diagnostic::new(Code::E108, span, message).help(help);
        if replacement.is_empty() {
            self.out.repairs.blank(span);
            self.out.findings.push(finding);
            return self.push(TokenKind::Unknown, first.len_utf8());
        }
        finding = finding.suggest(Suggestion::replace(span, replacement));
        self.out.repairs.replace(span, replacement);
        self.out.findings.push(finding);
        let kind = match replacement {
            "-" => TokenKind::Sign,
            "(" => TokenKind::Open,
            ")" => TokenKind::Close,
            _ => TokenKind::Infix,
        };
        self.push(kind, first.len_utf8());
    }

    /// Returns whether a bracket is open here.
    fn is_bracket_open(&self) -> bool {
        let count = |kind| self.out.tokens.iter().filter(|token| token.kind == kind).count();
        count(TokenKind::Open) > count(TokenKind::Close)
    }
}

/// Returns the probable replacement of a character, and the help line.
fn meant_by(character: char) -> (&'static str, &'static str) {
    match character {
        '÷' => ("/", "division is `/`"),
        '×' | '·' => ("*", "multiplication is `*`"),
        '−' | '–' | '—' => ("-", "minus is `-`"),
        '≤' => ("<=", "less or equal is `<=`"),
        '≥' => (">=", "greater or equal is `>=`"),
        '≠' => ("!=", "different is `!=`"),
        '!' => ("", "negation is `not`, different is `!=`"),
        '‘' | '’' | '“' | '”' | '`' | '´' => {
            ("", "text stands in straight quotes: 'text'")
        }
        '$' => ("", "an amount is a number and a currency code: 50 USD"),
        '€' => ("", "an amount is a number and a currency code: 50 EUR"),
        '£' => ("", "an amount is a number and a currency code: 50 GBP"),
        '¥' => ("", "an amount is a number and a currency code: 50 JPY"),
        '{' => ("(", "group with `(` and `)`"),
        '}' | ']' => (")", "group with `(` and `)`"),
        _ => ("", "only text in quotes and names in brackets may hold it"),
    }
}

fn is_word(character: char) -> bool {
    character.is_ascii_alphanumeric() || character == '_'
}

fn prefix_length(text: &str, belongs: impl Fn(char) -> bool) -> usize {
    text.find(|c| !belongs(c)).unwrap_or(text.len())
}
