//! The state of building a syntax tree: the tree so far, what was found, and the tokens of the text.

use pest::iterators::Pair;

use super::lex::{Token, TokenKind};
use super::{Expr, Limits};
use crate::diagnostics::Diagnostic;
use crate::source::Span;

/// The grammar of `grammar/formula.pest`.
#[derive(pest_derive::Parser)]
#[grammar = "../../grammar/formula.pest"]
pub(super) struct Grammar;

/// Builds one tree and collects all findings.
pub(super) struct TreeBuilder<'a> {
    pub(super) expr: Expr,
    pub(super) findings: Vec<Diagnostic>,
    text: &'a str,
    /// The tokens of the text; positions in pairs are token indices.
    pub(super) tokens: &'a [Token],
    pub(super) limits: &'a Limits,
}

impl<'a> TreeBuilder<'a> {
    pub(super) fn new(text: &'a str, tokens: &'a [Token], limits: &'a Limits) -> Self {
        let expr = Expr { nodes: Vec::with_capacity(tokens.len()), ..Expr::default() };
        Self { expr, findings: Vec::new(), text, tokens, limits }
    }

    /// Returns the first token of a pair; most pairs have one.
    pub(super) fn token(&self, pair: &Pair<'_, Rule>) -> Token {
        let nothing = Token { kind: TokenKind::Unknown, span: Span::default() };
        self.tokens.get(pair.as_span().start()).copied().unwrap_or(nothing)
    }

    pub(super) fn text_of(&self, token: Token) -> &'a str {
        token.span.slice(self.text)
    }

    pub(super) fn span_of(&self, pair: &Pair<'_, Rule>) -> Span {
        let range = pair.as_span();
        let place = |index: usize| self.tokens.get(index).map_or(Span::default(), |one| one.span);
        let first = place(range.start());
        if range.end().saturating_sub(range.start()) == 1 {
            return first;
        }
        first.to(place(range.end().saturating_sub(1)))
    }

    /// Returns the tree, unless a part of it could not be built.
    pub(super) fn finish(self) -> (Option<Expr>, Vec<Diagnostic>) {
        let expr = self.expr.root.is_some().then_some(self.expr);
        (expr, self.findings)
    }
}
