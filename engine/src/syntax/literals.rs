//! Numbers with what follows them, periods and texts as written.

use std::sync::Arc;

use pest::iterators::Pair;

use super::build::{Builder, span_of};
use super::parse::Rule;
use super::{ExprId, ExprKind};
use crate::calendar::PeriodLiteral;
use crate::diagnostics::{Code, Diagnostic};
use crate::source::Span;

impl Builder<'_> {
    pub(super) fn numeric(&mut self, pair: Pair<'_, Rule>, span: Span) -> ExprId {
        let mut inner = pair.into_inner();
        let digits =
            inner.next().map(|number| number.as_str().replace('_', "")).unwrap_or_default();
        let unit = inner.next();
        let Some(number) = crate::number::parse(&digits) else {
            self.findings.push(
                Diagnostic::new(Code::E121, span, "a number has at most 28 digits")
                    .help("round it, or multiply two numbers"),
            );
            return self.expr.push(span, ExprKind::Unreadable);
        };
        let kind = match unit {
            None => ExprKind::Number(number),
            Some(unit) => match unit.as_rule() {
                Rule::percent => ExprKind::Percent(number),
                Rule::unit => {
                    let word = crate::calendar::TimeUnit::from_name(unit.as_str());
                    word.map_or(ExprKind::Number(number), |unit| ExprKind::Span(number, unit))
                }
                _ => self.money(number, &unit),
            },
        };
        self.expr.push(span, kind)
    }

    fn money(&mut self, number: rust_decimal::Decimal, code: &Pair<'_, Rule>) -> ExprKind {
        use crate::types::Currency;
        if let Some(currency) = Currency::from_code(code.as_str()) {
            return ExprKind::Money(number, currency);
        }
        let message = format!("`{}` is no currency of ISO 4217", code.as_str());
        let near = crate::diagnostics::nearest(code.as_str(), Currency::all().map(Currency::code));
        let finding = Diagnostic::new(Code::E121, span_of(code), message);
        self.findings.push(match near {
            Some(near) => finding
                .help(format!("did you mean {near}?"))
                .suggest(crate::diagnostics::Suggestion::replace(span_of(code), near)),
            None => finding.help("a currency has three letters, such as USD"),
        });
        ExprKind::Unreadable
    }

    pub(super) fn period(&mut self, pair: &Pair<'_, Rule>, span: Span) -> ExprId {
        if let Some(period) = PeriodLiteral::parse(pair.as_str()) {
            return self.expr.push(span, ExprKind::Period(period));
        }
        let message = format!("`{}` is no period of the calendar", pair.as_str());
        self.findings.push(
            Diagnostic::new(Code::E121, span, message)
                .help("periods are written @2026, @2026-Q1, @2026-W09, @2026-03 or @2026-03-31"),
        );
        self.expr.push(span, ExprKind::Unreadable)
    }
}

/// The constants that are written like names.
pub(super) fn constant(name: &str) -> Option<ExprKind> {
    Some(match name.to_ascii_lowercase().as_str() {
        "true" => ExprKind::Bool(true),
        "false" => ExprKind::Bool(false),
        "null" => ExprKind::Null,
        _ => return None,
    })
}

pub(super) fn unquoted(text: &str) -> Arc<str> {
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
