//! The tree of an answer: every part of its formula with its value and period, down to the
//! aggregates over rows.
//!
//! Start at [`Engine::explain`].

#![expect(
    clippy::wildcard_enum_match_arm,
    reason = "most kinds of node have no parts of their own"
)]

use std::collections::BTreeSet;

use rust_decimal::prelude::ToPrimitive;

use super::counting::CountFormulas;
use super::labels::described;
use crate::calendar::Period;
use crate::check::{Kind, NodeId};
use crate::diagnostics::Diagnostic;
use crate::engine::{Engine, Formula, Inputs, Request, Run};
use crate::evaluate::{FrameId, NodeInFrame, NodeRef, Owner};
use crate::types::{Reason, Type, Value};

/// One part of an answer.
#[derive(Debug, Clone, PartialEq)]
pub struct Explanation {
    /// The text of the part, or the metric's key.
    pub label: String,
    /// The metric's formula, if the part is a metric.
    pub formula: Option<String>,
    /// The SHA-256 of the metric's meaning, if the part is a metric; see
    /// [`Engine::definition_hash`].
    pub definition: Option<String>,
    /// The value of the part.
    pub value: Value,
    /// The type of the part, with its unit.
    pub ty: Type,
    /// The value as display text.
    pub formatted: String,
    /// The reason, if the value is null.
    pub null_reason: Option<Reason>,
    /// The period of the value; `None` for a record without one.
    pub period: Option<Period>,
    /// The number of the aggregate whose rows the part counts, for [`Engine::counted_rows`]; `None` if it counts none, or
    /// several kinds of rows.
    pub aggregate: Option<usize>,
    /// The rows of the part, if it is an aggregate.
    pub rows: Option<RowsCounted>,
    /// The execution of an aggregate on a database: the statements that ran, or why rows were
    /// streamed. Aggregates that shared a statement list it once.
    pub ran: Vec<String>,
    /// The parts of this part.
    pub children: Vec<Explanation>,
    /// Whether the part was expanded before in the same period; if so, it has no children here.
    pub repeated: bool,
}

/// The rows of an aggregate.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RowsCounted {
    /// The source of the rows.
    pub source: String,
    /// The number of rows within the period that meet every condition.
    pub count: u64,
}

/// Limit: parts of one explanation; further parts are not expanded.
const MAX_PARTS: usize = 2_000;

impl Engine {
    /// Explains an answer: returns the formula's tree with the value of each part, over the
    /// request's whole period and without groups.
    ///
    /// # Errors
    /// The errors of the request or the record.
    pub fn explain(
        &self,
        formula: &Formula,
        inputs: Inputs<'_>,
        request: &Request,
    ) -> Result<Explanation, Vec<Diagnostic>> {
        let request = request.alone();
        let narrowed = self.filtered(formula, &request)?;
        let formula = narrowed.as_deref().unwrap_or(formula);
        // A record has no rows, and partial aggregates may not know their row counts.
        let has_rows = inputs.record.is_none() && inputs.data_source.is_none();
        let counting = has_rows.then(|| CountFormulas::of(self, formula));
        let counts = counting.iter().flat_map(|counting| &counting.formulas);
        let formulas: Vec<&Formula> = std::iter::once(formula).chain(counts).collect();
        self.run(&formulas, inputs, &request, |run| {
            let frame = run.known_frame(formula, run.frame);
            let root = formula.checked.typed.root;
            let mut walk = Walk::new(self, &request, run);
            walk.counting = counting.as_ref();
            walk.part(NodeInFrame { node: NodeRef { owner: Owner::Formula(0), id: root }, frame })
        })
    }
}

pub(super) struct Walk<'w, 'r, 'a> {
    engine: &'w Engine,
    request: &'w Request,
    pub(super) run: &'w mut Run<'r, 'a>,
    counting: Option<&'w CountFormulas>,
    /// The roots of expanded metrics, in their frames.
    seen: BTreeSet<NodeInFrame>,
    parts: usize,
    /// The aggregates whose rows can be listed, by their numbers, with the labels of their parts.
    pub(super) aggregates: Vec<(NodeInFrame, String)>,
}

impl<'w, 'r, 'a> Walk<'w, 'r, 'a> {
    pub(super) fn new(engine: &'w Engine, request: &'w Request, run: &'w mut Run<'r, 'a>) -> Self {
        let (seen, aggregates) = (BTreeSet::new(), Vec::new());
        Self { engine, request, run, counting: None, seen, parts: 0, aggregates }
    }
}

impl Walk<'_, '_, '_> {
    /// Recursion is bounded by the nesting that the checker allows.
    pub(super) fn part(&mut self, at: NodeInFrame) -> Explanation {
        self.parts = self.parts.saturating_add(1);
        let NodeInFrame { node: NodeRef { owner, .. }, frame } = at;
        let node = self.run.evaluator.context.node(at.node);
        let series = self.run.evaluator.series(at.node, frame);
        let value = series.first().cloned().unwrap_or(Value::missing(Reason::NoRows));
        let part = described(self.engine, self.run, self.request, (owner, node));
        let root = |metric| self.run.evaluator.context.root(Owner::Metric(metric));
        let root = part.metric.and_then(root).map(|node| NodeInFrame { node, frame });
        let repeated = root.is_some_and(|root| !self.seen.insert(root));
        let aggregate = self.number(at, part.metric, &part.label);
        let rows = self.rows(at);
        let ran = self.ran(at);
        let children = match node {
            Some(node) if !repeated && self.parts < MAX_PARTS => self.children(at, &node.kind),
            Some(_) | None => Vec::new(),
        };
        let zone = self.run.evaluator.context.calendar.zone();
        // A metric that is one aggregate also carries that aggregate's rows.
        let rows = rows.or_else(|| self.rows_of_metric(part.metric, frame));
        Explanation {
            label: part.label,
            formula: part.formula,
            definition: part.metric.and_then(|metric| self.engine.metric_hash(metric)),
            formatted: crate::format::value(&value, &part.ty, &part.rules, zone),
            null_reason: value.as_missing().map(|missing| missing.reason),
            value,
            ty: part.ty,
            period: self.run.evaluator.first_period(frame).filter(|period| !period.is_always()),
            aggregate,
            rows,
            ran,
            children,
            repeated,
        }
    }

    /// Describes the execution of an aggregate on a database.
    fn ran(&self, at: NodeInFrame) -> Vec<String> {
        let atoms = self.atoms(at.node).into_iter();
        atoms.flat_map(|atom| self.run.evaluator.notes(atom, at.frame)).collect()
    }

    /// Returns the aggregates over rows that a node stands for.
    fn atoms(&self, node: NodeRef) -> Vec<NodeRef> {
        let context = &self.run.evaluator.context;
        let mut found = Vec::new();
        let mut stack = match context.kind(node) {
            Some(Kind::Atom(_)) => vec![node],
            Some(Kind::Placeholder(_, id) | Kind::WeightedAverage(id)) => {
                vec![NodeRef { id: *id, ..node }]
            }
            _ => Vec::new(),
        };
        let mut seen = BTreeSet::new();
        while let Some(node) = stack.pop() {
            match context.kind(node).filter(|_| seen.insert(node)) {
                Some(Kind::Atom(_)) => found.push(node),
                Some(kind) => {
                    let below = crate::check::children(kind).into_iter().rev();
                    stack.extend(below.map(|id| NodeRef { id, ..node }));
                }
                None => {}
            }
        }
        found
    }

    /// Numbers the aggregate that a part stands for. A metric stands for the root of its formula.
    fn number(&mut self, at: NodeInFrame, metric: Option<usize>, label: &str) -> Option<usize> {
        let of_metric =
            metric.and_then(|metric| self.run.evaluator.context.root(Owner::Metric(metric)));
        let atoms = self.atoms(of_metric.unwrap_or(at.node));
        let (first, others) = atoms.split_first()?;
        let context = &self.run.evaluator.context;
        let rows = |node: &NodeRef| match context.kind(*node) {
            Some(Kind::Atom(atom)) => {
                Some((atom.source, atom.date.clone(), atom.condition, atom.population))
            }
            _ => None,
        };
        let is_one = others.iter().all(|other| rows(other) == rows(first));
        if !is_one {
            return None;
        }
        self.aggregates.push((NodeInFrame { node: *first, frame: at.frame }, label.to_owned()));
        self.aggregates.len().checked_sub(1)
    }

    fn rows(&mut self, at: NodeInFrame) -> Option<RowsCounted> {
        let node = *self.atoms(at.node).first()?;
        let Kind::Atom(atom) = self.run.evaluator.context.kind(node)? else { return None };
        let count = self.counting?.count(node)?;
        let series = self.run.evaluator.series(count, at.frame);
        let count = series.first()?.as_number()?.to_u64()?;
        let source = self.engine.schema().source_at(atom.source)?.name.clone();
        Some(RowsCounted { source, count })
    }

    fn rows_of_metric(&mut self, metric: Option<usize>, frame: FrameId) -> Option<RowsCounted> {
        let node = self.run.evaluator.context.root(Owner::Metric(metric?))?;
        self.rows(NodeInFrame { node, frame })
    }

    fn children(&mut self, at: NodeInFrame, kind: &Kind) -> Vec<Explanation> {
        let NodeInFrame { node, frame } = at;
        let below = |id: NodeId, frame| NodeInFrame { node: NodeRef { id, ..node }, frame };
        match kind {
            Kind::Metric(metric) => {
                let root = self.run.evaluator.context.root(Owner::Metric(metric.0));
                let top = root.map(|node| self.part(NodeInFrame { node, frame }));
                // The root of the metric's formula would only repeat the metric's own line.
                top.map_or_else(Vec::new, |top| top.children)
            }
            Kind::Window(window, inner) => match self.run.evaluator.frames.window(*window, frame) {
                Some(moved) => vec![self.part(below(*inner, moved))],
                None => Vec::new(),
            },
            Kind::Growth(window, inner) | Kind::Change(window, inner) => {
                let moved = self.run.evaluator.frames.window(*window, frame);
                let current = self.part(below(*inner, frame));
                let earlier = moved.map(|moved| self.part(below(*inner, moved)));
                std::iter::once(current).chain(earlier).collect()
            }
            Kind::Scoped { value, conditions } => {
                let inner = self.run.evaluator.frames.scoped(node.owner, conditions, frame);
                vec![self.part(below(*value, inner))]
            }
            Kind::Convert { value, to } => {
                let inner = self.run.evaluator.frames.converted(*to, frame);
                vec![self.part(below(*value, inner))]
            }
            Kind::Arithmetic(..)
            | Kind::And(..)
            | Kind::Or(..)
            | Kind::Concat(..)
            | Kind::Default(..) => self.operands(at),
            // Rows and finer periods have many values; only the aggregate's value is shown.
            Kind::Atom(_)
            | Kind::WeightedAverage(_)
            | Kind::Per(_)
            | Kind::Placeholder(..)
            | Kind::Column(_) => Vec::new(),
            Kind::Share(value)
            | Kind::Total { value, .. }
            | Kind::Rank { value, .. }
            | Kind::OverBuckets(_, value) => vec![self.part(below(*value, frame))],
            kind => self.telling(at, &crate::check::children(kind)),
        }
    }

    /// Returns the operands of a run of operators as one flat list.
    fn operands(&mut self, at: NodeInFrame) -> Vec<Explanation> {
        let context = &self.run.evaluator.context;
        let (chain, first) = context.left_chain(at.node);
        let right = |id: &NodeId| {
            let kind = context.kind(NodeRef { id: *id, ..at.node });
            kind.and_then(|kind| crate::check::children(kind).get(1).copied())
        };
        let rights: Vec<NodeId> = chain.iter().rev().filter_map(right).collect();
        let operands: Vec<NodeId> = std::iter::once(first).chain(rights).collect();
        self.telling(at, &operands)
    }

    /// Returns the parts whose values are not already given by their text.
    fn telling(&mut self, at: NodeInFrame, ids: &[NodeId]) -> Vec<Explanation> {
        let mut parts = Vec::new();
        for id in ids {
            let at = NodeInFrame { node: NodeRef { id: *id, ..at.node }, ..at };
            let kind = self.run.evaluator.context.kind(at.node);
            if !matches!(kind, Some(Kind::Constant(_) | Kind::Literal(_)) | None) {
                parts.push(self.part(at));
            }
        }
        parts
    }
}
