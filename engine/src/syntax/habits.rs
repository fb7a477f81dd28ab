//! Spellings from spreadsheets and SQL: commas in numbers, `%` as an operator, `where` outside
//! parentheses.

use super::lex::{Token, TokenKind};
use super::misread::MisreadPass;
use super::repairs::one_line;
use crate::diagnostics::{Code, Diagnostic, Suggestion};
use crate::source::Span;

const NO_REMAINDER: &str = "`%` ends a percentage such as 10%, it is no operator";

impl MisreadPass<'_> {
    /// `1,000`: a comma between digits without blanks, outside argument lists.
    pub(super) fn comma(&mut self, token: Token, before: Option<&Token>, after: Option<&Token>) {
        if self.open.last().is_some_and(|opened| opened.takes_commas) {
            if after.is_none_or(|after| matches!(after.kind, TokenKind::Close | TokenKind::Comma)) {
                self.refuse(
                    Diagnostic::new(Code::E102, token.span, "a value is missing after `,`")
                        .help("take the comma away, or put a value after it"),
                );
            }
            return;
        }
        let (Some(before), Some(after)) = (before, after) else { return };
        let thousands = before.kind == TokenKind::Number
            && matches!(
                after.kind,
                TokenKind::Number | TokenKind::Measured | TokenKind::Percentage
            )
            && before.span.end == token.span.start
            && token.span.end == after.span.start;
        if !thousands {
            return;
        }
        let (left, right) = (self.slice(before.span), self.slice(after.span));
        let digits = right.chars().take_while(char::is_ascii_digit).count();
        if digits == 3 && !left.contains('.') {
            let help = format!("leave it out, {left}{right}, or group by `_`: {left}_{right}");
            self.lexed.findings.push(
                Diagnostic::new(Code::E103, token.span, "digits are not grouped by `,`")
                    .help(help)
                    .suggest(Suggestion::replace(token.span, "_")),
            );
            return self.lexed.repairs.replace(token.span, "_");
        }
        // `1,5` and `1.000,50` have a decimal comma; `1.5,5` is no number in any country.
        if left.split('.').skip(1).any(|group| group.len() != 3) {
            return self.refuse(
                Diagnostic::new(Code::E103, token.span, "a number has one decimal separator, `.`")
                    .help(format!("arguments stand in a call: max({left}, {right})")),
            );
        }
        let whole = left.replace('.', "");
        let span = before.span.to(token.span);
        self.lexed.findings.push(
            Diagnostic::new(Code::E103, token.span, "decimals are separated by `.`, not by `,`")
                .help(format!("write {whole}.{right}"))
                .suggest(Suggestion::replace(span, format!("{whole}."))),
        );
        self.lexed.repairs.replace(token.span, "_");
    }

    pub(super) fn remainder(
        &mut self,
        token: Token,
        before: Option<&Token>,
        after: Option<&Token>,
    ) {
        let finding = Diagnostic::new(Code::E104, token.span, NO_REMAINDER);
        let (Some(before), Some(after)) = (before, after) else {
            return self.refuse(finding.help("the remainder of a division is mod(a, b)"));
        };
        let (left, right) = (self.slice(before.span), self.slice(after.span));
        let call = format!("mod({left}, {right})");
        let finding = finding.help(format!("the remainder of a division is {call}"));
        let simple = |token: &Token| matches!(token.kind, TokenKind::Number | TokenKind::Word);
        let finding = if simple(before) && simple(after) {
            finding.suggest(Suggestion::replace(before.span.to(after.span), call))
        } else {
            finding
        };
        self.lexed.findings.push(finding);
        self.lexed.repairs.replace(token.span, "*");
    }

    /// `10%3`: a percentage directly before another value.
    pub(super) fn percentage(&mut self, token: Token, after: Option<&Token>) {
        let Some(after) = after.filter(|after| {
            matches!(after.kind, TokenKind::Number | TokenKind::Word | TokenKind::Open)
        }) else {
            return;
        };
        let left = self.slice(token.span).trim_end_matches('%');
        let call = format!("mod({left}, {})", self.slice(after.span));
        let sign = Span::new(token.span.range().end.saturating_sub(1), token.span.range().end);
        self.refuse(
            Diagnostic::new(Code::E104, sign, NO_REMAINDER)
                .help(format!("the remainder of a division is {call}")),
        );
    }

    /// `growth(x) where c`: the text from `where` on is ignored in the rest of the check.
    pub(super) fn outer_where(&mut self, token: Token, tokens: &[Token]) {
        let head = self.text.get(..token.span.range().start).unwrap_or_default();
        let condition = self.text.get(token.span.range().end..).unwrap_or_default();
        let (head, condition) = (one_line(head), one_line(condition));
        let aggregate = ["sum(", "count(", "avg(", "min(", "max(", "median(", "count_distinct("];
        let one_call = tokens.first().is_some_and(|first| first.kind == TokenKind::Word)
            && tokens.get(1).is_some_and(|second| second.kind == TokenKind::Open)
            && head.ends_with(')')
            && head.matches('(').count() == 1;
        let inner = head.split_once('(').map(|(name, rest)| (name, rest.trim_end_matches(')')));
        let rewrite = match inner {
            Some((name, argument)) if one_call => {
                if aggregate.iter().any(|call| head.to_lowercase().starts_with(call)) {
                    format!("{name}({argument} where {condition})")
                } else {
                    format!("{name}(({argument} where {condition}))")
                }
            }
            Some(_) | None => format!("({head} where {condition})"),
        };
        let all = Span::new(0, self.text.len());
        self.lexed.findings.push(
            Diagnostic::new(Code::E109, token.span, "`where` stands outside of what it narrows")
                .help(format!("put it inside: {rewrite}"))
                .suggest(Suggestion::replace(all, rewrite)),
        );
        self.lexed.repairs.blank(Span::new(token.span.range().start, self.text.len()));
    }
}
