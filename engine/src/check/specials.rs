//! Functions that are alternative spellings of operators, and currency conversion.

use super::checker::{Callee, Checker, Outcome, Scope};
use super::describe::describe;
use super::typed::{Arithmetic, Kind, Level, NodeId};
use crate::diagnostics::{Code, Diagnostic};
use crate::functions::Special;
use crate::source::Span;
use crate::syntax::BinaryOp;
use crate::types::{Currency, CurrencyOf, Reason, Type, Unit, Value};

impl Checker<'_> {
    pub(super) fn special(
        &mut self,
        callee: Callee<'_>,
        special: Special,
        scope: Scope,
    ) -> Outcome {
        let bound = self.bind(callee)?;
        let span = callee.span;
        if special == Special::If {
            let [Some(when), Some(then), rest @ ..] = bound.as_slice() else { return None };
            let otherwise = rest.first().copied().flatten();
            return self.case(&[(*when, *then)], otherwise, span, scope);
        }
        let values = bound.into_iter().flatten();
        let nodes: Vec<_> = values.map(|value| self.check(value, scope)).collect();
        let nodes: Vec<NodeId> = nodes.into_iter().collect::<Option<_>>()?;
        match (special, nodes.as_slice()) {
            (Special::Now, _) => Some(self.present(span, Type::DateTime, Kind::Now)),
            (Special::Today, _) => Some(self.present(span, Type::Date, Kind::Today)),
            (Special::IsNull, [operand]) => {
                Some(self.operation(span, Type::Bool, Kind::IsNull(*operand)))
            }
            (Special::IsError, [operand]) => {
                Some(self.operation(span, Type::Bool, Kind::IsError(*operand)))
            }
            (Special::Coalesce, [first, rest @ ..]) => {
                let sides = "all values of `coalesce`";
                rest.iter()
                    .try_fold(*first, |left, right| self.default_of(left, *right, span, sides))
            }
            (Special::Concat, [first, rest @ ..]) => {
                let empty = self.text_constant(span, "");
                let first = self.concat(empty, *first, span)?;
                rest.iter().try_fold(first, |left, right| self.concat(left, *right, span))
            }
            (Special::NullIf, [value, unwanted]) => self.null_if(*value, *unwanted, span),
            (Special::SafeDivide, [top, bottom, rest @ ..]) => {
                let quotient = self.arithmetic(BinaryOp::Divide, *top, *bottom, span)?;
                match rest.first() {
                    Some(otherwise) => {
                        let sides = "the quotient and `otherwise`";
                        self.default_of(quotient, *otherwise, span, sides)
                    }
                    None => Some(quotient),
                }
            }
            _ => None,
        }
    }

    /// `nullif(x, y)` is `case when x = y then null else x end`.
    fn null_if(&mut self, value: NodeId, unwanted: NodeId, span: Span) -> Outcome {
        let equal = self.comparison(BinaryOp::Equal, (value, unwanted), span, span)?;
        let null = self.constant(span, Type::Null, Value::missing(Reason::Written));
        self.choice(vec![(equal, null)], Some(value), span)
    }

    /// `add(d, span)` is `d + span`.
    pub(super) fn added(&mut self, callee: Callee<'_>, scope: Scope) -> Outcome {
        let bound = self.bind(callee)?;
        let parameters = callee.spec.parameters.iter();
        let nodes: Vec<_> = parameters
            .zip(bound.into_iter().flatten())
            .map(|(parameter, value)| self.argument(callee, parameter, value, scope))
            .collect();
        let [Some(date), Some(step)] = nodes.as_slice() else { return None };
        Some(self.moved(Arithmetic::Shift, (*date, *step), callee.span))
    }

    /// `convert(x, to: EUR)`: each row at the rate of its own day.
    pub(super) fn convert(&mut self, callee: Callee<'_>, scope: Scope) -> Outcome {
        let bound = self.bind(callee)?;
        let [Some(value), Some(to), rate] = *bound.as_slice() else { return None };
        let span = callee.span;
        let Scope::Whole(_) = scope else {
            let inner = self.source(value);
            let message = "`convert` works on a total, not on the rows below it";
            return self.refuse(Diagnostic::new(Code::E404, span, message).help(format!(
                "convert the total: convert(sum({inner}), to: {})",
                self.source(to)
            )));
        };
        let node = self.check(value, scope);
        let [_, of_target, of_rate] = callee.spec.parameters else { return None };
        let code = self.word(callee, of_target, to);
        if let Some(rate) = rate {
            self.word(callee, of_rate, rate)?;
        }
        let to = Currency::from_code(&code?)?;
        let node = node?;
        if !self.unit(node).is_some_and(Unit::is_money) {
            let what = describe(self.ty(node));
            let message = format!("only money has a currency, this is {what}");
            return self.refuse_call(callee.spec, (Code::E208, self.span(node)), message);
        }
        let ty = Type::Quantity(Unit::money(CurrencyOf::Fixed(to)));
        Some(self.add(span, ty, Level::Aggregate, Kind::Convert { value: node, to }))
    }

    fn present(&mut self, span: Span, ty: Type, kind: Kind) -> NodeId {
        self.knows_present = true;
        self.add(span, ty, Level::Constant, kind)
    }
}
