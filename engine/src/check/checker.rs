//! The walk over the syntax tree, which types every node and collects all findings.

use std::sync::Arc;

use super::describe::describe;
use super::facts::NodeFacts;
use super::metrics::Metrics;
use super::typed::{Kind, Level, NodeId, Typed, TypedNode, each_child};
use super::{Environment, MetricId};
use crate::diagnostics::{Code, Diagnostic};
use crate::functions::FunctionSpec;
use crate::schema::{Schema, SourceId};
use crate::source::Span;
use crate::syntax::{Call, Expr, ExprId, ExprKind, UnaryOp};
use crate::types::{Type, Unit, Value};

/// The scope of a node, which decides the meaning of names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Scope {
    /// One value for each period and group.
    Whole(Whole),
    /// One value for each row of the source.
    Row(SourceId),
}

/// A scope for values of the whole period.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Whole {
    /// The source for each of whose rows the value is computed; aggregated rows must link to it.
    pub(super) below: Option<SourceId>,
    /// Whether a snapshot's state is taken at one time: under `closing`, `opening` or `per day`.
    pub(super) at_one_time: bool,
}

/// A checked node; `None` after a reported finding.
pub(super) type Outcome = Option<NodeId>;

/// A call with its resolved function.
#[derive(Clone, Copy)]
pub(super) struct Callee<'c> {
    pub(super) spec: &'static FunctionSpec,
    pub(super) call: &'c Call,
    pub(super) span: Span,
}

/// A checked `let`.
pub(super) struct Bound {
    pub(super) name: Arc<str>,
    pub(super) node: Outcome,
}

pub(super) struct Checker<'a> {
    pub(super) env: &'a Environment<'a>,
    pub(super) expr: &'a Expr,
    pub(super) text: &'a str,
    pub(super) nodes: Vec<TypedNode>,
    pub(super) findings: Vec<Diagnostic>,
    pub(super) lets: Vec<Bound>,
    /// Metrics used that are not checked yet.
    pub(super) needs: Vec<MetricId>,
    /// The name that replaces `?` in a trial.
    pub(super) hole: Option<&'a str>,
    pub(super) holes: Vec<Span>,
    /// Set during the check of a population's condition, whose spans belong to another text.
    pub(super) borrowed: Option<Span>,
    /// Whether anything so far compares the buckets of the request.
    pub(super) is_over_buckets: bool,
    /// Whether anything so far reads the whole period of the request.
    pub(super) knows_request_end: bool,
    /// Whether anything so far can change with the present after the period has ended.
    pub(super) knows_present: bool,
}

impl<'a> Checker<'a> {
    pub(super) fn new(env: &'a Environment<'a>, expr: &'a Expr, text: &'a str) -> Self {
        Self {
            env,
            expr,
            text,
            nodes: Vec::with_capacity(expr.len()),
            findings: Vec::new(),
            lets: Vec::new(),
            needs: Vec::new(),
            hole: None,
            holes: Vec::new(),
            borrowed: None,
            is_over_buckets: false,
            knows_request_end: false,
            knows_present: false,
        }
    }

    pub(super) fn schema(&self) -> &'a Schema {
        self.env.schema
    }

    pub(super) fn metrics(&self) -> &'a Metrics {
        self.env.metrics
    }

    /// Checks the `let` lines, then the expression.
    pub(super) fn formula(&mut self, scope: Scope) -> Option<Typed> {
        self.bind_lets(scope);
        let root = self.check(self.expr.root?, scope)?;
        Some(self.typed(root))
    }

    pub(super) fn bind_lets(&mut self, scope: Scope) {
        for line in &self.expr.lets {
            let node = self.check(line.value, scope);
            let node = node.map(|node| {
                self.operation(self.span(node), self.ty(node).clone(), Kind::Shared(node))
            });
            self.lets.push(Bound { name: Arc::clone(&line.name.name), node });
        }
    }

    /// Returns the nodes so far as a formula.
    pub(super) fn typed(&mut self, root: NodeId) -> Typed {
        Typed {
            text: Arc::from(self.text),
            nodes: std::mem::take(&mut self.nodes),
            root,
            is_over_buckets: self.is_over_buckets,
            knows_request_end: self.knows_request_end,
            knows_present: self.knows_present,
            facts: NodeFacts::default(),
        }
    }

    pub(super) fn add(&mut self, span: Span, ty: Type, level: Level, kind: Kind) -> NodeId {
        let span = self.borrowed.unwrap_or(span);
        self.nodes.push(TypedNode { span, ty, level, kind });
        NodeId(self.nodes.len().saturating_sub(1))
    }

    pub(super) fn node(&self, id: NodeId) -> &TypedNode {
        const NOTHING: &TypedNode = &TypedNode {
            span: Span { start: 0, end: 0 },
            ty: Type::Null,
            level: Level::Constant,
            kind: Kind::Now,
        };
        self.nodes.get(id.0).unwrap_or(NOTHING)
    }

    pub(super) fn ty(&self, id: NodeId) -> &Type {
        &self.node(id).ty
    }

    pub(super) fn level(&self, id: NodeId) -> Level {
        self.node(id).level
    }

    pub(super) fn unit(&self, id: NodeId) -> Option<&Unit> {
        self.ty(id).unit()
    }

    pub(super) fn span(&self, id: NodeId) -> Span {
        self.node(id).span
    }

    pub(super) fn source(&self, id: ExprId) -> &'a str {
        self.expr.span(id).slice(self.text)
    }

    /// Reports a finding; there is no result.
    pub(super) fn refuse<T>(&mut self, finding: Diagnostic) -> Option<T> {
        // A population's condition was checked at its declaration.
        if self.borrowed.is_none() {
            self.findings.push(finding);
        }
        None
    }

    /// Rejects a part of a call; the help line shows how the function is called.
    pub(super) fn refuse_call<T>(
        &mut self,
        spec: &FunctionSpec,
        (code, place): (Code, Span),
        message: impl Into<String>,
    ) -> Option<T> {
        let help = format!("call it: {}", spec.signature);
        self.refuse(Diagnostic::new(code, place, message).help(help))
    }

    pub(super) fn constant(&mut self, span: Span, ty: Type, value: Value) -> NodeId {
        self.add(span, ty, Level::Constant, Kind::Constant(value))
    }

    /// Adds a node at the level of its children. Row and aggregate levels never meet, because names
    /// are lifted first.
    pub(super) fn operation(&mut self, span: Span, ty: Type, kind: Kind) -> NodeId {
        let mut level = Level::Constant;
        each_child(&kind, |child| {
            if level == Level::Constant {
                level = self.level(child);
            }
        });
        self.add(span, ty, level, kind)
    }

    pub(super) fn check(&mut self, id: ExprId, scope: Scope) -> Outcome {
        let node = self.expr.node(id)?;
        let span = node.span;
        match &node.kind {
            ExprKind::Number(number) => {
                Some(self.constant(span, Type::LITERAL, Value::Number(*number)))
            }
            ExprKind::Percent(number) => self.percent(span, *number),
            ExprKind::Money(amount, currency) => {
                let unit = Unit::money(crate::types::CurrencyOf::Fixed(*currency));
                Some(self.constant(span, Type::Quantity(unit), Value::Number(*amount)))
            }
            ExprKind::Span(count, unit) => self.time_span(span, *count, *unit),
            ExprKind::Period(literal) => Some(self.period_literal(span, *literal)),
            ExprKind::Text(text) => {
                Some(self.constant(span, Type::Text, Value::Text(Arc::clone(text))))
            }
            ExprKind::Bool(truth) => Some(self.constant(span, Type::Bool, Value::Bool(*truth))),
            ExprKind::Null => {
                let null = Value::missing(crate::types::Reason::Written);
                Some(self.constant(span, Type::Null, null))
            }
            ExprKind::Hole => self.fill_hole(span, scope),
            // The parser has reported it.
            ExprKind::Unreadable => None,
            ExprKind::Path(path) => self.path(path, span, scope),
            ExprKind::Call(call) => self.call(call, span, scope),
            ExprKind::Scoped(value, condition) => self.scoped(*value, *condition, span, scope),
            ExprKind::Unary(op, operand) => self.unary(*op, *operand, span, scope),
            ExprKind::Binary { .. } => self.binary_run(id, scope),
            ExprKind::IsNull { operand, negated } => {
                let operand = self.check(*operand, scope)?;
                let node = self.operation(span, Type::Bool, Kind::IsNull(operand));
                Some(self.negated(node, *negated))
            }
            ExprKind::In { operand, set, listed, negated } => {
                let node = self.in_set(*operand, (set, *listed), span, scope)?;
                Some(self.negated(node, *negated))
            }
            ExprKind::Between { operand, low, high, negated } => {
                let node = self.between(*operand, (*low, *high), span, scope)?;
                Some(self.negated(node, *negated))
            }
            ExprKind::Like { operand, pattern, negated } => {
                let node = self.like(*operand, pattern, span, scope)?;
                Some(self.negated(node, *negated))
            }
            ExprKind::Case { branches, otherwise } => self.case(branches, *otherwise, span, scope),
        }
    }

    pub(super) fn negated(&mut self, node: NodeId, negated: bool) -> NodeId {
        if !negated {
            return node;
        }
        self.operation(self.span(node), Type::Bool, Kind::Not(node))
    }

    fn percent(&mut self, span: Span, number: rust_decimal::Decimal) -> Outcome {
        let hundredth = rust_decimal::Decimal::new(1, 2);
        match crate::number::multiply(number, hundredth) {
            Ok(fraction) => {
                Some(self.constant(span, Type::Quantity(Unit::PERCENT), Value::Number(fraction)))
            }
            Err(_) => self.refuse(Diagnostic::new(Code::E121, span, "the percentage is too large")),
        }
    }

    fn unary(&mut self, op: UnaryOp, operand: ExprId, span: Span, scope: Scope) -> Outcome {
        if op == UnaryOp::Not {
            let operand = self.condition(operand, scope)?;
            return Some(self.operation(span, Type::Bool, Kind::Not(operand)));
        }
        let operand = self.check(operand, scope)?;
        if let Some(step) = self.span_constant(operand)
            && let Some(step) = if op == UnaryOp::Negate { step.reversed() } else { Some(step) }
        {
            return Some(self.constant(span, Type::Span, Value::Span(step)));
        }
        let operand = self.as_duration(operand)?;
        let ty = self.ty(operand).clone();
        if !matches!(ty, Type::Quantity(_) | Type::Null) {
            let message = format!("a sign stands before a number, this is {}", describe(&ty));
            let help = if ty == Type::Bool { "`not` negates it" } else { "take the sign away" };
            return self.refuse(Diagnostic::new(Code::E306, span, message).help(help));
        }
        if op == UnaryOp::Plus {
            return Some(operand);
        }
        Some(self.operation(span, ty, Kind::Negate(operand)))
    }
}
