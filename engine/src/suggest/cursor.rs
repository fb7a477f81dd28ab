//! The cursor's context in a text that need not be a valid formula: the word at the cursor, the
//! surrounding brackets, and the preceding tokens.

use crate::functions::{self, FunctionSpec};
use crate::source::Span;
use crate::syntax::{Limits, Token, TokenKind, tokens};

pub(super) struct Cursor<'t> {
    pub(super) text: &'t str,
    /// The typed part of the word at the cursor.
    pub(super) typed: &'t str,
    /// The span that a candidate replaces: the word, to its end.
    pub(super) replaced: Span,
    pub(super) inside: CursorContext,
    /// The tokens before the word.
    pub(super) before: Vec<Token>,
    /// The tokens after the word.
    pub(super) after: Vec<Token>,
    /// The open brackets around the cursor, innermost last.
    pub(super) brackets: Vec<Bracket>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum CursorContext {
    /// A word, or between words.
    Code,
    /// A name in brackets.
    Name,
    /// A text in these quotes.
    Text(char),
    /// A comment.
    Comment,
}

/// An open bracket.
pub(super) struct Bracket {
    /// The function whose arguments the bracket holds.
    pub(super) function: Option<&'static FunctionSpec>,
    /// The index of the first token inside.
    pub(super) start: usize,
    /// The index of the argument at the cursor.
    pub(super) argument: usize,
    /// The clause of that argument at the cursor.
    pub(super) clause: Clause,
}

/// A part of an argument.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Clause {
    /// The value itself.
    Value,
    /// After `where`.
    Where,
    /// After `per`.
    Per,
    /// After `dated`.
    Dated,
}

impl Bracket {
    pub(super) fn is_aggregate(&self) -> bool {
        self.function.is_some_and(|spec| spec.behaviour.is_aggregate())
    }
}

impl<'t> Cursor<'t> {
    /// Accepts any byte offset; one inside a character stands for the character's start.
    pub(super) fn at(text: &'t str, offset: usize, limits: &Limits) -> Self {
        let at = text.floor_char_boundary(offset.min(text.len()));
        let (left, right) = text.split_at(at);
        let mut before = tokens(left, limits);
        let mut cursor = Self {
            text,
            typed: "",
            replaced: Span::new(at, at),
            inside: CursorContext::Code,
            before: Vec::new(),
            after: Vec::new(),
            brackets: Vec::new(),
        };
        let known = before.last().map_or(0, |token| token.span.range().end);
        if ends_in_comment(left.get(known..).unwrap_or_default()) {
            cursor.inside = CursorContext::Comment;
        }
        if let Some(last) = before.last().copied().filter(|last| last.span.range().end == at) {
            let word = last.span.slice(left);
            let first = last.span.range().start;
            let opener = word.chars().next();
            let is_open = last.kind == TokenKind::Unknown;
            let start = match (last.kind, opener) {
                (TokenKind::Word | TokenKind::Keyword, _) => Some(first),
                (TokenKind::Measured, _) => {
                    let unit = word.trim_end_matches(|c: char| c.is_ascii_alphabetic());
                    Some(first.saturating_add(unit.len()))
                }
                (_, Some('[')) if is_open => {
                    cursor.inside = CursorContext::Name;
                    Some(first)
                }
                (_, Some(quote @ ('\'' | '"'))) if is_open => {
                    cursor.inside = CursorContext::Text(quote);
                    Some(first.saturating_add(1))
                }
                _ => None,
            };
            if let Some(start) = start {
                let skipped = usize::from(cursor.inside == CursorContext::Name);
                cursor.typed = text.get(start.saturating_add(skipped)..at).unwrap_or_default();
                cursor.replaced = Span::new(start, at.saturating_add(cursor.rest_of_word(right)));
                if last.kind != TokenKind::Measured {
                    before.pop();
                }
            }
        }
        if cursor.typed.is_empty()
            && cursor.inside == CursorContext::Code
            && cursor.replaced.start == cursor.replaced.end
        {
            cursor.replaced = Span::new(at, at.saturating_add(cursor.rest_of_word(right)));
        }
        let end = cursor.replaced.end;
        let shifted = |token: Token| Token { span: token.span.shifted(end), ..token };
        let rest = text.get(cursor.replaced.range().end..).unwrap_or_default();
        cursor.after = tokens(rest, limits).into_iter().map(shifted).collect();
        cursor.brackets = brackets(left, &before);
        cursor.before = before;
        cursor
    }

    /// Returns the length of the part of the word after the cursor.
    fn rest_of_word(&self, right: &str) -> usize {
        let line = right.lines().next().unwrap_or_default();
        match self.inside {
            CursorContext::Code => {
                right.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(right.len())
            }
            CursorContext::Name => line.find(']').map_or(0, |end| end.saturating_add(1)),
            CursorContext::Text(quote) => line.find(quote).unwrap_or(0),
            CursorContext::Comment => 0,
        }
    }

    pub(super) fn last(&self) -> Option<Token> {
        self.before.last().copied()
    }

    pub(super) fn word(&self, token: Token) -> &'t str {
        token.span.slice(self.text).trim_start_matches('[').trim_end_matches(']')
    }

    pub(super) fn is_keyword(&self, token: Option<Token>, word: &str) -> bool {
        token.is_some_and(|token| {
            token.kind == TokenKind::Keyword && self.word(token).eq_ignore_ascii_case(word)
        })
    }

    /// Returns the path that ends with the token at `end`, exclusive: `orders`, `customer`.
    pub(super) fn path_before(&self, end: usize) -> Vec<&'t str> {
        let mut path = Vec::new();
        let mut at = end;
        loop {
            let name = at.checked_sub(1).and_then(|index| self.before.get(index)).copied();
            let Some(name) = name.filter(|token| is_name(token.kind)) else { break };
            path.push(self.word(name));
            at = at.saturating_sub(1);
            let dot = at.checked_sub(1).and_then(|index| self.before.get(index));
            if dot.is_none_or(|token| token.kind != TokenKind::Dot) {
                break;
            }
            at = at.saturating_sub(1);
        }
        path.reverse();
        path
    }

    /// Returns the names that `let` lines before the cursor declare.
    pub(super) fn lets(&self) -> Vec<&'t str> {
        let pairs = self.before.iter().zip(self.before.iter().skip(1));
        pairs
            .filter(|(first, second)| self.is_keyword(Some(**first), "let") && is_name(second.kind))
            .map(|(_, second)| self.word(*second))
            .collect()
    }
}

pub(super) const fn is_name(kind: TokenKind) -> bool {
    matches!(kind, TokenKind::Word | TokenKind::Bracketed)
}

fn ends_in_comment(gap: &str) -> bool {
    // Without a mark the place is `None`, which comes before every other.
    let in_block = gap.rfind("/*") > gap.rfind("*/");
    let line = gap.rsplit('\n').next().unwrap_or_default();
    in_block || line.contains("//") || line.contains("--")
}

/// Returns the brackets that are open at the end, with the position of the end in them.
fn brackets(text: &str, tokens: &[Token]) -> Vec<Bracket> {
    let mut open: Vec<Bracket> = Vec::new();
    for (index, token) in tokens.iter().enumerate() {
        match token.kind {
            TokenKind::Open => {
                let name = index.checked_sub(1).and_then(|before| tokens.get(before));
                let name = name.filter(|name| name.kind == TokenKind::Word);
                open.push(Bracket {
                    function: name.and_then(|name| functions::find(name.span.slice(text))),
                    start: index.saturating_add(1),
                    argument: 0,
                    clause: Clause::Value,
                });
            }
            TokenKind::Close => {
                open.pop();
            }
            TokenKind::Comma => {
                if let Some(bracket) = open.last_mut() {
                    bracket.argument = bracket.argument.saturating_add(1);
                    // Commas also separate keys after `per`.
                    if bracket.clause != Clause::Per {
                        bracket.clause = Clause::Value;
                    }
                }
            }
            TokenKind::Keyword => {
                if let Some(bracket) = open.last_mut() {
                    bracket.clause = match token.span.slice(text).to_ascii_lowercase().as_str() {
                        "where" => Clause::Where,
                        "per" => Clause::Per,
                        "dated" => Clause::Dated,
                        _ => bracket.clause,
                    };
                }
            }
            _ => {}
        }
    }
    open
}
