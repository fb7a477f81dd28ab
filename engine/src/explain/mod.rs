//! The tree of an answer: every part of its formula with the value it had and the period it spoke
//! of, down to the aggregates over rows.
//!
//! Start at [`Engine::explain`].

#![expect(
    clippy::wildcard_enum_match_arm,
    reason = "most kinds of node have no parts of their own"
)]

use std::collections::BTreeSet;

use crate::calendar::Period;
use crate::check::{Kind, NodeId, TypedNode};
use crate::diagnostics::Diagnostic;
use crate::engine::{Engine, Formula, Inputs, Request, Run};
use crate::evaluate::Owner;
use crate::format::FormatRules;
use crate::types::{DeclaredType, Reason, Type, Value};

/// One part of an answer.
#[derive(Debug, Clone, PartialEq)]
pub struct Explanation {
    /// The part of the formula, or the metric's key.
    pub label: String,
    /// The metric's formula, where the part is a metric.
    pub formula: Option<String>,
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
    /// What it is made of.
    pub children: Vec<Explanation>,
    /// Whether it was opened before in the same period; then it has no children here.
    pub repeated: bool,
}

/// Parts of one explanation; past this many nothing is opened.
const MAX_PARTS: usize = 2_000;

impl Engine {
    /// Opens an answer: the formula's tree with the value of each part, over the request's whole
    /// period and without groups.
    pub fn explain(
        &self,
        formula: &Formula,
        inputs: Inputs<'_>,
        request: &Request,
    ) -> Result<Explanation, Vec<Diagnostic>> {
        let request = Request { by: None, group_by: Vec::new(), compare: None, ..request.clone() };
        self.run(&[formula], inputs, &request, |run| {
            let frame = run.frame;
            let root = formula.checked.typed.root;
            let mut walk =
                Walk { engine: self, request: &request, run, seen: BTreeSet::new(), parts: 0 };
            walk.part(Owner::Asked(0), root, frame)
        })
    }
}

struct Walk<'w, 'r, 'a> {
    engine: &'w Engine,
    request: &'w Request,
    run: &'w mut Run<'r, 'a>,
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
        let (label, formula, rules, declared) = self.name(owner, node);
        let ty = node.map_or(Type::Null, |node| node.ty.clone());
        let ty = self.engine.in_request(ty, self.request);
        let ty = declared.map_or(ty.clone(), |declared| declared.shown(ty));
        let opened = match node.map(|node| &node.kind) {
            Some(Kind::Metric(metric)) => !self.seen.insert((metric.0, frame)),
            Some(_) | None => false,
        };
        let children = match node {
            Some(node) if !opened && self.parts < MAX_PARTS => {
                self.children(owner, id, node, frame)
            }
            Some(_) | None => Vec::new(),
        };
        Explanation {
            label,
            formula,
            formatted: crate::format::value(&value, &ty, &rules, self.run.calendar.zone()),
            null_reason: value.as_missing().map(|missing| missing.reason),
            value,
            ty,
            period: self
                .run
                .evaluator
                .first_period(frame)
                .filter(|period| *period != Period::ALWAYS),
            children,
            repeated: opened,
        }
    }

    /// What a part is called, and for a metric its formula and how it is shown.
    fn name(
        &self,
        owner: Owner,
        node: Option<&TypedNode>,
    ) -> (String, Option<String>, FormatRules, Option<DeclaredType>) {
        let metric = match node.map(|node| &node.kind) {
            Some(Kind::Metric(id)) => self.engine.metrics().get(id.0),
            Some(_) | None => None,
        };
        if let Some(metric) = metric {
            let formula = one_line(&metric.formula);
            return (metric.key.clone(), Some(formula), metric.format.clone(), metric.data_type);
        }
        let text = self.run.evaluator.typed(owner).map_or("", |typed| &typed.text);
        let label = node.map_or("", |node| node.span.slice(text));
        (one_line(label), None, FormatRules::default(), None)
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

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
