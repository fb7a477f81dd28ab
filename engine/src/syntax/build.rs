//! Builds the syntax tree from grammar pairs.

use std::sync::Arc;

use pest::iterators::{Pair, Pairs};

use super::lex::TokenKind;
use super::literals::{constant, unquoted};
use super::precedence::{ExprPiece, climb};
use super::print::reads_bare;
use super::tree_builder::{Rule, TreeBuilder};
use super::{Argument, BinaryOp, Call, ExprId, ExprKind, Ident, Let, PerKey, UnaryOp};
use crate::diagnostics::{Code, Diagnostic};
use crate::source::Span;

impl TreeBuilder<'_> {
    pub(super) fn formula(&mut self, pairs: Pairs<'_, Rule>) {
        for pair in pairs.flat_map(Pair::into_inner) {
            match pair.as_rule() {
                Rule::let_line => self.let_line(pair),
                Rule::expr => self.expr.root = Some(self.expression(pair)),
                _ => {}
            }
        }
    }

    fn let_line(&mut self, pair: Pair<'_, Rule>) {
        let mut inner = pair.into_inner();
        let (Some(name), Some(value)) = (inner.next(), inner.next()) else { return };
        let name = self.ident(&name);
        let value = self.expression(value);
        if is_predefined(&name.name) {
            self.findings.push(predefined(&name.name, name.span));
        } else if self.expr.lets.iter().any(|line| line.name == name) {
            let message = format!("`{}` is declared twice", name.name);
            self.findings.push(
                Diagnostic::new(Code::E211, name.span, message)
                    .help("give the second another name"),
            );
        }
        self.expr.lets.push(Let { name, value });
    }

    /// Builds an `expr` or a `sum`: a flat run of operators and values.
    fn expression(&mut self, pair: Pair<'_, Rule>) -> ExprId {
        let whole = self.span_of(&pair);
        let mut inner = pair.into_inner();
        if inner.len() == 1 {
            return match inner.next() {
                Some(value) => self.primary(value),
                None => self.expr.push(whole, ExprKind::Hole),
            };
        }
        let mut items = Vec::with_capacity(inner.len());
        for inner in inner {
            let span = self.span_of(&inner);
            let item = match inner.as_rule() {
                Rule::prefix | Rule::sign => {
                    ExprPiece::Prefix(unary(self.text_of(self.token(&inner))), span)
                }
                Rule::infix | Rule::sum_infix => {
                    ExprPiece::Infix(binary(self.text_of(self.token(&inner))), span)
                }
                Rule::is_null | Rule::in_set | Rule::between | Rule::like => {
                    ExprPiece::Test(self.test(inner), span)
                }
                _ => {
                    let bare = inner.as_rule() != Rule::scoped;
                    let id = self.primary(inner);
                    ExprPiece::Value { id, span, bare }
                }
            };
            items.push(item);
        }
        climb(self, &items, whole)
    }

    fn primary(&mut self, pair: Pair<'_, Rule>) -> ExprId {
        let span = self.span_of(&pair);
        match pair.as_rule() {
            Rule::scoped => self.scoped(pair, span),
            Rule::reference | Rule::reserved => self.reference(pair, span),
            Rule::case => self.case(pair, span),
            _ => self.literal(self.token(&pair)),
        }
    }

    fn scoped(&mut self, pair: Pair<'_, Rule>, span: Span) -> ExprId {
        let mut inner = pair.into_inner();
        let Some(value) = inner.next() else { return self.expr.push(span, ExprKind::Hole) };
        let value = self.expression(value);
        match inner.next() {
            Some(condition) => {
                let condition = self.expression(condition);
                self.expr.push(span, ExprKind::Scoped(value, condition))
            }
            None => value,
        }
    }

    fn reference(&mut self, pair: Pair<'_, Rule>, span: Span) -> ExprId {
        let first = self.token(&pair);
        let mut path = vec![self.ident(&pair)];
        let start = pair.as_span().start();
        let last = pair.as_span().end().checked_sub(1).and_then(|last| self.tokens.get(last));
        let close = last.filter(|last| last.kind == TokenKind::Close);
        let mut inner = pair.into_inner().peekable();
        while let Some(part) = inner.next_if(|inner| inner.as_rule() == Rule::part) {
            path.push(self.ident(&part));
        }
        let arguments = close.map(|close| {
            let arguments: Vec<_> = inner.map(|inner| self.argument(inner)).collect();
            // Names and dots alternate before the parenthesis.
            let names = path.len().saturating_mul(2).saturating_sub(1);
            let open = self.tokens.get(start.saturating_add(names));
            let open = open.map_or(span, |token| token.span);
            self.check_count(arguments.len(), open.to(close.span));
            arguments
        });
        let kind = match (arguments, path.as_slice()) {
            (Some(arguments), [name]) => {
                // A function has no title, so brackets around a bare word mean nothing there.
                let bracketed = name.bracketed && !reads_bare(&name.name);
                let name = Ident { bracketed, ..name.clone() };
                ExprKind::Call(Call { name, arguments })
            }
            (Some(_), _) => {
                self.findings.push(
                    Diagnostic::new(Code::E120, span, "a function's name has no point in it")
                        .help("for example `sum(orders.total)`"),
                );
                ExprKind::Path(path)
            }
            (None, [name]) if !name.bracketed => {
                if let Some(kind) = constant(&name.name) {
                    kind
                } else {
                    if first.kind == TokenKind::Keyword {
                        self.refuse_reserved(name);
                    }
                    ExprKind::Path(path)
                }
            }
            (None, _) => ExprKind::Path(path),
        };
        self.expr.push(span, kind)
    }

    fn refuse_reserved(&mut self, name: &Ident) {
        let message = format!("a value is missing before `{}`", name.name.to_lowercase());
        self.findings.push(
            Diagnostic::new(Code::E102, name.span, message)
                .help("a name that is a reserved word is written in brackets"),
        );
    }

    fn check_count(&mut self, count: usize, span: Span) {
        let limit = self.limits.max_arguments;
        if count > limit {
            let message = format!("{count} values are given, {limit} are allowed");
            self.findings.push(Diagnostic::new(Code::E705, span, message).help("split the list"));
        }
    }

    fn argument(&mut self, pair: Pair<'_, Rule>) -> Argument {
        let start = pair.as_span().start();
        let behind = self.tokens.get(start.saturating_add(1));
        let is_named = behind.is_some_and(|token| token.kind == TokenKind::Colon);
        let mut argument = Argument {
            name: is_named.then(|| self.ident(&pair)),
            value: ExprId(0),
            conditions: Vec::new(),
            per: Vec::new(),
            dated_by: None,
        };
        for inner in pair.into_inner() {
            match inner.as_rule() {
                Rule::where_clause => {
                    for condition in inner.into_inner() {
                        let condition = self.expression(condition);
                        argument.conditions.push(condition);
                    }
                }
                Rule::per_clause => {
                    for path in inner.into_inner() {
                        let path = self.path(path);
                        argument.per.push(PerKey { path });
                    }
                }
                Rule::dated_clause => {
                    if argument.dated_by.is_some() {
                        self.findings.push(dated_twice(self.span_of(&inner)));
                    }
                    argument.dated_by = inner.into_inner().next().map(|path| self.path(path));
                }
                _ => argument.value = self.expression(inner),
            }
        }
        argument
    }

    fn path(&self, pair: Pair<'_, Rule>) -> Vec<Ident> {
        pair.into_inner().map(|inner| self.ident(&inner)).collect()
    }

    /// Returns the name that a pair begins with.
    fn ident(&self, pair: &Pair<'_, Rule>) -> Ident {
        let token = self.token(pair);
        let name = self.text_of(token);
        let bare = name.strip_prefix('[').and_then(|name| name.strip_suffix(']'));
        Ident {
            name: Arc::from(bare.unwrap_or(name).trim()),
            bracketed: bare.is_some(),
            span: token.span,
        }
    }

    fn case(&mut self, pair: Pair<'_, Rule>, span: Span) -> ExprId {
        let mut branches = Vec::new();
        let mut otherwise = None;
        for part in pair.into_inner() {
            let is_branch = part.as_rule() == Rule::branch;
            let mut values = part.into_inner();
            if is_branch {
                if let (Some(when), Some(then)) = (values.next(), values.next()) {
                    branches.push((self.expression(when), self.expression(then)));
                }
            } else {
                otherwise = values.next().map(|value| self.expression(value));
            }
        }
        self.expr.push(span, ExprKind::Case { branches, otherwise })
    }

    /// Builds a test, whose operand `climb` fills in.
    fn test(&mut self, pair: Pair<'_, Rule>) -> ExprKind {
        let operand = ExprId(0);
        let rule = pair.as_rule();
        let mut parts = pair.into_inner().peekable();
        let negated = parts.next_if(|part| part.as_rule() == Rule::negation).is_some();
        match rule {
            Rule::in_set => {
                let Some(part) = parts.next() else { return ExprKind::Hole };
                let listed = part.as_rule() == Rule::list;
                let set = if listed {
                    let place = self.span_of(&part);
                    let set: Vec<_> = part.into_inner().map(|one| self.expression(one)).collect();
                    self.check_count(set.len(), place);
                    set
                } else {
                    vec![self.primary(part)]
                };
                ExprKind::In { operand, set, listed, negated }
            }
            Rule::between => {
                let mut bound = || parts.next().map_or(ExprId(0), |bound| self.expression(bound));
                ExprKind::Between { operand, low: bound(), high: bound(), negated }
            }
            Rule::like => {
                let pattern = parts.next().map(|text| unquoted(self.text_of(self.token(&text))));
                ExprKind::Like { operand, pattern: pattern.unwrap_or_default(), negated }
            }
            _ => ExprKind::IsNull { operand, negated },
        }
    }
}

fn unary(text: &str) -> UnaryOp {
    match text {
        "-" => UnaryOp::Negate,
        "+" => UnaryOp::Plus,
        _ => UnaryOp::Not,
    }
}

fn binary(text: &str) -> BinaryOp {
    match text {
        "+" => BinaryOp::Add,
        "-" => BinaryOp::Subtract,
        "*" => BinaryOp::Multiply,
        "/" => BinaryOp::Divide,
        "^" => BinaryOp::Power,
        "&" | "||" => BinaryOp::Concat,
        "=" => BinaryOp::Equal,
        "<>" | "!=" => BinaryOp::NotEqual,
        "<" => BinaryOp::Less,
        "<=" => BinaryOp::LessOrEqual,
        ">" => BinaryOp::Greater,
        ">=" => BinaryOp::GreaterOrEqual,
        "??" => BinaryOp::Default,
        word if word.eq_ignore_ascii_case("and") => BinaryOp::And,
        word if word.eq_ignore_ascii_case("or") => BinaryOp::Or,
        _ => BinaryOp::Default,
    }
}

/// The names that every formula has already.
const PREDEFINED: [&str; 6] =
    ["period", "period_start", "period_end", "last_week", "last_month", "last_year"];

/// Returns whether every formula has a name already.
pub(crate) fn is_predefined(name: &str) -> bool {
    PREDEFINED.iter().any(|word| word.eq_ignore_ascii_case(name))
}

/// The finding that a declared name is predefined.
pub(crate) fn predefined(name: &str, place: Span) -> Diagnostic {
    let message = format!("`{name}` is a name that every formula has already");
    Diagnostic::new(Code::E211, place, message).help("choose another name")
}

/// The finding that rows have two dates.
pub(crate) fn dated_twice(place: Span) -> Diagnostic {
    Diagnostic::new(Code::E207, place, "`dated by` is given twice").help("a row has one date here")
}
