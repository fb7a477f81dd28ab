//! Spellings from SQL and from programming languages that the grammar has nothing like: each is
//! reported once, with what is written here instead.

use super::lex::{Token, TokenKind};
use super::mend::one_line;
use super::misread::ends_value;
use crate::calendar::PeriodLiteral;
use crate::diagnostics::{Code, Diagnostic, Edit, Suggestion};
use crate::source::Span;
use crate::types::Currency;

/// Returns the finding of the first such spelling in a formula that cannot be read; the findings of
/// other passes would only be reported for its sake.
pub(super) fn foreign_spelling(text: &str, tokens: &[Token]) -> Option<Diagnostic> {
    let reader = Reader { text };
    (0..tokens.len()).find_map(|at| {
        let (before, here) = tokens.split_at_checked(at)?;
        reader
            .statement(before, here)
            .or_else(|| reader.aggregate(before, here))
            .or_else(|| reader.logic(here))
            .or_else(|| reader.branches(tokens, at))
            .or_else(|| reader.literal(here))
    })
}

/// Reports `2026-01-31`, which a formula may hold as a subtraction.
pub(super) fn bare_date(text: &str, year: Token, after: &[Token]) -> Option<Diagnostic> {
    let [month, _, day, ..] = after else { return None };
    let span = year.span.to(day.span);
    if month.kind != TokenKind::Number || span.range().len() != "2026-01-31".len() {
        return None;
    }
    let is_date = PeriodLiteral::parse(span.slice(text)).is_some();
    is_date.then(|| {
        let subtraction = span.slice(text).replace('-', " - ");
        Diagnostic::new(Code::E121, span, "a date begins with `@`")
            .help(format!("this would be a subtraction, with blanks: {subtraction}"))
            .suggest(Suggestion::replace(span, format!("@{}", span.slice(text))))
    })
}

struct Reader<'a> {
    text: &'a str,
}

impl Reader<'_> {
    fn slice(&self, span: Span) -> &str {
        span.slice(self.text)
    }

    fn named(&self, token: Option<&Token>, word: &str) -> bool {
        token.is_some_and(|token| {
            matches!(token.kind, TokenKind::Word | TokenKind::Keyword)
                && self.slice(token.span).eq_ignore_ascii_case(word)
        })
    }

    /// `SELECT …`, `… FROM orders`, `… GROUP BY country`, `… ORDER BY day`.
    fn statement(&self, before: &[Token], here: &[Token]) -> Option<Diagnostic> {
        let [first, second, ..] = here else { return None };
        let named = |word| self.named(Some(first), word);
        let after_value = before.last().is_some_and(|before| ends_value(before.kind));
        let (message, help) = if named("select") && before.is_empty() && starts_operand(*second) {
            (
                "a formula is one value, not a query",
                "write the value alone, with its source: sum(orders.total where …)",
            )
        } else if named("from") && after_value && second.kind == TokenKind::Word {
            ("the source stands in the formula", "name it with its fields: sum(orders.total)")
        } else if named("group") && self.named(Some(second), "by") {
            (
                "a formula is one value; groups are asked for beside it",
                "`--group-by` on the command line, `group_by` of a request",
            )
        } else if named("order") && self.named(Some(second), "by") {
            (
                "a formula is one value and has no order",
                "groups are sorted by `--sort`; the first by date is first(x), a place among groups rank(x)",
            )
        } else {
            return None;
        };
        Some(Diagnostic::new(Code::E120, first.span.to(second.span), message).help(help))
    }

    /// `COUNT(*)`, `COUNT(DISTINCT x)`, `SUM(x) FILTER (WHERE c)`, `SUM(x) OVER (…)`.
    fn aggregate(&self, before: &[Token], here: &[Token]) -> Option<Diagnostic> {
        let [first, second, rest @ ..] = here else { return None };
        let opens = second.kind == TokenKind::Open;
        if self.named(Some(first), "count") && opens {
            let (inner, after) = (rest.first()?, rest.get(1)?);
            if self.slice(inner.span) == "*" && after.kind == TokenKind::Close {
                let span = first.span.to(after.span);
                return Some(
                    Diagnostic::new(
                        Code::E120,
                        span,
                        "rows are counted by the name of their source",
                    )
                    .help("for example count(orders), or count(orders where …)"),
                );
            }
            if self.named(Some(inner), "distinct") && starts_operand(*after) {
                let span = first.span.to(inner.span);
                let end = after.span.range().start;
                let replaced = Span::new(span.range().start, end);
                return Some(
                    Diagnostic::new(
                        Code::E120,
                        span,
                        "different values are counted by count_distinct",
                    )
                    .help("for example count_distinct(orders.customer)")
                    .suggest(Suggestion::replace(replaced, "count_distinct(")),
                );
            }
        }
        let closing = before.last().filter(|token| token.kind == TokenKind::Close)?;
        if self.named(Some(first), "filter") && opens && self.named(rest.first(), "where") {
            let replaced = closing.span.to(rest.first()?.span);
            return Some(
                Diagnostic::new(
                    Code::E120,
                    first.span,
                    "the condition stands inside the aggregate",
                )
                .help("for example sum(orders.total where country = 'DE')")
                .suggest(Suggestion::replace(replaced, " where")),
            );
        }
        (self.named(Some(first), "over") && opens).then(|| {
            Diagnostic::new(Code::E120, first.span, "windows are functions here")
                .help("previous(x), trailing(x, 30 days), running(x); of groups share(x), rank(x), total(x)")
        })
    }

    /// `a && b`.
    fn logic(&self, here: &[Token]) -> Option<Diagnostic> {
        let [first, second, ..] = here else { return None };
        let both = first.span.to(second.span);
        (self.slice(both) == "&&").then(|| {
            Diagnostic::new(Code::E120, both, "conditions are joined by `and`")
                .suggest(Suggestion::replace(both, "and"))
        })
    }

    /// `c ? a : b`, `if c then a else b end`, `case x when 1 then a end`.
    fn branches(&self, tokens: &[Token], at: usize) -> Option<Diagnostic> {
        let token = tokens.get(at)?;
        let next = tokens.get(at.checked_add(1)?)?;
        let rest = tokens.get(at..)?;
        let only = |word: &str| {
            let mut found = tokens.iter().filter(|token| self.named(Some(token), word));
            found.next().filter(|_| found.next().is_none()).map(|token| token.span)
        };
        let end = Span::new(self.text.len(), self.text.len());
        let choice = |condition: Span, parts: [Span; 3]| {
            let [open, middle, close] = parts;
            let edit = |span: Span, text: &str| Edit { span, text: text.to_owned() };
            let mut edits = vec![edit(open, ","), edit(middle, ","), edit(close, ")")];
            edits.insert(0, edit(condition, "if("));
            Suggestion { edits }
        };
        if token.kind == TokenKind::Hole {
            let value = at.checked_sub(1).and_then(|before| tokens.get(before))?;
            let colons = || tokens.iter().filter(|token| token.kind == TokenKind::Colon);
            let colon = colons().next().filter(|colon| colon.span > token.span)?;
            if !ends_value(value.kind) {
                return None;
            }
            let finding = Diagnostic::new(Code::E120, token.span, "a choice is a call")
                .help("if(condition, then, otherwise)");
            let one = colons().count() == 1
                && tokens.iter().filter(|token| token.kind == TokenKind::Hole).count() == 1;
            let start = Span::new(0, 0);
            return Some(if one {
                finding.suggest(choice(start, [token.span, colon.span, end]))
            } else {
                finding
            });
        }
        if self.named(Some(token), "if") && self.has_then(rest) {
            let finding = Diagnostic::new(Code::E120, token.span, "a choice is a call")
                .help("if(condition, then, otherwise)");
            let (Some(then), Some(otherwise)) = (only("then"), only("else")) else {
                return Some(finding);
            };
            let last = tokens.last().filter(|last| self.named(Some(last), "end"));
            let close = last.map_or(end, |last| last.span);
            return Some(if at == 0 {
                let head = Span::new(token.span.range().start, next.span.range().start);
                finding.suggest(choice(head, [then, otherwise, close]))
            } else {
                finding
            });
        }
        if self.named(Some(token), "case") && !self.named(Some(next), "when") {
            let when = rest.iter().find(|it| self.named(Some(it), "when"))?;
            let operand = Span::new(next.span.range().start, when.span.range().start);
            let value = one_line(self.slice(operand));
            let whens = rest.iter().enumerate().filter(|(_, it)| self.named(Some(it), "when"));
            let conditions = whens.map(|(at, when)| {
                let null = at.checked_add(1).and_then(|next| rest.get(next));
                let compared = if self.named(null, "null") { "is" } else { "=" };
                Edit { span: when.span, text: format!("when {value} {compared}") }
            });
            let edits =
                std::iter::once(Edit { span: operand, text: String::new() }).chain(conditions);
            return Some(
                Diagnostic::new(Code::E120, operand, "every `when` has a condition of its own")
                    .help(format!("case when {value} = … then … else … end"))
                    .suggest(Suggestion { edits: edits.collect() }),
            );
        }
        None
    }

    /// Returns whether an `if` has a `then` of its own, not one of a `case` in its arguments.
    fn has_then(&self, tokens: &[Token]) -> bool {
        let mut depth = 0_usize;
        for token in tokens.iter().skip(1) {
            if token.kind == TokenKind::Open {
                depth = depth.saturating_add(1);
            } else if token.kind == TokenKind::Close && depth > 0 {
                depth = depth.saturating_sub(1);
            } else if token.kind == TokenKind::Close
                || token.kind == TokenKind::Comma && depth < 2
                || depth == 0 && self.named(Some(token), "case")
            {
                return false;
            } else if depth == 0 && self.named(Some(token), "then") {
                return true;
            }
        }
        false
    }

    /// `5USD`, `5 usd`, `5% of x`, `let where = 5`.
    fn literal(&self, here: &[Token]) -> Option<Diagnostic> {
        let [first, second, rest @ ..] = here else { return None };
        if first.kind == TokenKind::Number && second.kind == TokenKind::Word {
            let code = self.slice(second.span).to_ascii_uppercase();
            Currency::from_code(&code)?;
            let amount = format!("{} {code}", self.slice(first.span));
            return Some(
                Diagnostic::new(
                    Code::E121,
                    first.span.to(second.span),
                    "an amount is a number, a blank and a currency code",
                )
                .help(format!("write {amount}"))
                .suggest(Suggestion::replace(first.span.to(second.span), amount)),
            );
        }
        if first.kind == TokenKind::Percentage && self.named(Some(second), "of") {
            return Some(
                Diagnostic::new(Code::E120, second.span, "a share of a value is a product")
                    .help("for example 5% * net_sales")
                    .suggest(Suggestion::replace(second.span, "*")),
            );
        }
        let names_a_keyword = self.named(Some(first), "let")
            && second.kind == TokenKind::Keyword
            && self.slice(rest.first()?.span) == "=";
        names_a_keyword.then(|| {
            let word = self.slice(second.span);
            Diagnostic::new(Code::E120, second.span, format!("`{word}` is a word of the language"))
                .help(format!("take another name, or write it in brackets: [{word}]"))
        })
    }
}

/// Returns whether a token begins a value, which a function or an operator does not.
const fn starts_operand(token: Token) -> bool {
    matches!(token.kind, TokenKind::Word | TokenKind::Bracketed | TokenKind::Number)
}
