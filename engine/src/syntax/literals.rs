//! Literals: numbers with their suffixes, periods and texts.

use std::sync::Arc;

use rust_decimal::Decimal;

use super::lex::{Token, TokenKind};
use super::tree_builder::TreeBuilder;
use super::{ExprId, ExprKind};
use crate::calendar::{PeriodLiteral, TimeUnit};
use crate::diagnostics::{Code, Diagnostic, Suggestion, nearest};
use crate::number;
use crate::source::Span;
use crate::types::Currency;

impl TreeBuilder<'_> {
    pub(super) fn literal(&mut self, token: Token) -> ExprId {
        let kind = match token.kind {
            TokenKind::Number | TokenKind::Percentage | TokenKind::Measured => self.numeric(token),
            TokenKind::Text => ExprKind::Text(unquoted(self.text_of(token))),
            TokenKind::Period => self.period(token),
            _ => ExprKind::Hole,
        };
        self.expr.push(token.span, kind)
    }

    fn numeric(&mut self, token: Token) -> ExprKind {
        let text = self.text_of(token);
        let is_digit = |c: char| c.is_ascii_digit() || matches!(c, '_' | '.');
        let length = text.find(|c| !is_digit(c)).unwrap_or(text.len());
        let (digits, unit) = text.split_at_checked(length).unwrap_or_default();
        let grouped = digits.contains('_').then(|| digits.replace('_', ""));
        let Some(number) = number::parse(grouped.as_deref().unwrap_or(digits)) else {
            self.findings.push(
                Diagnostic::new(Code::E121, token.span, "a number has at most 28 digits")
                    .help("round it, or multiply two numbers"),
            );
            return ExprKind::Unreadable;
        };
        match unit.trim_start() {
            "" => ExprKind::Number(number),
            "%" => ExprKind::Percent(number),
            word => match TimeUnit::from_name(word) {
                Some(unit) => ExprKind::Span(number, unit),
                None => self.money(number, word, token.span),
            },
        }
    }

    /// Builds an amount; its place ends with the currency code.
    fn money(&mut self, number: Decimal, code: &str, whole: Span) -> ExprKind {
        if let Some(currency) = Currency::from_code(code) {
            return ExprKind::Money(number, currency);
        }
        let end = whole.range().end;
        let place = Span::new(end.saturating_sub(code.len()), end);
        let message = format!("`{code}` is no currency of ISO 4217");
        let near = nearest(code, Currency::all().map(Currency::code));
        let finding = Diagnostic::new(Code::E121, place, message);
        self.findings.push(match near {
            Some(near) => finding
                .help(format!("did you mean {near}?"))
                .suggest(Suggestion::replace(place, near)),
            None => finding.help("a currency has three letters, such as USD"),
        });
        ExprKind::Unreadable
    }

    fn period(&mut self, token: Token) -> ExprKind {
        let text = self.text_of(token);
        if let Some(period) = PeriodLiteral::parse(text) {
            return ExprKind::Period(period);
        }
        let message = format!("`{text}` is no period of the calendar");
        self.findings.push(
            Diagnostic::new(Code::E121, token.span, message)
                .help("periods are written @2026, @2026-Q1, @2026-W09, @2026-03 or @2026-03-31"),
        );
        ExprKind::Unreadable
    }
}

/// Returns the constants that are spelt like names.
pub(super) fn constant(name: &str) -> Option<ExprKind> {
    let is = |word: &str| word.eq_ignore_ascii_case(name);
    if is("true") || is("false") {
        Some(ExprKind::Bool(is("true")))
    } else {
        is("null").then_some(ExprKind::Null)
    }
}

/// Returns a text without its quotes, doubled ones inside it as one.
pub(crate) fn unquoted(text: &str) -> Arc<str> {
    let quote = text.get(..1).unwrap_or_default();
    let inner = text.strip_prefix(quote).and_then(|text| text.strip_suffix(quote));
    let inner = inner.unwrap_or_default();
    let doubled = quote.repeat(2);
    if inner.contains(&doubled) {
        Arc::from(inner.replace(&doubled, quote))
    } else {
        Arc::from(inner)
    }
}
