//! The tree of an answer: every part of its formula with the value it had and the period it spoke
//! of, down to the aggregates over rows.
//!
//! Start at [`Engine::explain`].

#![expect(
    clippy::wildcard_enum_match_arm,
    reason = "most kinds of node have no parts of their own"
)]

use std::collections::BTreeSet;

use rust_decimal::prelude::ToPrimitive;

use super::counting::CountFormulas;
use super::described::described;
use crate::calendar::Period;
use crate::check::{Kind, NodeId, TypedNode};
use crate::diagnostics::Diagnostic;
use crate::engine::{Engine, Formula, Inputs, Request, Run};
use crate::evaluate::Owner;
use crate::types::{Reason, Type, Value};

/// One part of an answer.
#[derive(Debug, Clone, PartialEq)]
pub struct Explanation {
    /// The part of the formula, or the metric's key.
    pub label: String,
    /// The metric's formula, where the part is a metric.
    pub formula: Option<String>,
    /// The SHA-256 of the metric's meaning, where the part is a metric; see [`Engine::definition_hash`].
    pub definition: Option<String>,
    /// Its value.
    pub value: Value,
    /// Its type with its unit.
    pub ty: Type,
    /// Its value as people read it.
    pub formatted: String,
    /// Why it has no value.
    pub null_reason: Option<Reason>,
    /// The period it speaks of; `None` for a record without one.
    pub period: Option<Period>,
    /// The rows it was computed from, where the part is an aggregate.
    pub rows: Option<RowsCounted>,
    /// How a database came to it, where the part is an aggregate: the statements that ran, or why
    /// rows were brought out. Aggregates that shared a statement have it once.
    pub ran: Vec<String>,
    /// What it is made of.
    pub children: Vec<Explanation>,
    /// Whether it was opened before in the same period; then it has no children here.
    pub repeated: bool,
}

/// The rows below an aggregate.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RowsCounted {
    /// Of which source.
    pub source: String,
    /// How many met every condition within the period.
    pub count: u64,
}

/// Parts of one explanation; past this many nothing is opened.
const MAX_PARTS: usize = 2_000;

impl Engine {
    /// Opens an answer: the formula's tree with the value of each part, over the request's whole
    /// period and without groups.
    ///
    /// # Errors
    /// What the request or a record is refused for.
    pub fn explain(
        &self,
        formula: &Formula,
        inputs: Inputs<'_>,
        request: &Request,
    ) -> Result<Explanation, Vec<Diagnostic>> {
        let request = request.alone();
        // No row stands behind a record's values, and states need not know how many did.
        let has_rows = inputs.record.is_none() && inputs.supply.is_none();
        let counting = has_rows.then(|| CountFormulas::of(self, formula));
        let counts = counting.iter().flat_map(|counting| &counting.formulas);
        let asked: Vec<&Formula> = std::iter::once(formula).chain(counts).collect();
        self.run(&asked, inputs, &request, |run| {
            let frame = run.frame;
            let root = formula.checked.typed.root;
            let mut walk = Walk {
                engine: self,
                request: &request,
                run,
                counting: counting.as_ref(),
                seen: BTreeSet::new(),
                parts: 0,
            };
            walk.part(Owner::Asked(0), root, frame)
        })
    }
}

struct Walk<'w, 'r, 'a> {
    engine: &'w Engine,
    request: &'w Request,
    run: &'w mut Run<'r, 'a>,
    counting: Option<&'w CountFormulas>,
    /// Metrics opened, with their frames.
    seen: BTreeSet<(usize, usize)>,
    parts: usize,
}

impl Walk<'_, '_, '_> {
    /// Recursion is as deep as the checker allows nesting.
    fn part(&mut self, owner: Owner, id: NodeId, frame: usize) -> Explanation {
        self.parts = self.parts.saturating_add(1);
        let node = self.run.evaluator.node(owner, id);
        let cells = self.run.evaluator.cells(owner, id, frame);
        let value = cells.first().cloned().unwrap_or(Value::missing(Reason::NoRows));
        let part = described(self.engine, self.run, self.request, (owner, node));
        let repeated = part.metric.is_some_and(|metric| !self.seen.insert((metric, frame)));
        let rows = self.rows(owner, id, frame);
        let ran = self.ran(owner, id, frame);
        let children = match node {
            Some(node) if !repeated && self.parts < MAX_PARTS => {
                self.children(owner, id, node, frame)
            }
            Some(_) | None => Vec::new(),
        };
        let zone = self.run.calendar.zone();
        // The line of a metric that is one aggregate speaks for that aggregate too.
        let rows = rows.or_else(|| self.rows_of_metric(part.metric, frame));
        Explanation {
            label: part.label,
            formula: part.formula,
            definition: part.metric.and_then(|metric| self.engine.metric_hash(metric)),
            formatted: crate::format::value(&value, &part.ty, &part.rules, zone),
            null_reason: value.as_missing().map(|missing| missing.reason),
            value,
            ty: part.ty,
            period: self
                .run
                .evaluator
                .first_period(frame)
                .filter(|period| *period != Period::ALWAYS),
            rows,
            ran,
            children,
            repeated,
        }
    }

    /// How a database came to an aggregate.
    fn ran(&mut self, owner: Owner, id: NodeId, frame: usize) -> Vec<String> {
        match self.run.evaluator.node(owner, id).map(|node| &node.kind) {
            Some(Kind::Atom(_)) => self.run.evaluator.notes(owner, id, frame),
            Some(Kind::Placeholder(_, inner)) => self.run.evaluator.notes(owner, *inner, frame),
            _ => Vec::new(),
        }
    }

    /// The rows below an aggregate.
    fn rows(&mut self, owner: Owner, id: NodeId, frame: usize) -> Option<RowsCounted> {
        let (atom, id) = match &self.run.evaluator.node(owner, id)?.kind {
            Kind::Atom(atom) => (atom, id),
            Kind::Placeholder(_, inner) => match &self.run.evaluator.node(owner, *inner)?.kind {
                Kind::Atom(atom) => (atom, *inner),
                _ => return None,
            },
            _ => return None,
        };
        let (counting, count) = self.counting?.count(owner, id)?;
        let cells = self.run.evaluator.cells(counting, count, frame);
        let count = cells.first()?.as_number()?.to_u64()?;
        let source = self.engine.schema().source_at(atom.source)?.name.clone();
        Some(RowsCounted { source, count })
    }

    fn rows_of_metric(&mut self, metric: Option<usize>, frame: usize) -> Option<RowsCounted> {
        let owner = Owner::Metric(metric?);
        let root = self.run.evaluator.typed(owner)?.root;
        self.rows(owner, root, frame)
    }

    fn children(
        &mut self,
        owner: Owner,
        id: NodeId,
        node: &TypedNode,
        frame: usize,
    ) -> Vec<Explanation> {
        match &node.kind {
            Kind::Metric(metric) => {
                let owner = Owner::Metric(metric.0);
                let root = self.run.evaluator.typed(owner).map(|typed| typed.root);
                let top = root.map(|root| self.part(owner, root, frame));
                // The metric's own line has said what the line of its formula would say again.
                top.map_or_else(Vec::new, |top| top.children)
            }
            Kind::Window(window, inner) => match self.run.evaluator.window_frame(*window, frame) {
                Some(moved) => vec![self.part(owner, *inner, moved)],
                None => Vec::new(),
            },
            Kind::Growth(window, inner) | Kind::Change(window, inner) => {
                let moved = self.run.evaluator.window_frame(*window, frame);
                let current = self.part(owner, *inner, frame);
                let earlier = moved.map(|moved| self.part(owner, *inner, moved));
                std::iter::once(current).chain(earlier).collect()
            }
            Kind::Scoped { value, conditions } => {
                let inner = self.run.evaluator.scoped_frame(owner, conditions, frame);
                vec![self.part(owner, *value, inner)]
            }
            Kind::Convert { value, to } => {
                let inner = self.run.evaluator.converted_frame(*to, frame);
                vec![self.part(owner, *value, inner)]
            }
            Kind::Arithmetic(..)
            | Kind::And(..)
            | Kind::Or(..)
            | Kind::Concat(..)
            | Kind::Default(..) => self.operands(owner, id, frame),
            // Rows and finer periods have many values; the aggregate's own is the answer.
            Kind::Atom(_) | Kind::Per(_) | Kind::Placeholder(..) | Kind::Column(_) => Vec::new(),
            Kind::Share(value) | Kind::Total { value, .. } | Kind::Rank { value, .. } => {
                vec![self.part(owner, *value, frame)]
            }
            kind => self.telling(owner, &crate::check::children(kind), frame),
        }
    }

    /// The operands of a run of operators, side by side.
    fn operands(&mut self, owner: Owner, id: NodeId, frame: usize) -> Vec<Explanation> {
        let (chain, first) = self.run.evaluator.left_chain(owner, id);
        let right = |id: &NodeId| {
            let kind = self.run.evaluator.node(owner, *id).map(|node| &node.kind);
            kind.and_then(|kind| crate::check::children(kind).get(1).copied())
        };
        let rights: Vec<NodeId> = chain.iter().rev().filter_map(right).collect();
        let operands: Vec<NodeId> = std::iter::once(first).chain(rights).collect();
        self.telling(owner, &operands, frame)
    }

    /// Parts that say more than their own text does.
    fn telling(&mut self, owner: Owner, ids: &[NodeId], frame: usize) -> Vec<Explanation> {
        let mut parts = Vec::new();
        for id in ids {
            let kind = self.run.evaluator.node(owner, *id).map(|node| &node.kind);
            if !matches!(kind, Some(Kind::Constant(_) | Kind::Literal(_)) | None) {
                parts.push(self.part(owner, *id, frame));
            }
        }
        parts
    }
}
