//! Amounts in a store that does not convert them: each value has the currency of its rows, and values computed from
//! two currencies are null.
//!
//! Each node of such amounts has its currencies, cell by cell, beside its values. A null has none.

use std::rc::Rc;

use super::evaluator::{Evaluator, NodeInFrame};
use crate::check::{Comparison, Key, Kind, NodeId, Window};
use crate::evaluate::amount_currency::{
    AmountCurrency, Currencies, joined, of_several, value_and_currency,
};
use crate::evaluate::frames::{FrameId, Series};
use crate::plan::{NodeRef, Owner, operators};
use crate::types::Value;

impl<'a> Evaluator<'a> {
    /// Whether amounts keep the currencies of their rows in a frame.
    pub(super) fn keeps_currencies(&self, frame: FrameId) -> bool {
        !self.context.schema.store.mixed_currency.converts()
            && self.frames.get(frame).is_some_and(|frame| frame.currency.is_none())
    }

    /// The currencies of the values that a node has in a frame; `None` if none has one.
    pub(super) fn currencies(&self, node: NodeRef, frame: FrameId) -> Option<Currencies> {
        self.currencies.get(&NodeInFrame { node, frame }).map(Rc::clone)
    }

    /// The currency of the first value of a node in a frame.
    pub(crate) fn currency(&self, node: NodeRef, frame: FrameId) -> AmountCurrency {
        let currencies = self.currencies(node, frame);
        currencies.and_then(|own| own.first().cloned()).unwrap_or_default()
    }

    /// The currencies of a formula's values; `None` if none has one.
    pub(crate) fn formula_currencies(&self, owner: Owner, frame: FrameId) -> Option<Currencies> {
        self.currencies(self.context.root(owner)?, frame)
    }

    /// The values of an atom, separated from the currencies of its answers.
    pub(super) fn take_off_currencies(
        &mut self,
        node: NodeRef,
        frame: FrameId,
        answers: Series,
    ) -> Series {
        if !self.keeps_currencies(frame) || !self.is_amount(node) {
            return answers;
        }
        let policy = self.context.schema.store.mixed_currency;
        let (values, currencies): (Vec<Value>, Vec<AmountCurrency>) =
            answers.iter().map(|answer| value_and_currency(answer, policy)).unzip();
        if let Some(shape) = self.context.shape(node) {
            self.atom_currencies.insert((shape.number, frame), Rc::new(currencies));
        }
        Rc::new(values)
    }

    /// The values of a node, with null in place of those computed from amounts in several currencies.
    pub(super) fn null_where_mixed(
        &mut self,
        node: NodeRef,
        kind: &'a Kind,
        frame: FrameId,
        series: Series,
    ) -> Series {
        let given = self.given_currency(node, frame);
        let passed = match given {
            Some(given) => Some(Rc::new(vec![given; series.len()])),
            None => self.passed_on(node, kind, frame),
        };
        if let Some(passed) = passed {
            self.keep_currencies(node, frame, &series, &passed);
            return series;
        }
        let own = |id: &NodeId| self.currencies(NodeRef { id: *id, ..node }, frame);
        let found = match kind {
            Kind::Negate(operand) | Kind::ListAggregate(_, operand) => joined([own(operand)]),
            Kind::Compare(_, left, right) => joined([own(left), own(right)]),
            Kind::InList(operand, values) => {
                return self.in_list_by_currency(node, (*operand, values), frame, series);
            }
            Kind::Call(_, arguments) => joined(arguments.iter().map(own)),
            Kind::Growth(window, operand) | Kind::Change(window, operand) => {
                let current = own(operand);
                let operand = NodeRef { id: *operand, ..node };
                let earlier = match self.given_window_currency(operand, *window, frame) {
                    Some(given) => Some(Rc::new(vec![given; series.len()])),
                    None => self.moved_currencies(operand, *window, frame),
                };
                joined([current, earlier])
            }
            Kind::Share(part) => {
                let part_currencies = own(part);
                let total = self.total_currencies(NodeRef { id: *part, ..node }, &[], frame);
                joined([part_currencies, total])
            }
            _ => None,
        };
        match found {
            Some(currencies) => self.nulled(node, frame, series, &currencies),
            None => series,
        }
    }

    /// Whether amounts are in a list. Only the elements in an amount's own currency count.
    fn in_list_by_currency(
        &mut self,
        node: NodeRef,
        (operand, list): (NodeId, &[NodeId]),
        frame: FrameId,
        series: Series,
    ) -> Series {
        let sides = std::iter::once(operand).chain(list.iter().copied());
        let all = joined(sides.map(|id| self.currencies(NodeRef { id, ..node }, frame)));
        if !all.is_some_and(|all| all.contains(&AmountCurrency::Several)) {
            return series;
        }
        let env = self.context.environment();
        let operand = NodeRef { id: operand, ..node };
        let (amounts, own) = (self.series(operand, frame), self.currencies(operand, frame));
        let mut found = vec![false; series.len()];
        for id in list {
            let item = NodeRef { id: *id, ..node };
            let (values, currencies) = (self.series(item, frame), self.currencies(item, frame));
            for (index, slot) in found.iter_mut().enumerate() {
                let currency = of_cell(currencies.as_ref(), index);
                let is_mixed =
                    of_cell(own.as_ref(), index).with(&currency) == AmountCurrency::Several;
                let sides = amounts.get(index).zip(values.get(index));
                *slot |= !is_mixed
                    && sides.is_some_and(|(amount, value)| {
                        operators::compare(Comparison::Equal, amount, value, &env)
                    });
            }
        }
        Rc::new(found.into_iter().map(Value::Bool).collect())
    }

    /// The currencies of a node that passes on the values of another node, or of its rows.
    fn passed_on(&mut self, node: NodeRef, kind: &'a Kind, frame: FrameId) -> Option<Currencies> {
        let below = |id: NodeId| NodeRef { id, ..node };
        match kind {
            Kind::Atom(_) => {
                let shape = self.context.shape(node)?;
                self.atom_currencies.get(&(shape.number, frame)).map(Rc::clone)
            }
            Kind::Metric(metric) => self.formula_currencies(Owner::Metric(metric.0), frame),
            Kind::Placeholder(_, inner)
            | Kind::Shared(inner)
            | Kind::PerRow(inner)
            | Kind::Outer(inner)
            | Kind::WeightedAverage(inner) => self.currencies(below(*inner), frame),
            Kind::Window(window, inner) => self.moved_currencies(below(*inner), *window, frame),
            Kind::Scoped { value, conditions } => {
                let inner = self.frames.scoped(node.owner, conditions, frame);
                self.currencies(below(*value), inner)
            }
            Kind::Total { value, keep } => self.total_currencies(below(*value), keep, frame),
            Kind::Case(branches, otherwise) => {
                Some(self.chosen_currencies(node.owner, branches, *otherwise, frame))
            }
            _ => None,
        }
    }

    fn moved_currencies(
        &mut self,
        operand: NodeRef,
        window: Window,
        frame: FrameId,
    ) -> Option<Currencies> {
        let moved = self.frames.window(window, frame)?;
        self.currencies(operand, moved)
    }

    fn total_currencies(
        &mut self,
        value: NodeRef,
        keep: &[Key],
        frame: FrameId,
    ) -> Option<Currencies> {
        let inner = self.frames.total(keep, frame);
        let own = self.currencies(value, inner)?;
        Some(self.frames.spread(own, keep, (inner, frame), &AmountCurrency::Any))
    }

    /// The currencies of the branches that the cells take.
    fn chosen_currencies(
        &mut self,
        owner: Owner,
        branches: &[(NodeId, NodeId)],
        otherwise: Option<NodeId>,
        frame: FrameId,
    ) -> Currencies {
        let count = self.frames.cell_count(frame).unwrap_or(1);
        let mut found = vec![AmountCurrency::Any; count];
        let mut is_open = vec![true; count];
        for (when, then) in branches {
            // Conditions that were not needed are not computed now.
            if !is_open.contains(&true) {
                break;
            }
            let when = self.series(NodeRef { owner, id: *when }, frame);
            let own = self.currencies(NodeRef { owner, id: *then }, frame);
            for (index, (slot, open)) in found.iter_mut().zip(&mut is_open).enumerate() {
                if *open && when.get(index).is_some_and(operators::is_true) {
                    *open = false;
                    *slot = of_cell(own.as_ref(), index);
                }
            }
        }
        let own = otherwise.and_then(|id| self.currencies(NodeRef { owner, id }, frame));
        for (index, (slot, open)) in found.iter_mut().zip(is_open).enumerate() {
            if open {
                *slot = of_cell(own.as_ref(), index);
            }
        }
        Rc::new(found)
    }

    /// The values of an operator over its two sides, keeping currencies apart; `before` are the currencies
    /// of the left side.
    pub(super) fn sides_null_where_mixed(
        &mut self,
        node: NodeRef,
        (left, right): (NodeId, NodeId),
        frame: FrameId,
        (before, series): (&Series, Series),
    ) -> Series {
        let [left, right] = [left, right].map(|id| self.currencies(NodeRef { id, ..node }, frame));
        if !matches!(self.context.kind(node), Some(Kind::Default(..))) {
            return match joined([left, right]) {
                Some(currencies) => self.nulled(node, frame, series, &currencies),
                None => series,
            };
        }
        let chosen = |(index, before): (usize, &Value)| {
            of_cell(if before.is_missing() { right.as_ref() } else { left.as_ref() }, index)
        };
        let currencies: Vec<AmountCurrency> = before.iter().enumerate().map(chosen).collect();
        self.keep_currencies(node, frame, &series, &currencies);
        series
    }

    /// Gives a node the currencies of another, whose values are also its own.
    pub(super) fn pass_on(&mut self, node: NodeRef, from: NodeId, frame: FrameId, values: &Series) {
        if let Some(own) = self.currencies(NodeRef { id: from, ..node }, frame) {
            self.keep_currencies(node, frame, values, &own);
        }
    }

    /// The values with null in place of those in several currencies; the others keep theirs. A null that arose below
    /// stays.
    pub(super) fn nulled(
        &mut self,
        node: NodeRef,
        frame: FrameId,
        series: Series,
        currencies: &[AmountCurrency],
    ) -> Series {
        let series = if currencies.contains(&AmountCurrency::Several) {
            let null = of_several(self.context.kind(node));
            let mut values = Rc::unwrap_or_clone(series);
            for (value, currency) in values.iter_mut().zip(currencies) {
                let is_from_below = value.as_missing().is_some_and(|null| null.origin.is_some());
                if *currency == AmountCurrency::Several && !is_from_below {
                    *value = null.clone();
                }
            }
            Rc::new(values)
        } else {
            series
        };
        self.keep_currencies(node, frame, &series, currencies);
        series
    }

    /// Stores the currencies of a node's values, if they are amounts.
    pub(super) fn keep_currencies(
        &mut self,
        node: NodeRef,
        frame: FrameId,
        values: &[Value],
        currencies: &[AmountCurrency],
    ) {
        let own = values.iter().zip(currencies).map(|(value, currency)| {
            if value.is_missing() { AmountCurrency::Any } else { currency.clone() }
        });
        let own: Vec<AmountCurrency> = own.collect();
        if self.is_amount(node) && own.iter().any(|currency| *currency != AmountCurrency::Any) {
            self.currencies.insert(NodeInFrame { node, frame }, Rc::new(own));
        }
    }

    pub(super) fn is_amount(&self, node: NodeRef) -> bool {
        self.context.node(node).is_some_and(|node| node.ty.is_in_currencies_of_rows())
    }
}

fn of_cell(currencies: Option<&Currencies>, index: usize) -> AmountCurrency {
    currencies.and_then(|own| own.get(index)).cloned().unwrap_or_default()
}
