//! Operators, choices and functions over whole series.

use std::rc::Rc;

use super::evaluator::Evaluator;
use super::null_origins::with_origin;
use crate::check::{Comparison, Kind, NodeId};
use crate::evaluate::frames::{FrameId, Series};
use crate::evaluate::scan::list;
use crate::plan::{NodeRef, Owner, operators};
use crate::types::{Reason, Value};

impl<'a> Evaluator<'a> {
    /// Computes an operation that depends only on the values of its operands.
    pub(super) fn operation(&mut self, owner: Owner, kind: &'a Kind, frame: FrameId) -> Series {
        match kind {
            Kind::Negate(operand) => self.map(owner, *operand, frame, operators::negate),
            Kind::Not(operand) => {
                self.map(owner, *operand, frame, |value| Value::Bool(!operators::is_true(value)))
            }
            Kind::IsNull(operand) => {
                self.map(owner, *operand, frame, |value| Value::Bool(value.is_missing()))
            }
            Kind::IsError(operand) => {
                self.map(owner, *operand, frame, |value| Value::Bool(operators::is_error(value)))
            }
            Kind::Like(operand, pattern) => self.map(owner, *operand, frame, |value| {
                Value::Bool(matches!(value, Value::Text(text) if operators::like(text, pattern)))
            }),
            Kind::Compare(op, left, right) => {
                let env = self.context.environment();
                self.zip(owner, (*left, *right), frame, |left, right| {
                    Value::Bool(operators::compare(*op, left, right, &env))
                })
            }
            Kind::InPeriod(left, right) => {
                let env = self.context.environment();
                self.zip(owner, (*left, *right), frame, |left, right| {
                    Value::Bool(operators::in_period(left, right, &env))
                })
            }
            Kind::InList(operand, values) => self.in_list(owner, *operand, values, frame),
            Kind::Case(branches, otherwise) => self.case(owner, branches, *otherwise, frame),
            Kind::Call(spec, arguments) => {
                let env = self.context.environment();
                let columns: Vec<Series> = arguments
                    .iter()
                    .map(|argument| self.operand(owner, *argument, frame))
                    .collect();
                self.each(frame, |index| {
                    let given: Vec<Value> =
                        columns.iter().filter_map(|series| series.get(index).cloned()).collect();
                    operators::call(spec, &given, &env)
                })
            }
            Kind::ListAggregate(function, operand) => {
                let function = *function;
                self.map(owner, *operand, frame, |value| list(function, value))
            }
            _ => self.frames.missing(frame, Reason::NoRows),
        }
    }

    fn operand(&mut self, owner: Owner, id: NodeId, frame: FrameId) -> Series {
        self.series(NodeRef { owner, id }, frame)
    }

    fn each(&self, frame: FrameId, value: impl Fn(usize) -> Value) -> Series {
        let count = self.frames.cell_count(frame).unwrap_or(1);
        Rc::new((0..count).map(value).collect())
    }

    fn map(
        &mut self,
        owner: Owner,
        operand: NodeId,
        frame: FrameId,
        value: impl Fn(&Value) -> Value,
    ) -> Series {
        let values = self.operand(owner, operand, frame);
        Rc::new(values.iter().map(value).collect())
    }

    fn zip(
        &mut self,
        owner: Owner,
        (left, right): (NodeId, NodeId),
        frame: FrameId,
        value: impl Fn(&Value, &Value) -> Value,
    ) -> Series {
        let (left, right) = (self.operand(owner, left, frame), self.operand(owner, right, frame));
        Rc::new(left.iter().zip(right.iter()).map(|(left, right)| value(left, right)).collect())
    }

    /// Operators that group to the left, in a loop.
    pub(super) fn chain(&mut self, node: NodeRef, frame: FrameId) -> Series {
        let owner = node.owner;
        let (chain, first) = self.context.left_chain(node);
        let mut left = self.operand(owner, first, frame);
        let env = self.context.environment();
        let keeps_currencies = self.keeps_currencies(frame);
        let mut left_id = first;
        for id in chain.into_iter().rev() {
            let Some(node) = self.context.node(NodeRef { owner, id }) else { return left };
            let (Kind::Arithmetic(_, _, right)
            | Kind::And(_, right)
            | Kind::Or(_, right)
            | Kind::Concat(_, right)
            | Kind::Default(_, right)) = &node.kind
            else {
                return left;
            };
            let sides = (std::mem::replace(&mut left_id, id), *right);
            if matches!(node.kind, Kind::Default(..)) && !left.iter().any(Value::is_missing) {
                if keeps_currencies {
                    self.pass_on(NodeRef { owner, id }, sides.0, frame, &left);
                }
                continue;
            }
            let right = self.operand(owner, sides.1, frame);
            let join = |left: &Value, right: &Value| match &node.kind {
                Kind::Arithmetic(op, ..) => operators::arithmetic(*op, left, right, &env),
                Kind::And(..) => Value::Bool(operators::is_true(left) && operators::is_true(right)),
                Kind::Or(..) => Value::Bool(operators::is_true(left) || operators::is_true(right)),
                Kind::Concat(..) => operators::concat(left, right),
                _ if left.is_missing() => right.clone(),
                _ => left.clone(),
            };
            let joined =
                left.iter().zip(right.iter()).map(|(left, right)| join(left, right)).collect();
            let mut joined = Rc::new(joined);
            if keeps_currencies {
                joined = self.sides_null_where_mixed(
                    NodeRef { owner, id },
                    sides,
                    frame,
                    (&left, joined),
                );
            }
            left = with_origin(owner, node.span, joined);
        }
        left
    }

    fn in_list(
        &mut self,
        owner: Owner,
        operand: NodeId,
        values: &[NodeId],
        frame: FrameId,
    ) -> Series {
        let operand = self.operand(owner, operand, frame);
        let values: Vec<Series> =
            values.iter().map(|value| self.operand(owner, *value, frame)).collect();
        let env = self.context.environment();
        let equal = Comparison::Equal;
        self.each(frame, |index| {
            let Some(operand) = operand.get(index) else { return Value::Bool(false) };
            let mut found = values.iter().filter_map(|series| series.get(index));
            Value::Bool(found.any(|value| operators::compare(equal, operand, value, &env)))
        })
    }

    fn case(
        &mut self,
        owner: Owner,
        branches: &[(NodeId, NodeId)],
        otherwise: Option<NodeId>,
        frame: FrameId,
    ) -> Series {
        let mut chosen: Vec<Option<Value>> = vec![None; self.frames.cell_count(frame).unwrap_or(1)];
        // A branch that no cell takes is not computed, so its missing inputs are not reported.
        for (when, then) in branches {
            if chosen.iter().all(Option::is_some) {
                break;
            }
            let when = self.operand(owner, *when, frame);
            let holds =
                |(slot, when): (&Option<Value>, &Value)| slot.is_none() && operators::is_true(when);
            if chosen.iter().zip(when.iter()).any(holds) {
                let then = self.operand(owner, *then, frame);
                for ((slot, when), then) in chosen.iter_mut().zip(when.iter()).zip(then.iter()) {
                    if slot.is_none() && operators::is_true(when) {
                        *slot = Some(then.clone());
                    }
                }
            }
        }
        let open = chosen.iter().any(Option::is_none);
        let rest = otherwise.filter(|_| open).map(|value| self.operand(owner, value, frame));
        self.each(frame, |index| {
            let value = chosen.get(index).cloned().flatten();
            let value = value.or_else(|| rest.as_ref()?.get(index).cloned());
            value.unwrap_or(Value::missing(Reason::NoBranch))
        })
    }
}
