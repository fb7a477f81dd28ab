//! The token pass: unmatched brackets, nesting, commas in numbers, `%` as an operator, dates
//! without `@`, `where` outside parentheses, missing values and operators.

use super::Limits;
use super::lex::{LexOutput, Token, TokenKind};
use super::repairs::one_line;
use crate::calendar::PeriodLiteral;
use crate::diagnostics::{Code, Diagnostic, Suggestion};
use crate::source::Span;

/// Checks the tokens and adds findings and repairs. Returns whether the grammar can be tried.
pub(super) fn misread(text: &str, lexed: &mut LexOutput, limits: &Limits) -> bool {
    let mut pass =
        MisreadPass { text, limits, lexed, open: Vec::new(), prefixes: 0, readable: true };
    pass.run();
    pass.readable
}

/// The state of the pass over the tokens.
pub(super) struct MisreadPass<'a> {
    pub(super) text: &'a str,
    pub(super) limits: &'a Limits,
    pub(super) lexed: &'a mut LexOutput,
    /// Open brackets and `case`s, and whether commas separate arguments inside.
    pub(super) open: Vec<OpenBracket>,
    /// The number of consecutive signs and `not`s before a value.
    pub(super) prefixes: usize,
    pub(super) readable: bool,
}

#[derive(Clone, Copy)]
pub(super) struct OpenBracket {
    pub(super) span: Span,
    pub(super) is_case: bool,
    pub(super) takes_commas: bool,
}

impl MisreadPass<'_> {
    fn run(&mut self) {
        let tokens = std::mem::take(&mut self.lexed.tokens);
        if tokens.is_empty() && self.lexed.findings.is_empty() {
            self.refuse(
                Diagnostic::new(Code::E102, Span::default(), "the formula is empty")
                    .help("for example `net_sales / order_count`"),
            );
        }
        for (index, token) in tokens.iter().enumerate() {
            let before = index.checked_sub(1).and_then(|at| tokens.get(at));
            let after = tokens.get(index.saturating_add(1));
            if let (TokenKind::Sign, Some(year)) = (token.kind, before)
                && year.kind == TokenKind::Number
                && let Some(rest) = tokens.get(index.saturating_add(1)..)
                && let Some(finding) = bare_date(self.text, *year, rest)
            {
                self.refuse(finding);
            }
            self.token(*token, before, after);
            if token.kind == TokenKind::Keyword
                && self.is_word(*token, "where")
                && self.open.is_empty()
            {
                self.outer_where(*token, &tokens);
                break;
            }
            if !self.readable && self.open.len() >= self.limits.max_nesting {
                break;
            }
        }
        self.unclosed();
        self.lexed.tokens = tokens;
    }

    pub(super) fn slice(&self, span: Span) -> &str {
        span.slice(self.text)
    }

    pub(super) fn is_word(&self, token: Token, word: &str) -> bool {
        self.slice(token.span).eq_ignore_ascii_case(word)
    }

    pub(super) fn refuse(&mut self, finding: Diagnostic) {
        self.readable = false;
        self.lexed.findings.push(finding);
    }

    fn token(&mut self, token: Token, before: Option<&Token>, after: Option<&Token>) {
        self.count_prefixes(token, before);
        match token.kind {
            TokenKind::Open => {
                let takes_commas = before.is_some_and(|before| {
                    matches!(before.kind, TokenKind::Word | TokenKind::Bracketed)
                        || self.is_word(*before, "in")
                });
                self.enter(OpenBracket { span: token.span, is_case: false, takes_commas });
                if let Some(close) = after
                    && close.kind == TokenKind::Close
                    && !takes_commas
                {
                    let span = token.span.to(close.span);
                    self.refuse(
                        Diagnostic::new(Code::E102, span, "the parentheses hold no value")
                            .help("put a value between them"),
                    );
                }
            }
            TokenKind::Close => self.close(token),
            TokenKind::Comma => self.comma(token, before, after),
            TokenKind::Remainder => self.remainder(token, before, after),
            TokenKind::Percentage => self.percentage(token, after),
            TokenKind::Keyword if self.is_word(token, "case") => {
                self.enter(OpenBracket { span: token.span, is_case: true, takes_commas: false });
            }
            TokenKind::Keyword if self.is_word(token, "end") => self.end(token),
            TokenKind::Infix | TokenKind::Sign | TokenKind::Keyword => {
                self.operand_missing(token, before, after);
            }
            _ => {}
        }
        if let Some(before) = before {
            self.operator_missing(*before, token);
        }
    }

    fn enter(&mut self, opened: OpenBracket) {
        self.open.push(opened);
        self.check_nesting(opened.span);
    }

    /// Counts signs, `not` and `^` as nesting: each is one level of the tree.
    fn count_prefixes(&mut self, token: Token, before: Option<&Token>) {
        let is_prefix = token.kind == TokenKind::Sign
            && !before.is_some_and(|before| ends_value(before.kind))
            || token.kind == TokenKind::Keyword && self.is_word(token, "not")
            || token.kind == TokenKind::Infix && self.slice(token.span) == "^";
        let keeps = matches!(
            token.kind,
            TokenKind::Number
                | TokenKind::Word
                | TokenKind::Bracketed
                | TokenKind::Measured
                | TokenKind::Percentage
        );
        if is_prefix {
            self.prefixes = self.prefixes.saturating_add(1);
            self.check_nesting(token.span);
        } else if !keeps {
            self.prefixes = 0;
        }
    }

    fn check_nesting(&mut self, span: Span) {
        let depth = self.open.len().saturating_add(self.prefixes);
        if depth == self.limits.max_nesting.saturating_add(1) && self.readable {
            let limit = self.limits.max_nesting;
            self.refuse(
                Diagnostic::new(Code::E704, span, format!("nested more than {limit} deep"))
                    .help("name the inner parts with `let`, or make them metrics"),
            );
        }
    }

    fn close(&mut self, token: Token) {
        match self.open.last() {
            Some(opened) if !opened.is_case => {
                self.open.pop();
            }
            Some(_) | None => {
                self.lexed.findings.push(
                    Diagnostic::new(Code::E101, token.span, "`)` closes no bracket")
                        .help("take it away, or open one before it")
                        .suggest(Suggestion::replace(token.span, "").among_others()),
                );
                self.lexed.repairs.blank(token.span);
            }
        }
    }

    fn end(&mut self, token: Token) {
        if self.open.last().is_some_and(|opened| opened.is_case) {
            self.open.pop();
        } else {
            self.refuse(
                Diagnostic::new(Code::E102, token.span, "`end` closes no `case`")
                    .help("take it away, or begin with `case when`"),
            );
        }
    }

    fn unclosed(&mut self) {
        let Some(innermost) = self.open.last().copied() else { return };
        if self.open.len() > self.limits.max_nesting {
            return;
        }
        for opened in &self.open {
            if !opened.is_case {
                self.lexed.repairs.close();
            }
        }
        if self.open.iter().any(|opened| opened.is_case) {
            self.readable = false;
        }
        let count = self.open.len();
        let closer = if innermost.is_case { "end" } else { ")" };
        let message = if count == 1 {
            format!("missing `{closer}`")
        } else {
            format!("missing `{closer}`: {count} brackets are open at the end")
        };
        let end = Span::new(self.text.len(), self.text.len());
        let what = if innermost.is_case { "`case`" } else { "bracket" };
        let mut finding = Diagnostic::new(Code::E101, innermost.span, message)
            .help(format!("nothing closes the {what} that opens here"));
        if !self.open.iter().any(|opened| opened.is_case) {
            let suggestion = Suggestion::replace(end, ")".repeat(count));
            finding = finding.suggest(suggestion.among_others());
        }
        self.lexed.findings.push(finding);
    }

    fn operand_missing(&mut self, token: Token, before: Option<&Token>, after: Option<&Token>) {
        let is = |word| self.is_word(token, word);
        let is_keyword = token.kind == TokenKind::Keyword;
        let infix = !is_keyword || is("and") || is("or") || is("default");
        let is_not = is_keyword && is("not");
        let prefix = token.kind == TokenKind::Sign || is_not;
        // In `x not in (…)` and `x is not null`, `not` precedes no value.
        let follows =
            before.is_some_and(|before| self.ends_operand(*before) || self.is_word(*before, "is"));
        if !infix && !prefix || is_not && follows {
            return;
        }
        let leading_equals = before.is_none() && is("=");
        let starts = after.is_some_and(|after| self.starts_value(*after));
        if !starts {
            return self.refuse_missing("after", token);
        }
        if !prefix && !leading_equals && !before.is_some_and(|before| self.ends_operand(*before)) {
            self.refuse_missing("before", token);
        }
    }

    fn refuse_missing(&mut self, side: &str, token: Token) {
        let word = self.slice(token.span).to_lowercase();
        let message = format!("a value is missing {side} `{word}`");
        self.refuse(
            Diagnostic::new(Code::E102, token.span, message)
                .help("for example `net_sales / order_count`"),
        );
    }

    fn starts_value(&self, token: Token) -> bool {
        match token.kind {
            TokenKind::Close
            | TokenKind::Comma
            | TokenKind::Colon
            | TokenKind::Semicolon
            | TokenKind::Infix
            | TokenKind::Dot => false,
            TokenKind::Keyword => {
                ["not", "case", "null"].iter().any(|word| self.is_word(token, word))
            }
            _ => true,
        }
    }

    fn ends_operand(&self, token: Token) -> bool {
        ends_value(token.kind)
            || token.kind == TokenKind::Keyword
                && (self.is_word(token, "end") || self.is_word(token, "null"))
    }

    /// Reports two adjacent values.
    fn operator_missing(&mut self, before: Token, token: Token) {
        let starts =
            ends_value(token.kind) && !matches!(token.kind, TokenKind::Close | TokenKind::Unknown);
        let ends = ends_value(before.kind) && before.kind != TokenKind::Unknown;
        if !starts || !ends || !self.readable || before.kind == TokenKind::Percentage {
            return;
        }
        let (left, right) = (one_line(self.slice(before.span)), one_line(self.slice(token.span)));
        self.refuse(
            Diagnostic::new(Code::E120, token.span, format!("an operator is missing between `{left}` and `{right}`"))
                .help("join two values with an operator such as `/`; a name with blanks is written `[Net Sales]`"),
        );
    }
}

/// Reports `2026-01-31`, which is also a valid subtraction.
fn bare_date(text: &str, year: Token, after: &[Token]) -> Option<Diagnostic> {
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

/// Returns whether a value can end with this token.
pub(super) const fn ends_value(kind: TokenKind) -> bool {
    matches!(
        kind,
        TokenKind::Number
            | TokenKind::Percentage
            | TokenKind::Measured
            | TokenKind::Word
            | TokenKind::Bracketed
            | TokenKind::Text
            | TokenKind::Period
            | TokenKind::Hole
            | TokenKind::Close
            | TokenKind::Unknown
    )
}
