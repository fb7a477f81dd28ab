//! Lowers operations that depend on the values of their operands alone.

use std::sync::Arc;

use super::lower::{Lowering, PlaceId};
use super::origins::{PartId, Trace};
use super::program::{Function, Op, Operand};
use super::{NodeRef, Owner};
use crate::check::{Kind, NodeId, TypedNode, children};
use crate::number::Rounding;
use crate::types::{Reason, Type, Value};

impl<'a> Lowering<'_, 'a> {
    /// Lowers an operation that depends on the values of its operands alone.
    pub(super) fn operation(&mut self, owner: Owner, node: &'a TypedNode, at: PlaceId) -> PartId {
        match &node.kind {
            Kind::Case(branches, otherwise) => self.case(owner, node, (branches, *otherwise), at),
            Kind::Call(spec, arguments) => {
                let parts: Vec<PartId> =
                    arguments.iter().map(|argument| self.part(owner, *argument, at)).collect();
                let values: Vec<Operand> = parts.iter().map(|part| self.value(*part)).collect();
                let op = self.rounding(spec.name, &values);
                let op = op.unwrap_or(Op::Call(Function(spec), values));
                self.op(owner, node, op, Trace::Operands(parts))
            }
            Kind::InList(operand, values) => {
                let operand = self.part(owner, *operand, at);
                let mut parts: Vec<PartId> =
                    values.iter().map(|value| self.part(owner, *value, at)).collect();
                let values = parts.iter().map(|part| self.value(*part)).collect();
                let op = Op::InList(self.value(operand), values);
                parts.insert(0, operand);
                self.op(owner, node, op, Trace::Here(parts))
            }
            Kind::Compare(_, left, right) | Kind::InPeriod(left, right) => {
                let parts = vec![self.part(owner, *left, at), self.part(owner, *right, at)];
                let values: Vec<Operand> = parts.iter().map(|part| self.value(*part)).collect();
                let [left, right] = values.as_slice() else {
                    return self.null(owner, node.span, Reason::NoRows);
                };
                let op = match &node.kind {
                    Kind::Compare(op, ..) => Op::Compare(*op, *left, *right),
                    _ => Op::InPeriod(*left, *right),
                };
                self.op(owner, node, op, Trace::Here(parts))
            }
            Kind::Negate(operand) => {
                let operand = self.part(owner, *operand, at);
                let trace = Trace::Operands(vec![operand]);
                self.op(owner, node, Op::Negate(self.value(operand)), trace)
            }
            Kind::ListAggregate(function, list) => {
                let list = self.part(owner, *list, at);
                let trace = Trace::Operands(vec![list]);
                self.op(owner, node, Op::OfList(*function, self.value(list)), trace)
            }
            Kind::Not(operand)
            | Kind::IsNull(operand)
            | Kind::IsError(operand)
            | Kind::Like(operand, _) => {
                let part = self.part(owner, *operand, at);
                let operand = self.value(part);
                let op = match &node.kind {
                    Kind::Not(_) => Op::Not(operand),
                    Kind::IsNull(_) => Op::IsNull(operand),
                    Kind::Like(_, pattern) => Op::Like(operand, Arc::clone(pattern)),
                    _ => Op::IsError(operand),
                };
                self.op(owner, node, op, Trace::Here(vec![part]))
            }
            _ => self.null(owner, node.span, Reason::NoRows),
        }
    }

    /// Returns whether an operation takes amounts in the currencies of their rows, which only the
    /// evaluator tells apart. Values that the caller gives have no rows.
    pub(super) fn joins_currencies(&self, here: NodeRef, node: &TypedNode, at: PlaceId) -> bool {
        let planner = self.planner;
        if planner.schema.store.mixed_currency.converts() || self.is_label {
            return false;
        }
        let joins = matches!(
            node.kind,
            Kind::Negate(_)
                | Kind::ListAggregate(..)
                | Kind::Compare(..)
                | Kind::InList(..)
                | Kind::Call(..)
                | Kind::Arithmetic(..)
                | Kind::Growth(..)
                | Kind::Change(..)
                | Kind::Share(_)
        );
        let is_amount = |id: &NodeId| {
            let node = planner.node(here.owner, *id);
            node.is_some_and(|node| node.ty.is_in_currencies_of_rows())
        };
        joins
            && planner.given.is_empty()
            && self.source.is_none()
            && self.place(at).currency().is_none()
            && children(&node.kind).iter().any(is_amount)
    }

    /// Returns a rounding to a constant number of digits.
    fn rounding(&self, name: &str, arguments: &[Operand]) -> Option<Op> {
        let [value, digits, mode] = arguments else { return None };
        let (Value::Number(digits), Value::Text(mode)) =
            (self.graph.known(*digits)?, self.graph.known(*mode)?)
        else {
            return None;
        };
        if name != "round" || !digits.is_integer() {
            return None;
        }
        let rounding = Rounding::from_name(mode)?;
        let digits = u32::try_from(digits.normalize().mantissa()).ok()?;
        Some(Op::Round { value: *value, digits, rounding })
    }

    /// Lowers conditions with values to nested choices.
    fn case(
        &mut self,
        owner: Owner,
        node: &TypedNode,
        (branches, otherwise): (&[(NodeId, NodeId)], Option<NodeId>),
        at: PlaceId,
    ) -> PartId {
        let mut parts = Vec::with_capacity(branches.len());
        for (when, then) in branches {
            let when = self.part(owner, *when, at);
            parts.push((when, self.part(owner, *then, at)));
        }
        let otherwise = otherwise.map(|value| self.part(owner, value, at));
        let mut value = match otherwise {
            Some(otherwise) => self.value(otherwise),
            None => self.graph.constant(Value::missing(Reason::NoBranch), &Type::Null),
        };
        for (when, then) in parts.iter().rev() {
            let op = Op::Choose(self.value(*when), self.value(*then), value);
            value = self.graph.op(op, &node.ty);
        }
        self.add(owner, node.span, value, Trace::Choice(parts, otherwise))
    }
}
