//! Syntax of SQL and of programming languages without a counterpart in the grammar. It is reported once,
//! with the equivalent in this language.

use super::lex::{Token, TokenKind};
use super::misread::ends_value;
use super::repairs::one_line;
use crate::calendar::{PeriodLiteral, TimeUnit};
use crate::diagnostics::{Code, Diagnostic, Edit, Suggestion};
use crate::number;
use crate::source::Span;
use crate::types::Currency;

/// Returns the finding for the first such syntax in a formula that cannot be parsed. The findings of
/// other passes would only be consequences of it.
pub(super) fn foreign_spelling(text: &str, tokens: &[Token]) -> Option<Diagnostic> {
    let reader = Reader { text };
    (0..tokens.len()).find_map(|at| {
        let (before, here) = tokens.split_at_checked(at)?;
        reader
            .statement(before, here)
            .or_else(|| reader.aggregate(before, here))
            .or_else(|| reader.logic(here))
            .or_else(|| reader.ternary(tokens, at))
            .or_else(|| reader.if_then(tokens, at))
            .or_else(|| reader.simple_case(tokens, at))
            .or_else(|| reader.test_of_value(here))
            .or_else(|| reader.literal(before, here))
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
        } else if named("group") && after_value && self.named(Some(second), "by") {
            (
                "a formula is one value; groups are asked for beside it",
                "`--group-by` on the command line, `group_by` of a request",
            )
        } else if named("order") && after_value && self.named(Some(second), "by") {
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
                .help("previous_bucket(x), moving_avg(x, 3), running(x), rank(x, by: period); for groups share(x), rank(x), total(x)")
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

    /// `c ? a : b`.
    fn ternary(&self, tokens: &[Token], at: usize) -> Option<Diagnostic> {
        let question = tokens.get(at).filter(|token| token.kind == TokenKind::Hole)?;
        let before = tokens.get(at.checked_sub(1)?)?;
        let of_kind = |kind| tokens.iter().filter(move |token| token.kind == kind);
        let colon = of_kind(TokenKind::Colon).next()?;
        if !ends_value(before.kind) || colon.span < question.span {
            return None;
        }
        let is_only = [TokenKind::Colon, TokenKind::Hole].iter().all(|k| of_kind(*k).count() == 1);
        let start = Span::new(0, 0);
        Some(choice(question.span, is_only.then(|| [start, question.span, colon.span, self.end()])))
    }

    /// `if c then a else b end`.
    fn if_then(&self, tokens: &[Token], at: usize) -> Option<Diagnostic> {
        let (token, next) = (tokens.get(at)?, tokens.get(at.checked_add(1)?)?);
        if !self.named(Some(token), "if") || !self.has_then(tokens.get(at..)?) {
            return None;
        }
        let only = |word: &str| {
            let mut found = tokens.iter().filter(|token| self.named(Some(token), word));
            found.next().filter(|_| found.next().is_none()).map(|token| token.span)
        };
        let head = Span::new(token.span.range().start, next.span.range().start);
        let last = tokens.last().filter(|last| self.named(Some(last), "end"));
        let close = last.map_or(self.end(), |last| last.span);
        let parts = only("then").zip(only("else")).filter(|_| at == 0);
        Some(choice(token.span, parts.map(|(then, otherwise)| [head, then, otherwise, close])))
    }

    /// `case x when 1 then a end`.
    fn simple_case(&self, tokens: &[Token], at: usize) -> Option<Diagnostic> {
        let rest = tokens.get(at..)?;
        let [token, next, ..] = rest else { return None };
        if !self.named(Some(token), "case") || self.named(Some(next), "when") {
            return None;
        }
        let when = rest.iter().find(|it| self.named(Some(it), "when"))?;
        let operand = Span::new(next.span.range().start, when.span.range().start);
        let value = one_line(self.slice(operand));
        let finding =
            Diagnostic::new(Code::E120, operand, "every `when` has a condition of its own")
                .help(format!("case when {value} = … then … else … end"));
        // Another `case` has branches of its own, and `and`, `or` and `not` bind less than `=`.
        let is_plain = |token: &Token| {
            token.kind != TokenKind::Keyword
                || ["when", "then", "else", "end", "null"]
                    .iter()
                    .any(|word| self.named(Some(token), word))
        };
        if !rest.iter().skip(1).all(is_plain) {
            return Some(finding);
        }
        let whens = rest.iter().enumerate().filter(|(_, it)| self.named(Some(it), "when"));
        let conditions = whens.map(|(at, when)| {
            let null = at.checked_add(1).and_then(|next| rest.get(next));
            let compared = if self.named(null, "null") { "is" } else { "=" };
            Edit { span: when.span, text: format!("when {value} {compared}") }
        });
        let edits = std::iter::once(Edit { span: operand, text: String::new() }).chain(conditions);
        Some(finding.suggest(Suggestion::new(edits.collect())))
    }

    fn end(&self) -> Span {
        Span::new(self.text.len(), self.text.len())
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

    /// `1e5`, `2.5e-3`.
    fn exponent(&self, here: &[Token]) -> Option<Diagnostic> {
        let first = here.first().filter(|token| token.kind == TokenKind::Number)?;
        // With a sign before its exponent a number is four tokens, otherwise two.
        [here.get(3), here.get(1)].into_iter().flatten().find_map(|last| {
            let span = first.span.to(last.span);
            let number = number::to_plain(number::parse_scientific(self.slice(span))?);
            let finding = Diagnostic::new(Code::E120, span, "a number has no exponent");
            Some(finding.help(format!("write {number}")).suggest(Suggestion::replace(span, number)))
        })
    }

    /// `date '2026-01-31'`
    fn typed_date(&self, first: Token, second: Token) -> Option<Diagnostic> {
        if !self.named(Some(&first), "date") || second.kind != TokenKind::Text {
            return None;
        }
        let text = self.slice(second.span).trim_matches(['\'', '"']);
        PeriodLiteral::parse(text)?;
        let span = first.span.to(second.span);
        Some(
            Diagnostic::new(Code::E121, span, "a date begins with `@`")
                .help(format!("write @{text}"))
                .suggest(Suggestion::replace(span, format!("@{text}"))),
        )
    }

    /// `country is 'DE'`, `country is not 'DE'`, `country in 'DE'`.
    fn test_of_value(&self, here: &[Token]) -> Option<Diagnostic> {
        let [word, rest @ ..] = here else { return None };
        let (is_negated, value) = match rest {
            [not, value, ..] if self.named(Some(not), "not") => (true, value),
            [value, ..] => (false, value),
            [] => return None,
        };
        if !matches!(value.kind, TokenKind::Text | TokenKind::Number | TokenKind::Measured) {
            return None;
        }
        let written = self.slice(value.span);
        if self.named(Some(word), "is") {
            let text = format!("{} {written}", if is_negated { "!=" } else { "=" });
            return Some(
                Diagnostic::new(Code::E120, word.span, "`is` asks for null alone")
                    .help(format!("values are compared by signs: {text}"))
                    .suggest(Suggestion::replace(word.span.to(value.span), text)),
            );
        }
        let text = format!("({written})");
        (self.named(Some(word), "in") && !is_negated).then(|| {
            Diagnostic::new(Code::E120, value.span, "`in` takes values in parentheses")
                .help(format!("for example in {text}"))
                .suggest(Suggestion::replace(value.span, text))
        })
    }

    /// `5USD`, `5 usd`, `30  days`, `5% of x`, `let where = 5`.
    fn literal(&self, before: &[Token], here: &[Token]) -> Option<Diagnostic> {
        let [first, second, rest @ ..] = here else { return None };
        if let Some(finding) = self.exponent(here).or_else(|| self.typed_date(*first, *second)) {
            return Some(finding);
        }
        if first.kind == TokenKind::Number && second.kind == TokenKind::Word {
            let word = self.slice(second.span);
            let code = word.to_ascii_uppercase();
            let (message, unit) = if Currency::from_code(&code).is_some() {
                ("an amount is a number, a blank and a currency code", code.as_str())
            } else {
                TimeUnit::from_name(word)?;
                ("a span of time is a number, one blank and a unit", word)
            };
            let (span, text) =
                (first.span.to(second.span), format!("{} {unit}", self.slice(first.span)));
            return Some(
                Diagnostic::new(Code::E121, span, message)
                    .help(format!("write {text}"))
                    .suggest(Suggestion::replace(span, text)),
            );
        }
        if first.kind == TokenKind::Percentage && self.named(Some(second), "of") {
            let finding =
                Diagnostic::new(Code::E120, second.span, "a share of a value is a product")
                    .help("for example 5% * net_sales");
            // `a / 5% of b` divides by the whole share.
            let binds =
                before.last().is_some_and(|token| ["/", "^"].contains(&self.slice(token.span)));
            return Some(if binds {
                finding
            } else {
                finding.suggest(Suggestion::replace(second.span, "*"))
            });
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

/// Reports a choice that is written without a call; `parts` are what `if(`, `,`, `,` and `)` replace.
fn choice(place: Span, parts: Option<[Span; 4]>) -> Diagnostic {
    let finding = Diagnostic::new(Code::E120, place, "a choice is a call")
        .help("if(condition, then, otherwise)");
    let Some(parts) = parts else { return finding };
    let edits = parts.into_iter().zip(["if(", ",", ",", ")"]);
    let edits = edits.map(|(span, text)| Edit { span, text: text.to_owned() }).collect();
    finding.suggest(Suggestion::new(edits))
}

/// Returns whether a token begins a value, which a function or an operator does not.
const fn starts_operand(token: Token) -> bool {
    matches!(token.kind, TokenKind::Word | TokenKind::Bracketed | TokenKind::Number)
}
