//! Comparisons, logic, branches and `default`.

use super::checker::{Checker, Outcome, Scope};
use super::describe::{describe, word};
use super::typed::{Comparison, Kind, NodeId};
use super::units::shared;
use crate::diagnostics::{Code, Diagnostic, Suggestion};
use crate::source::Span;
use crate::syntax::{BinaryOp, ExprId, ExprKind};
use crate::types::{Type, Unit, Value};

impl Checker<'_> {
    /// Checks a left-associative run of operators in a loop, since it may be thousands long.
    pub(super) fn binary_run(&mut self, id: ExprId, scope: Scope) -> Outcome {
        let spine = self.expr.left_spine(id);
        let (_, first, ..) = self.expr.binary(*spine.last()?)?;
        let mut left = self.check(first, scope);
        for id in spine.into_iter().rev() {
            let (op, _, right_id, place) = self.expr.binary(id)?;
            let right = self.check(right_id, scope);
            let span = self.expr.span(id);
            left = match (left, right) {
                (Some(left), Some(right)) => self.binary(op, (left, right), span, place),
                (Some(_) | None, _) => None,
            };
        }
        left
    }

    fn binary(
        &mut self,
        op: BinaryOp,
        (left, right): (NodeId, NodeId),
        span: Span,
        place: Span,
    ) -> Outcome {
        match op {
            BinaryOp::And | BinaryOp::Or => {
                if let Some(set) = self.other_value(op, left, right) {
                    return self.refuse(set);
                }
                let (left, right) = (self.truth(left), self.truth(right));
                let (left, right) = (left?, right?);
                let kind = if op == BinaryOp::And {
                    Kind::And(left, right)
                } else {
                    Kind::Or(left, right)
                };
                Some(self.operation(span, Type::Bool, kind))
            }
            BinaryOp::Default => self.default_of(left, right, span, "both sides of `default`"),
            BinaryOp::Concat => self.concat(left, right, span),
            BinaryOp::Add
            | BinaryOp::Subtract
            | BinaryOp::Multiply
            | BinaryOp::Divide
            | BinaryOp::Power => self.arithmetic(op, left, right, span),
            BinaryOp::Equal
            | BinaryOp::NotEqual
            | BinaryOp::Less
            | BinaryOp::LessOrEqual
            | BinaryOp::Greater
            | BinaryOp::GreaterOrEqual => self.comparison(op, (left, right), span, place),
        }
    }

    /// The finding of `status = 'a' or 'b'`, where the field is compared with the first value alone.
    fn other_value(&self, op: BinaryOp, left: NodeId, right: NodeId) -> Option<Diagnostic> {
        let is_text = |id: NodeId| matches!(self.node(id).kind, Kind::Constant(Value::Text(_)));
        if op != BinaryOp::Or || !is_text(right) {
            return None;
        }
        let written = |id: NodeId| self.span(id).slice(self.text);
        let other = written(right);
        let text = if let Kind::Compare(Comparison::Equal, operand, value) = self.node(left).kind {
            is_text(value)
                .then(|| format!("{} in ({}, {other})", written(operand), written(value)))?
        } else if matches!(self.node(left).kind, Kind::InList(..)) {
            format!("{}, {other})", written(left).strip_suffix(')')?)
        } else {
            return None;
        };
        Some(
            Diagnostic::new(Code::E322, self.span(right), "a condition is expected, this is text")
                .help(format!("for one of several values: {text}"))
                .suggest(Suggestion::replace(self.span(left).to(self.span(right)), text)),
        )
    }

    /// Checks a syntax node that must be true or false.
    pub(super) fn condition(&mut self, id: ExprId, scope: Scope) -> Outcome {
        let node = self.check(id, scope)?;
        self.truth(node)
    }

    fn truth(&mut self, node: NodeId) -> Outcome {
        if *self.ty(node) == Type::Bool {
            return Some(node);
        }
        let (span, what) = (self.span(node), describe(self.ty(node)));
        let message = format!("a condition is expected, this is {what}");
        let help = "compare it with something, for example `> 0` or `is not null`";
        self.refuse(Diagnostic::new(Code::E322, span, message).help(help))
    }

    /// Builds the node of `default`; `sides` are the names of the two values.
    pub(super) fn default_of(
        &mut self,
        left: NodeId,
        right: NodeId,
        span: Span,
        sides: &str,
    ) -> Outcome {
        let left = self.as_duration(left)?;
        let right = self.as_duration(right)?;
        let ty = self.agree(&[left, right], sides)?;
        Some(self.operation(span, ty, Kind::Default(left, right)))
    }

    pub(super) fn concat(&mut self, left: NodeId, right: NodeId, span: Span) -> Outcome {
        for side in [left, right] {
            if !matches!(self.ty(side), Type::Text | Type::Null) {
                let (place, what) = (self.span(side), describe(self.ty(side)));
                let text = format!("text({})", place.slice(self.text));
                let message = format!("`&` joins text, this is {what}");
                if *self.ty(side) == Type::Bool {
                    let help = "conditions are joined by `and` and `or`";
                    return self.refuse(Diagnostic::new(Code::E321, place, message).help(help));
                }
                return self.refuse(
                    Diagnostic::new(Code::E321, place, message)
                        .help(text.clone())
                        .suggest(Suggestion::replace(place, text)),
                );
            }
        }
        Some(self.operation(span, Type::Text, Kind::Concat(left, right)))
    }

    pub(super) fn case(
        &mut self,
        branches: &[(ExprId, ExprId)],
        otherwise: Option<ExprId>,
        span: Span,
        scope: Scope,
    ) -> Outcome {
        let mut checked = Vec::with_capacity(branches.len());
        for (when, then) in branches {
            checked.push((self.condition(*when, scope), self.check(*then, scope)));
        }
        let otherwise = otherwise.map(|value| self.check(value, scope));
        let pairs: Option<Vec<_>> =
            checked.into_iter().map(|(when, then)| Some((when?, then?))).collect();
        let otherwise = match otherwise {
            Some(value) => Some(value?),
            None => None,
        };
        self.choice(pairs?, otherwise, span)
    }

    /// Builds the node of `if` and `case`; all branches must agree.
    pub(super) fn choice(
        &mut self,
        mut branches: Vec<(NodeId, NodeId)>,
        otherwise: Option<NodeId>,
        span: Span,
    ) -> Outcome {
        for (_, then) in &mut branches {
            *then = self.as_duration(*then)?;
        }
        let otherwise = match otherwise {
            Some(value) => Some(self.as_duration(value)?),
            None => None,
        };
        let values: Vec<_> = branches.iter().map(|(_, then)| *then).chain(otherwise).collect();
        let ty = self.agree(&values, "all branches")?;
        Some(self.operation(span, ty, Kind::Case(branches, otherwise)))
    }

    /// Suggests the currency of one value for the other, if that is a literal number.
    pub(super) fn with_amount(
        &self,
        finding: Diagnostic,
        one: NodeId,
        other: NodeId,
    ) -> Diagnostic {
        let is_literal = |id: &NodeId| *self.ty(*id) == Type::LITERAL;
        let is_money = |id: &NodeId| self.unit(*id).is_some_and(Unit::is_money);
        let pairs = [(one, other), (other, one)];
        match pairs.into_iter().find(|(number, amount)| is_literal(number) && is_money(amount)) {
            Some((number, amount)) => self.say_currency(finding, number, amount),
            None => finding,
        }
    }

    /// Returns the common type of several values, or reports the first that differs.
    pub(super) fn agree(&mut self, values: &[NodeId], rule: &str) -> Option<Type> {
        let mut joint: Option<(Type, NodeId)> = None;
        for value in values {
            let ty = self.ty(*value).clone();
            let Some((so_far, first)) = joint.take() else {
                joint = Some((ty, *value));
                continue;
            };
            let zero = (self.is_zero(first), self.is_zero(*value));
            let Some(next) = join(&so_far, &ty, zero) else {
                let place = self.span(*value);
                let (mut here, mut there) = (word(&so_far), word(&ty));
                if here == there {
                    (here, there) = (describe(&so_far), describe(&ty));
                }
                let message = format!("{rule} must be of one kind: this is {there}, not {here}");
                let finding = Diagnostic::new(Code::E320, place, message)
                    .label(self.span(first), here)
                    .help("bring them to one kind, or make two metrics");
                return self.refuse(self.with_amount(finding, first, *value));
            };
            let keep = if self.is_zero(first) { *value } else { first };
            joint = Some((next, keep));
        }
        joint.map(|(ty, _)| ty)
    }
}

fn join(left: &Type, right: &Type, zero: (bool, bool)) -> Option<Type> {
    match (left, right) {
        (Type::Null, other) | (other, Type::Null) => Some(other.clone()),
        (Type::Quantity(one), Type::Quantity(two)) => {
            shared(one, two, zero).ok().map(Type::Quantity)
        }
        (Type::Date, Type::DateTime) | (Type::DateTime, Type::Date) => None,
        (one, two) => (one == two).then(|| one.clone()),
    }
}

/// Returns the text of a bare word, for arguments that take one.
pub(super) fn bare_word(expr: &crate::syntax::Expr, id: ExprId) -> Option<&str> {
    let ExprKind::Path(path) = &expr.node(id)?.kind else { return None };
    let [word] = path.as_slice() else { return None };
    Some(&word.name)
}
