//! The parser: first pass, grammar and tree builder, each of which adds findings.

use pest::Parser;
use pest::error::InputLocation;

use super::letters::letters;
use super::lex::{LexOutput, Token, lex, tokens};
use super::misread::misread;
use super::sql::foreign_spelling;
use super::tree_builder::{Grammar, Rule, TreeBuilder};
use super::{Expr, Limits};
use crate::diagnostics::{Code, Diagnostic, in_order};
use crate::source::Span;

/// The result of parsing: all findings, and the tree if there is one.
///
/// There may be a tree beside errors: misspellings are repaired so that the rest can be checked.
#[derive(Debug, Clone)]
pub struct Parsed {
    /// The tree, if the text could be parsed to its end.
    pub expr: Option<Expr>,
    /// Findings, in order of place.
    pub diagnostics: Vec<Diagnostic>,
}

impl Parsed {
    /// Returns the tree, or the findings if there is an error.
    pub fn ok(self) -> Result<Expr, Vec<Diagnostic>> {
        match self.expr {
            Some(expr) if !self.diagnostics.iter().any(Diagnostic::is_error) => Ok(expr),
            Some(_) | None => Err(self.diagnostics),
        }
    }
}

/// Parses a formula. Time and memory are linear in the text, up to the limits.
pub fn parse(text: &str, limits: &Limits) -> Parsed {
    if text.len() > limits.max_bytes {
        let (size, limit) = (text.len(), limits.max_bytes);
        let span = Span::new(limit, limit);
        return refused(
            Diagnostic::new(
                Code::E701,
                span,
                format!("the formula has {size} bytes, {limit} are allowed"),
            )
            .help("make parts of it metrics of their own"),
        );
    }
    let mut lexed = lex(text, limits);
    if lexed.cut {
        let limit = limits.max_tokens;
        let at = lexed.tokens.last().map_or(Span::default(), |token| token.span);
        return refused(
            Diagnostic::new(Code::E702, at, format!("the formula has more than {limit} tokens"))
                .help("make parts of it metrics of their own"),
        );
    }
    let found = lexed.findings.len();
    let readable = misread(text, &mut lexed, limits);
    let mut expr = if readable { read(text, &mut lexed, limits) } else { None };
    if lexed.findings.iter().skip(found).any(Diagnostic::is_error)
        && let Some(finding) = foreign_spelling(text, &tokens(text, limits))
    {
        expr = None;
        lexed.findings.truncate(found);
        lexed.findings.push(finding);
    }
    Parsed { expr, diagnostics: in_order(lexed.findings) }
}

fn refused(finding: Diagnostic) -> Parsed {
    Parsed { expr: None, diagnostics: vec![finding] }
}

/// Parses the tokens, or those of the repaired text if anything was repaired.
fn read(text: &str, lexed: &mut LexOutput, limits: &Limits) -> Option<Expr> {
    if lexed.repairs.is_empty() {
        let tokens = std::mem::take(&mut lexed.tokens);
        return read_tokens(text, &tokens, lexed, limits);
    }
    let repaired = lexed.repairs.apply(text);
    // Added closing brackets are tokens too, and the limit was checked on the original text.
    let tokens = tokens(&repaired, &Limits { max_tokens: usize::MAX, ..*limits });
    let found = lexed.findings.len();
    let mut expr = read_tokens(&repaired, &tokens, lexed, limits);
    // Added closing brackets lie past the end.
    let end = Span::new(text.len(), text.len()).end;
    for finding in lexed.findings.iter_mut().skip(found) {
        finding.span = finding.span.cut(end);
        for edit in finding.suggestion.iter_mut().flat_map(|fix| &mut fix.edits) {
            edit.span = edit.span.cut(end);
        }
    }
    for node in expr.iter_mut().flat_map(|expr| &mut expr.nodes) {
        node.span = node.span.cut(end);
    }
    expr
}

fn read_tokens(
    text: &str,
    tokens: &[Token],
    lexed: &mut LexOutput,
    limits: &Limits,
) -> Option<Expr> {
    match Grammar::parse(Rule::formula, &letters(text, tokens)) {
        Ok(pairs) => {
            let mut builder = TreeBuilder::new(text, tokens, limits);
            builder.formula(pairs);
            let (mut expr, findings) = builder.finish();
            lexed.findings.extend(findings);
            if let Some(expr) = &mut expr {
                expr.comments = std::mem::take(&mut lexed.comments);
            }
            expr
        }
        Err(error) => {
            // Findings of the first pass explain the error better.
            if !lexed.findings.iter().any(Diagnostic::is_error) {
                let (InputLocation::Pos(at) | InputLocation::Span((at, _))) = error.location;
                let at = tokens.get(at).map_or(text.len(), |token| token.span.range().start);
                lexed.findings.push(unreadable(text, at));
            }
            None
        }
    }
}

/// Reports a place where no rule matches. The grammar's own message names rules, so it is not
/// shown.
fn unreadable(text: &str, at: usize) -> Diagnostic {
    let rest = text.get(at..).unwrap_or_default();
    let word: String =
        rest.chars().take_while(|c| c.is_ascii_alphanumeric() || *c == '_').collect();
    let found = if word.is_empty() { rest.chars().take(1).collect() } else { word };
    let span = Span::new(at, at.saturating_add(found.len()));
    if found.is_empty() {
        return Diagnostic::new(Code::E102, span, "the formula ends too early")
            .help("for example `net_sales / order_count`");
    }
    let help = match found.to_ascii_lowercase().as_str() {
        "per" => "it stands inside an aggregate: avg(net_sales per day)",
        "dated" => "it stands inside an aggregate: sum(refunds.amount dated by order.created_at)",
        ";" => "it ends a `let` line, and a formula has none at its end",
        "." => "a point stands between digits, 0.5, or between names, orders.total",
        _ => "a formula is values joined by operators, such as `sum(orders.total) / 2`",
    };
    Diagnostic::new(Code::E120, span, format!("`{found}` cannot stand here")).help(help)
}
