//! A graph of operations, in which equal operations share a node and constants are folded.

use std::collections::BTreeMap;

use jiff::Timestamp;

use super::operators;
use super::program::{Op, Operand};
use super::slot::Slot;
use crate::calendar::Calendar;
use crate::check::Arithmetic;
use crate::functions::{Environment, Family};
use crate::types::{Currency, CurrencyOf, Type, Value};

/// One node; operands are indices of nodes before it.
#[derive(Debug)]
pub(super) enum Node {
    Constant(Value, Option<Currency>),
    Slot(Slot),
    Op(Op, Type),
}

/// Nodes in topological order, operands first.
#[derive(Debug, Default)]
pub(super) struct Graph {
    pub(super) nodes: Vec<Node>,
    /// Nodes of constants, by their text.
    constants: BTreeMap<String, Operand>,
    /// Nodes of slots, by their text.
    slots: BTreeMap<String, Operand>,
    ops: BTreeMap<Op, Operand>,
}

impl Graph {
    fn push(&mut self, node: Node) -> Operand {
        let operand = Operand::new(self.nodes.len());
        self.nodes.push(node);
        operand
    }

    pub(super) fn constant(&mut self, value: Value, ty: &Type) -> Operand {
        let currency = currency_of(ty).filter(|_| !value.is_missing());
        // The debug text distinguishes 1.5 from 1.50.
        let key = format!("{value:?} {currency:?}");
        if let Some(known) = self.constants.get(&key) {
            return *known;
        }
        let operand = self.push(Node::Constant(value, currency));
        self.constants.insert(key, operand);
        operand
    }

    /// Returns the node of a slot, and whether it already existed.
    pub(super) fn slot(&mut self, slot: Slot) -> (Operand, bool) {
        let key = slot.to_string();
        if let Some(known) = self.slots.get(&key) {
            return (*known, true);
        }
        let operand = self.push(Node::Slot(slot));
        self.slots.insert(key, operand);
        (operand, false)
    }

    pub(super) fn op(&mut self, op: Op, ty: &Type) -> Operand {
        if let Some(operand) = self.chosen(&op) {
            return operand;
        }
        if let Some(value) = folded(&op, &|operand| self.known(operand)) {
            return self.constant(value, ty);
        }
        if let Some(known) = self.ops.get(&op) {
            return *known;
        }
        let operand = self.push(Node::Op(op.clone(), ty.clone()));
        self.ops.insert(op, operand);
        operand
    }

    /// Returns the operand that a choice on a constant takes.
    fn chosen(&self, op: &Op) -> Option<Operand> {
        match op {
            Op::Choose(condition, then, otherwise) => match self.known(*condition)? {
                Value::Bool(true) => Some(*then),
                _ => Some(*otherwise),
            },
            Op::Default(value, otherwise) => {
                Some(if self.known(*value)?.is_missing() { *otherwise } else { *value })
            }
            _ => None,
        }
    }

    /// Fuses division and rounding into one operation, for quotients with no other use.
    pub(super) fn round_at_once(&mut self, results: &[Operand]) {
        let mut uses = vec![0_usize; self.nodes.len()];
        let mut count = |operand: Operand| {
            if let Some(uses) = uses.get_mut(operand.index()) {
                *uses = uses.saturating_add(1);
            }
        };
        results.iter().copied().for_each(&mut count);
        for node in &self.nodes {
            if let Node::Op(op, _) = node {
                op.operands().into_iter().for_each(&mut count);
            }
        }
        for index in 0..self.nodes.len() {
            let Some(Node::Op(Op::Round { value, digits, rounding }, _)) = self.nodes.get(index)
            else {
                continue;
            };
            let (value, digits, rounding) = (*value, *digits, *rounding);
            let is_rounded_only = uses.get(value.index()) == Some(&1);
            if let Some(Node::Op(Op::Arithmetic(Arithmetic::Divide, top, bottom), _)) =
                self.node(value).filter(|_| is_rounded_only)
            {
                let fused = Op::RoundedQuotient { top: *top, bottom: *bottom, digits, rounding };
                if let Some(Node::Op(op, _)) = self.nodes.get_mut(index) {
                    *op = fused;
                }
            }
        }
    }

    pub(super) fn node(&self, operand: Operand) -> Option<&Node> {
        self.nodes.get(operand.index())
    }

    /// Returns the value of a constant.
    pub(super) fn known(&self, operand: Operand) -> Option<&Value> {
        match self.node(operand)? {
            Node::Constant(value, _) => Some(value),
            Node::Slot(_) | Node::Op(..) => None,
        }
    }
}

/// Returns the currency of an amount of money.
fn currency_of(ty: &Type) -> Option<Currency> {
    match ty.unit().filter(|unit| unit.is_money())?.currency {
        CurrencyOf::Fixed(currency) => Some(currency),
        CurrencyOf::Mixed => None,
    }
}

/// Returns the value of an operation on constants; `None` if it needs the calendar, or if the value
/// is null, since the origin of a null is found at evaluation.
fn folded<'v>(op: &Op, known: &dyn Fn(Operand) -> Option<&'v Value>) -> Option<Value> {
    let operands = op.operands().into_iter().map(known).collect::<Option<Vec<_>>>()?;
    let timeless = |value: &&Value| {
        matches!(value, Value::Number(_) | Value::Text(_) | Value::Bool(_) | Value::Missing(_))
    };
    if !operands.iter().all(timeless) {
        return None;
    }
    if let Op::Call(function, _) = op
        && !matches!(function.0.family, Family::Numbers | Family::Texts)
    {
        return None;
    }
    // Functions of numbers and texts do not use it.
    let calendar = Calendar::default();
    let env = Environment { calendar: &calendar, now: Timestamp::UNIX_EPOCH };
    Some(operators::apply(op, &operands, &env)).filter(|value| !value.is_missing())
}
