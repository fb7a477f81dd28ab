//! Comparisons: two sides of one type, sets, ranges and patterns.

use std::sync::Arc;

use super::checker::{Checker, Outcome, Scope};
use super::describe::describe;
use super::typed::{Comparison, Kind, NodeId};
use super::units::{Conflict, shared};
use crate::diagnostics::{Code, Diagnostic, Suggestion, nearest};
use crate::source::Span;
use crate::syntax::{BinaryOp, ExprId};
use crate::types::{Type, Unit, Value};

impl Checker<'_> {
    pub(super) fn comparison(
        &mut self,
        op: BinaryOp,
        (left, right): (NodeId, NodeId),
        span: Span,
        place: Span,
    ) -> Outcome {
        let comparison = comparison_of(op)?;
        if [left, right].iter().any(|side| *self.ty(*side) == Type::Null) {
            return self.refuse_null(op, left, right, place);
        }
        let (left, right) = self.comparable(left, right)?;
        Some(self.operation(span, Type::Bool, Kind::Compare(comparison, left, right)))
    }

    fn refuse_null(&mut self, op: BinaryOp, left: NodeId, right: NodeId, place: Span) -> Outcome {
        let (operand, null) =
            if *self.ty(right) == Type::Null { (left, right) } else { (right, left) };
        let span = place.to(self.span(null));
        let not = if op == BinaryOp::Equal { "" } else { "not " };
        let text = format!("{} is {not}null", self.span(operand).slice(self.text));
        let whole = self.span(left).to(self.span(right));
        self.refuse(
            Diagnostic::new(Code::E340, span, "nothing is ever equal to null")
                .help(format!("to ask whether a value is there: {text}"))
                .suggest(Suggestion::replace(whole, text)),
        )
    }

    /// Rejects a literal null where a value is compared by `in`, `between` or `like`.
    fn require_value(&mut self, id: NodeId) -> Option<()> {
        if *self.ty(id) != Type::Null {
            return Some(());
        }
        self.refuse(
            Diagnostic::new(Code::E340, self.span(id), "nothing is ever equal to null")
                .help("to ask whether a value is there, write `x is not null`"),
        )
    }

    /// Coerces both sides to comparable types.
    fn comparable(&mut self, left: NodeId, right: NodeId) -> Option<(NodeId, NodeId)> {
        let left = self.as_duration(left)?;
        let right = self.as_duration(right)?;
        if let (Type::Quantity(one), Type::Quantity(two)) = (self.ty(left), self.ty(right)) {
            let zero = (self.is_zero(left), self.is_zero(right));
            if let Err(conflict) = shared(one, two, zero) {
                return self.refuse_comparison(conflict, left, right);
            }
            return Some((left, right));
        }
        let (first, second) = (self.ty(left).clone(), self.ty(right).clone());
        let is_date = |ty: &Type| matches!(ty, Type::Date | Type::DateTime);
        match (&first, &second) {
            (Type::Text, Type::Text) => self.known_values(left, right)?,
            (Type::Bool, Type::Bool) => {}
            _ if is_date(&first) && is_date(&second) => {}
            _ if is_date(&first) && second == Type::Text => {
                return self.refuse_text_date(right);
            }
            _ if first == Type::Text && is_date(&second) => {
                return self.refuse_text_date(left);
            }
            _ => {
                let span = self.span(left).to(self.span(right));
                let message =
                    format!("cannot compare {} with {}", describe(&first), describe(&second));
                let help = match (&first, &second) {
                    (_, Type::Period) => {
                        "a date is looked for in one period, without parentheses: `in @2026-02`"
                    }
                    (Type::Text, _) | (_, Type::Text) => {
                        "number(text) reads a number, text(x) writes one"
                    }
                    _ => "both sides must be of one kind",
                };
                return self.refuse(Diagnostic::new(Code::E321, span, message).help(help));
            }
        }
        Some((left, right))
    }

    fn refuse_text_date<T>(&mut self, text: NodeId) -> Option<T> {
        let span = self.span(text);
        let finding = Diagnostic::new(Code::E360, span, "a date cannot be compared with text");
        let inner = match &self.node(text).kind {
            Kind::Constant(Value::Text(inner)) => Some(Arc::clone(inner)),
            _ => None,
        };
        let literal = inner.map(|inner| format!("@{inner}"));
        let literal = literal.filter(|at| crate::calendar::PeriodLiteral::parse(at).is_some());
        let finding = match literal {
            Some(literal) => {
                let help = format!("without quotes it is a date: {literal}");
                finding.help(help).suggest(Suggestion::replace(span, literal))
            }
            None => finding.help("a date is written @2026-01-31"),
        };
        self.refuse(finding)
    }

    fn refuse_comparison<T>(
        &mut self,
        conflict: Conflict,
        left: NodeId,
        right: NodeId,
    ) -> Option<T> {
        let (first, second) = (describe(self.ty(left)), describe(self.ty(right)));
        let whole = self.span(left).to(self.span(right));
        let message = format!("cannot compare {first} with {second}");
        let number = |id: &NodeId| self.unit(*id).is_some_and(Unit::is_dimensionless);
        let plain = [right, left].into_iter().find(number).unwrap_or(right);
        let place = self.span(plain);
        let text = place.slice(self.text);
        let finding = match conflict {
            Conflict::Currencies => {
                let finding = Diagnostic::new(Code::E310, self.span(right), message);
                self.with_conversion(finding, left, right)
            }
            Conflict::MoneyWithLiteral => {
                let other = if plain == left { right } else { left };
                self.say_currency(Diagnostic::new(Code::E303, place, message), plain, other)
            }
            Conflict::DurationWithLiteral => {
                let (days, hours) = (measured(text, "days"), measured(text, "hours"));
                Diagnostic::new(Code::E304, place, message)
                    .help(format!("say in which unit: {days}, {hours}, …"))
                    .suggest(Suggestion::replace(place, days).among_others())
            }
            Conflict::MoneyWithOther => Diagnostic::new(Code::E301, whole, message)
                .help("compare amounts with amounts, or divide first"),
            Conflict::CountWithRatio => Diagnostic::new(Code::E302, whole, message)
                .help("compare counts with counts, or divide first"),
            Conflict::Other => {
                Diagnostic::new(Code::E306, whole, message).help("both sides must have one unit")
            }
        };
        self.refuse(finding)
    }

    /// Rejects a literal that is not a known value of the other side's field.
    fn known_values(&mut self, left: NodeId, right: NodeId) -> Option<()> {
        let literal = |id: NodeId| match &self.node(id).kind {
            Kind::Constant(Value::Text(text)) => Some((self.span(id), Arc::clone(text))),
            _ => None,
        };
        let (column, (span, text)) = match (literal(left), literal(right)) {
            (None, Some(text)) => (left, text),
            (Some(text), None) => (right, text),
            (Some(_), Some(_)) | (None, None) => return Some(()),
        };
        let Kind::Column(path) = &self.node(column).kind else { return Some(()) };
        let super::Level::Row(source) = self.level(column) else { return Some(()) };
        let (owner, field) = self.schema().field_at(source, path)?;
        let Some(known) = &field.known_values else { return Some(()) };
        if known.iter().any(|value| **value == *text) {
            return Some(());
        }
        let near = nearest(&text, known.iter().map(String::as_str));
        let name = format!("{}.{}", self.source_name(owner), field.name);
        let listed = known.join(", ");
        let finding = Diagnostic::new(Code::E230, span, format!("`{name}` is never '{text}'"));
        let finding = match near {
            Some(near) => finding
                .help(format!("did you mean '{near}'? its values: {listed}"))
                .suggest(Suggestion::replace(span, format!("'{near}'"))),
            None => finding.help(format!("its values: {listed}")),
        };
        self.refuse(finding)
    }

    pub(super) fn in_set(
        &mut self,
        operand: ExprId,
        (set, listed): (&[ExprId], bool),
        span: Span,
        scope: Scope,
    ) -> Outcome {
        let operand = self.check(operand, scope);
        let set: Vec<_> = set.iter().map(|id| self.check(*id, scope)).collect();
        let operand = operand?;
        let set: Vec<_> = set.into_iter().collect::<Option<_>>()?;
        self.require_value(operand)?;
        let operand = self.as_duration(operand)?;
        if let ([only], false) = (set.as_slice(), listed) {
            return self.in_one(operand, *only, span);
        }
        let mut values = Vec::with_capacity(set.len());
        for value in set {
            if *self.ty(value) == Type::Null {
                let text = self.span(operand).slice(self.text);
                return self.refuse(
                    Diagnostic::new(Code::E340, self.span(value), "nothing is ever equal to null")
                        .help(format!("leave it out, and ask for it apart: {text} is null or …")),
                );
            }
            values.push(self.comparable(operand, value)?.1);
        }
        Some(self.operation(span, Type::Bool, Kind::InList(operand, values)))
    }

    /// Checks `x in period`, `x in @2026-Q1`, `x in allowed`.
    fn in_one(&mut self, operand: NodeId, set: NodeId, span: Span) -> Outcome {
        let set_type = self.ty(set).clone();
        match (self.ty(operand), &set_type) {
            (Type::Date | Type::DateTime, Type::Period) => {
                Some(self.operation(span, Type::Bool, Kind::InPeriod(operand, set)))
            }
            (Type::Date | Type::DateTime, Type::Date) => {
                let kind = Kind::Compare(Comparison::Equal, operand, set);
                Some(self.operation(span, Type::Bool, kind))
            }
            (own, Type::List(item)) if same_kind(own, item) => {
                let spec = crate::functions::find("contains")?;
                Some(self.operation(span, Type::Bool, Kind::Call(spec, vec![set, operand])))
            }
            (own, other) => {
                let message = format!("cannot look for {} in {}", describe(own), describe(other));
                let help = "`in` takes values in parentheses, a period, or a list";
                let place = self.span(set);
                self.refuse(Diagnostic::new(Code::E321, place, message).help(help))
            }
        }
    }

    pub(super) fn between(
        &mut self,
        operand: ExprId,
        (low, high): (ExprId, ExprId),
        span: Span,
        scope: Scope,
    ) -> Outcome {
        let operand = self.check(operand, scope);
        let (low, high) = (self.check(low, scope), self.check(high, scope));
        let (operand, low, high) = (operand?, low?, high?);
        for value in [operand, low, high] {
            self.require_value(value)?;
        }
        let (above, low) = self.comparable(operand, low)?;
        let (below, high) = self.comparable(operand, high)?;
        let from = Kind::Compare(Comparison::GreaterOrEqual, above, low);
        let to = Kind::Compare(Comparison::LessOrEqual, below, high);
        let [from, to] = [from, to].map(|kind| self.operation(span, Type::Bool, kind));
        Some(self.operation(span, Type::Bool, Kind::And(from, to)))
    }

    pub(super) fn like(
        &mut self,
        operand: ExprId,
        pattern: &Arc<str>,
        span: Span,
        scope: Scope,
    ) -> Outcome {
        let operand = self.check(operand, scope)?;
        self.require_value(operand)?;
        if *self.ty(operand) != Type::Text {
            let (place, what) = (self.span(operand), describe(self.ty(operand)));
            let message = format!("`like` looks at text, this is {what}");
            return self.refuse(
                Diagnostic::new(Code::E321, place, message).help("text(x) writes a number as text"),
            );
        }
        Some(self.operation(span, Type::Bool, Kind::Like(operand, Arc::clone(pattern))))
    }
}

const fn comparison_of(op: BinaryOp) -> Option<Comparison> {
    Some(match op {
        BinaryOp::Equal => Comparison::Equal,
        BinaryOp::NotEqual => Comparison::NotEqual,
        BinaryOp::Less => Comparison::Less,
        BinaryOp::LessOrEqual => Comparison::LessOrEqual,
        BinaryOp::Greater => Comparison::Greater,
        BinaryOp::GreaterOrEqual => Comparison::GreaterOrEqual,
        BinaryOp::Or
        | BinaryOp::And
        | BinaryOp::Default
        | BinaryOp::Concat
        | BinaryOp::Add
        | BinaryOp::Subtract
        | BinaryOp::Multiply
        | BinaryOp::Divide
        | BinaryOp::Power => return None,
    })
}

/// Formats a number with a unit; an expression is multiplied by one of the unit.
pub(super) fn measured(text: &str, unit: &str) -> String {
    let is_number = text.chars().all(|c| c.is_ascii_digit() || matches!(c, '.' | '_'));
    if is_number { format!("{text} {unit}") } else { format!("({text}) * 1 {unit}") }
}

/// Returns whether a value can be an item of a list.
fn same_kind(value: &Type, item: &Type) -> bool {
    match (value, item) {
        (Type::Quantity(one), Type::Quantity(two)) => shared(one, two, (false, false)).is_ok(),
        (one, two) => one == two,
    }
}
