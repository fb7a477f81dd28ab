//! Grammar pairs to tree.

use std::sync::Arc;

use pest::iterators::{Pair, Pairs};

use super::lex::RESERVED;
use super::literals::{constant, unquoted};
use super::parse::Rule;
use super::precedence::{Item, climb};
use super::{
    Argument, BinaryOp, Call, Expr, ExprId, ExprKind, Ident, Let, Limits, PerKey, Place, UnaryOp,
};
use crate::diagnostics::{Code, Diagnostic};
use crate::source::Span;

/// Builds one tree; findings are collected, never thrown.
pub(super) struct Builder<'a> {
    pub(super) expr: Expr,
    pub(super) findings: Vec<Diagnostic>,
    limits: &'a Limits,
}

/// The place of a pair without the blanks that may follow its last part.
pub(super) fn span_of(pair: &Pair<'_, Rule>) -> Span {
    let span = pair.as_span();
    let text = span.as_str();
    Span::new(span.start(), span.start().saturating_add(text.trim_end().len()))
}

impl<'a> Builder<'a> {
    pub(super) fn new(limits: &'a Limits) -> Self {
        Self { expr: Expr::default(), findings: Vec::new(), limits }
    }

    /// The tree, unless a part of it could not be made.
    pub(super) fn finish(self) -> (Option<Expr>, Vec<Diagnostic>) {
        let expr = self.expr.root.is_some().then_some(self.expr);
        (expr, self.findings)
    }

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
        let name = Self::ident(&name);
        let value = self.expression(value);
        if self.expr.lets.iter().any(|line| line.name == name) {
            let message = format!("`{}` is declared twice", name.name);
            self.findings.push(
                Diagnostic::new(Code::E211, name.span, message)
                    .help("give the second another name"),
            );
        }
        self.expr.lets.push(Let { name, value });
    }

    /// An `expr` or a `sum`: a flat run of operators and values.
    fn expression(&mut self, pair: Pair<'_, Rule>) -> ExprId {
        let mut items = Vec::new();
        let whole = span_of(&pair);
        for inner in pair.into_inner() {
            let span = span_of(&inner);
            let item = match inner.as_rule() {
                Rule::prefix | Rule::sign => Item::Prefix(unary(inner.as_str()), span),
                Rule::infix | Rule::sum_infix => Item::Infix(binary(inner.as_str().trim()), span),
                Rule::is_null => Item::IsNull { span, negated: is_negated(&inner) },
                Rule::in_set => self.in_set(inner, span),
                Rule::between => self.between(inner, span),
                Rule::like => Self::like(&inner, span),
                _ => {
                    let bare = inner.as_rule() != Rule::scoped;
                    let id = self.primary(inner);
                    Item::Value { id, span, bare }
                }
            };
            items.push(item);
        }
        climb(self, &items, whole)
    }

    fn primary(&mut self, pair: Pair<'_, Rule>) -> ExprId {
        let span = span_of(&pair);
        match pair.as_rule() {
            Rule::scoped => self.scoped(pair, span),
            Rule::reference => self.reference(pair, span),
            Rule::numeric => self.numeric(pair, span),
            Rule::string => {
                let text = unquoted(pair.as_str());
                self.expr.push(span, ExprKind::Text(text))
            }
            Rule::period => self.period(&pair, span),
            Rule::case => self.case(pair, span),
            _ => self.expr.push(span, ExprKind::Hole),
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
        let mut path = Vec::new();
        let mut arguments = None;
        for inner in pair.into_inner() {
            if inner.as_rule() == Rule::ident {
                path.push(Self::ident(&inner));
            } else {
                arguments = Some(self.arguments(inner));
            }
        }
        let kind = match (arguments, path.as_slice()) {
            (Some(arguments), [name]) => ExprKind::Call(Call { name: name.clone(), arguments }),
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
                    self.refuse_reserved(name);
                    ExprKind::Path(path)
                }
            }
            (None, _) => ExprKind::Path(path),
        };
        self.expr.push(span, kind)
    }

    fn refuse_reserved(&mut self, name: &Ident) {
        if RESERVED.iter().any(|word| word.eq_ignore_ascii_case(&name.name)) {
            let message = format!("a value is missing before `{}`", name.name.to_lowercase());
            self.findings.push(
                Diagnostic::new(Code::E102, name.span, message)
                    .help("a name that is a reserved word is written in brackets"),
            );
        }
    }

    fn arguments(&mut self, pair: Pair<'_, Rule>) -> Vec<Argument> {
        let span = span_of(&pair);
        let arguments: Vec<_> = pair.into_inner().map(|inner| self.argument(inner)).collect();
        self.check_count(arguments.len(), span);
        arguments
    }

    fn check_count(&mut self, count: usize, span: Span) {
        let limit = self.limits.max_arguments;
        if count > limit {
            let message = format!("{count} values are given, {limit} are allowed");
            self.findings.push(Diagnostic::new(Code::E705, span, message).help("split the list"));
        }
    }

    fn argument(&mut self, pair: Pair<'_, Rule>) -> Argument {
        let mut argument = Argument {
            name: None,
            value: ExprId(0),
            conditions: Vec::new(),
            per: Vec::new(),
            dated_by: None,
        };
        for inner in pair.into_inner() {
            match inner.as_rule() {
                Rule::argument_name => {
                    let name = inner.into_inner().next();
                    argument.name = name.map(|name| Self::ident(&name));
                }
                Rule::where_clause => {
                    for condition in inner.into_inner() {
                        let condition = self.expression(condition);
                        argument.conditions.push(condition);
                    }
                }
                Rule::per_clause => {
                    for path in inner.into_inner() {
                        let path = Self::path(path);
                        argument.per.push(PerKey { path });
                    }
                }
                Rule::dated_clause => {
                    argument.dated_by = inner.into_inner().next().map(|path| Self::path(path));
                }
                _ => argument.value = self.expression(inner),
            }
        }
        argument
    }

    fn path(pair: Pair<'_, Rule>) -> Vec<Ident> {
        pair.into_inner().map(|inner| Self::ident(&inner)).collect()
    }

    fn ident(pair: &Pair<'_, Rule>) -> Ident {
        let name = pair.as_str();
        let bare = name.strip_prefix('[').and_then(|name| name.strip_suffix(']'));
        Ident {
            name: Arc::from(bare.unwrap_or(name).trim()),
            bracketed: bare.is_some(),
            span: span_of(pair),
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

    fn in_set(&mut self, pair: Pair<'_, Rule>, span: Span) -> Item {
        let negated = is_negated(&pair);
        let mut set = Vec::new();
        let mut listed = false;
        for inner in pair.into_inner() {
            match inner.as_rule() {
                Rule::negation => {}
                Rule::list => {
                    listed = true;
                    let place = span_of(&inner);
                    set = inner.into_inner().map(|value| self.expression(value)).collect();
                    self.check_count(set.len(), place);
                }
                _ => set.push(self.primary(inner)),
            }
        }
        Item::In { span, set, listed, negated }
    }

    fn between(&mut self, pair: Pair<'_, Rule>, span: Span) -> Item {
        let negated = is_negated(&pair);
        let mut bounds = pair.into_inner().filter(|part| part.as_rule() != Rule::negation);
        let low = bounds.next().map_or(ExprId(0), |low| self.expression(low));
        let high = bounds.next().map_or(ExprId(0), |high| self.expression(high));
        Item::Between { span, low, high, negated }
    }

    fn like(pair: &Pair<'_, Rule>, span: Span) -> Item {
        let negated = is_negated(pair);
        let pattern = pair.clone().into_inner().find(|inner| inner.as_rule() == Rule::string);
        let pattern = pattern.map_or_else(|| Arc::from(""), |text| unquoted(text.as_str()));
        Item::Like { span, pattern, negated }
    }

    pub(super) fn binary_node(
        &mut self,
        op: BinaryOp,
        place: Span,
        left: (ExprId, Span),
        right: (ExprId, Span),
    ) -> ExprId {
        let kind = ExprKind::Binary { op, place: Place(place), left: left.0, right: right.0 };
        self.expr.push(left.1.to(right.1), kind)
    }
}

fn is_negated(pair: &Pair<'_, Rule>) -> bool {
    pair.clone().into_inner().any(|inner| inner.as_rule() == Rule::negation)
}

fn unary(text: &str) -> UnaryOp {
    match text.trim() {
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
