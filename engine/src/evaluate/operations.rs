//! Operators, choices and functions over whole cells.

use std::rc::Rc;

use super::evaluator::{Cells, Evaluator};
use super::frame::{Frame, Owner};
use super::operators;
use crate::check::{Kind, NodeId};
use crate::types::{Reason, Value};

impl<'a> Evaluator<'a> {
    /// What works on the values of its operands and on nothing else.
    pub(super) fn operation(&mut self, owner: Owner, kind: &'a Kind, frame: usize) -> Cells {
        match kind {
            Kind::Negate(operand) => self.map(owner, *operand, frame, operators::negate),
            Kind::Not(operand) => {
                self.map(owner, *operand, frame, |value| Value::Bool(!operators::is_true(value)))
            }
            Kind::IsNull(operand) => {
                self.map(owner, *operand, frame, |value| Value::Bool(value.is_missing()))
            }
            Kind::IsError(operand) => self.map(owner, *operand, frame, |value| {
                let missing = value.as_missing();
                Value::Bool(missing.is_some_and(|missing| !missing.reason.is_missing_data()))
            }),
            Kind::Like(operand, pattern) => self.map(owner, *operand, frame, |value| {
                Value::Bool(matches!(value, Value::Text(text) if operators::like(text, pattern)))
            }),
            Kind::Compare(op, left, right) => {
                let env = self.environment();
                self.zip(owner, (*left, *right), frame, |left, right| {
                    Value::Bool(operators::compare(*op, left, right, &env))
                })
            }
            Kind::InPeriod(left, right) => {
                let env = self.environment();
                self.zip(owner, (*left, *right), frame, |left, right| {
                    Value::Bool(operators::in_period(left, right, &env))
                })
            }
            Kind::InList(operand, values) => self.in_list(owner, *operand, values, frame),
            Kind::Case(branches, otherwise) => self.case(owner, branches, *otherwise, frame),
            Kind::Call(spec, arguments) => {
                let env = self.environment();
                let columns: Vec<Cells> =
                    arguments.iter().map(|argument| self.cells(owner, *argument, frame)).collect();
                self.each(frame, |index| {
                    let given: Vec<Value> =
                        columns.iter().filter_map(|cells| cells.get(index).cloned()).collect();
                    operators::call(spec, &given, &env)
                })
            }
            Kind::ListAggregate(function, list) => {
                let function = *function;
                self.map(owner, *list, frame, |value| super::sample::list(function, value))
            }
            _ => self.same(frame, &Value::missing(Reason::NoRows)),
        }
    }

    fn each(&self, frame: usize, value: impl Fn(usize) -> Value) -> Cells {
        let count = self.frame(frame).map_or(1, Frame::cell_count);
        Rc::new((0..count).map(value).collect())
    }

    fn map(
        &mut self,
        owner: Owner,
        operand: NodeId,
        frame: usize,
        value: impl Fn(&Value) -> Value,
    ) -> Cells {
        let cells = self.cells(owner, operand, frame);
        Rc::new(cells.iter().map(value).collect())
    }

    fn zip(
        &mut self,
        owner: Owner,
        (left, right): (NodeId, NodeId),
        frame: usize,
        value: impl Fn(&Value, &Value) -> Value,
    ) -> Cells {
        let (left, right) = (self.cells(owner, left, frame), self.cells(owner, right, frame));
        Rc::new(left.iter().zip(right.iter()).map(|(left, right)| value(left, right)).collect())
    }

    /// A binary node and those below it on the left, top first, with what stands at the bottom.
    pub(crate) fn left_chain(&self, owner: Owner, id: NodeId) -> (Vec<NodeId>, NodeId) {
        let mut chain = Vec::new();
        let mut at = id;
        while let Some(node) = self.node(owner, at) {
            let (Kind::Arithmetic(_, left, _)
            | Kind::And(left, _)
            | Kind::Or(left, _)
            | Kind::Concat(left, _)
            | Kind::Default(left, _)) = &node.kind
            else {
                break;
            };
            chain.push(at);
            at = *left;
        }
        (chain, at)
    }

    pub(super) fn chain(&mut self, owner: Owner, id: NodeId, frame: usize) -> Cells {
        let (chain, first) = self.left_chain(owner, id);
        let mut left = self.cells(owner, first, frame);
        let env = self.environment();
        for id in chain.into_iter().rev() {
            let Some(node) = self.node(owner, id) else { return left };
            let (Kind::Arithmetic(_, _, right)
            | Kind::And(_, right)
            | Kind::Or(_, right)
            | Kind::Concat(_, right)
            | Kind::Default(_, right)) = &node.kind
            else {
                return left;
            };
            if matches!(node.kind, Kind::Default(..)) && !left.iter().any(Value::is_missing) {
                continue;
            }
            let right = self.cells(owner, *right, frame);
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
            left = Self::with_origin(owner, node.span, Rc::new(joined));
        }
        left
    }

    fn in_list(&mut self, owner: Owner, operand: NodeId, values: &[NodeId], frame: usize) -> Cells {
        let operand = self.cells(owner, operand, frame);
        let values: Vec<Cells> =
            values.iter().map(|value| self.cells(owner, *value, frame)).collect();
        let env = self.environment();
        let equal = crate::check::Comparison::Equal;
        self.each(frame, |index| {
            let Some(operand) = operand.get(index) else { return Value::Bool(false) };
            let found = values.iter().filter_map(|cells| cells.get(index));
            Value::Bool(
                found.into_iter().any(|value| operators::compare(equal, operand, value, &env)),
            )
        })
    }

    fn case(
        &mut self,
        owner: Owner,
        branches: &[(NodeId, NodeId)],
        otherwise: Option<NodeId>,
        frame: usize,
    ) -> Cells {
        let mut chosen: Vec<Option<Value>> =
            vec![None; self.frame(frame).map_or(1, Frame::cell_count)];
        // A branch that no cell takes is not computed: what it would miss is not missed.
        for (when, then) in branches {
            if chosen.iter().all(Option::is_some) {
                break;
            }
            let when = self.cells(owner, *when, frame);
            let holds =
                |(slot, when): (&Option<Value>, &Value)| slot.is_none() && operators::is_true(when);
            if chosen.iter().zip(when.iter()).any(holds) {
                let then = self.cells(owner, *then, frame);
                for ((slot, when), then) in chosen.iter_mut().zip(when.iter()).zip(then.iter()) {
                    if slot.is_none() && operators::is_true(when) {
                        *slot = Some(then.clone());
                    }
                }
            }
        }
        let open = chosen.iter().any(Option::is_none);
        let rest = otherwise.filter(|_| open).map(|value| self.cells(owner, value, frame));
        self.each(frame, |index| {
            let value = chosen.get(index).cloned().flatten();
            let value = value.or_else(|| rest.as_ref()?.get(index).cloned());
            value.unwrap_or(Value::missing(Reason::NoBranch))
        })
    }
}
