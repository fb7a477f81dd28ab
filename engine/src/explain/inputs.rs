//! The inputs of a formula: the nodes at which its tree is cut, with their values.

#![expect(
    clippy::wildcard_enum_match_arm,
    reason = "a node that is not opened is an input, whatever it is"
)]

use std::collections::BTreeSet;
use std::fmt::Write;

use super::labels::described;
use crate::check::{Kind, NodeId, Window, children, fingerprint, is_operation};
use crate::engine::{Engine, Request, Run};
use crate::evaluate::{AmountCurrency, FrameId, NodeInFrame, NodeRef, Owner};
use crate::format::FormatRules;
use crate::schema::SourceId;
use crate::source::one_line;
use crate::types::{Reason, Type, Value};

/// An input of a formula.
pub(super) struct Component {
    /// What identifies it wherever it occurs: the filters around it and its fingerprint.
    key: (String, String),
    pub(super) label: String,
    pub(super) formula: Option<String>,
    pub(super) ty: Type,
    pub(super) rules: FormatRules,
    pub(super) value: Value,
    /// The currency of an amount that keeps the currency of its rows.
    pub(super) currency: AmountCurrency,
    /// Whether it is a constant of the formula; an amount may still change with its exchange rate.
    pub(super) is_constant: bool,
    /// All places where it occurs.
    pub(super) places: Vec<NodeInFrame>,
}

/// The depth to which a formula is expanded.
#[derive(Clone, Copy)]
pub(super) struct Depth<'d> {
    /// Levels of metrics: 1 stops at those that the formula names.
    pub(super) levels: usize,
    /// Whether a record gives a value for this name.
    pub(super) is_given: &'d dyn Fn(&str) -> bool,
    /// Whether values come from a record. If not, other periods can be evaluated; a record has them
    /// under separate names.
    pub(super) has_record: bool,
}

/// A node still to expand or keep.
struct PendingNode {
    place: NodeInFrame,
    levels: usize,
    /// Whether only names, windows and filters surround the node.
    is_outermost: bool,
    /// The filters around the node, as keys and as text.
    context: (String, String),
}

/// Finds the inputs of a run's first formula in a frame, in order of the text.
pub(super) fn inputs(
    engine: &Engine,
    run: &mut Run<'_, '_>,
    request: &Request,
    (root, depth): (NodeInFrame, Depth<'_>),
) -> Vec<Component> {
    let mut walk = Walk { engine, run, request, depth, found: Vec::new(), seen: BTreeSet::new() };
    let first = PendingNode {
        place: root,
        levels: depth.levels,
        is_outermost: true,
        context: (String::new(), String::new()),
    };
    let mut pending = vec![first];
    while let Some(open) = pending.pop() {
        if !walk.seen.insert(open.place) {
            continue;
        }
        match walk.opened(&open) {
            Some(below) => pending.extend(below.into_iter().rev()),
            None => walk.keep(open),
        }
    }
    walk.found
}

/// Returns whether two runs have the same inputs.
pub(super) fn are_alike(left: &[Component], right: &[Component]) -> bool {
    left.len() == right.len() && left.iter().zip(right).all(|(left, right)| left.key == right.key)
}

struct Walk<'w, 'r, 'a, 'd> {
    engine: &'w Engine,
    run: &'w mut Run<'r, 'a>,
    request: &'w Request,
    depth: Depth<'d>,
    found: Vec<Component>,
    seen: BTreeSet<NodeInFrame>,
}

impl PendingNode {
    /// A child of this node, with the same context.
    fn below(&self, id: NodeId, frame: FrameId) -> Self {
        self.at(NodeInFrame { node: NodeRef { id, ..self.place.node }, frame })
    }

    /// Another node, with the same context.
    fn at(&self, place: NodeInFrame) -> Self {
        Self { place, context: self.context.clone(), ..*self }
    }
}

impl Walk<'_, '_, '_, '_> {
    /// Returns the operands of a node; `None` if the node is itself an input.
    fn opened(&mut self, open: &PendingNode) -> Option<Vec<PendingNode>> {
        let NodeInFrame { node, frame } = open.place;
        let below = |id: NodeId, frame: FrameId| open.below(id, frame);
        match self.run.evaluator.context.kind(node)? {
            Kind::Metric(metric) => self.metric(open, metric.0),
            Kind::Shared(inner) => Some(vec![below(*inner, frame)]),
            Kind::Scoped { value, conditions } => self.scoped(open, *value, conditions),
            Kind::Window(window, inner) if open.is_outermost && !self.depth.has_record => {
                let moved = self.run.evaluator.frames.window(*window, frame)?;
                Some(vec![below(*inner, moved)])
            }
            Kind::Growth(window, inner) | Kind::Change(window, inner)
                if open.is_outermost && !self.depth.has_record =>
            {
                self.both_periods(open, *window, *inner)
            }
            kind if is_operation(kind) => {
                let inner = |id: NodeId| PendingNode { is_outermost: false, ..below(id, frame) };
                Some(children(kind).into_iter().map(inner).collect())
            }
            _ => None,
        }
    }

    /// Returns a value in its own period and in an earlier one, if the two differ.
    fn both_periods(
        &mut self,
        open: &PendingNode,
        window: Window,
        inner: NodeId,
    ) -> Option<Vec<PendingNode>> {
        let frame = open.place.frame;
        let moved = self.run.evaluator.frames.window(window, frame)?;
        let in_frame = |frame| PendingNode { is_outermost: false, ..open.below(inner, frame) };
        let mut earlier = in_frame(moved);
        earlier.context.0.push_str("earlier;");
        earlier.context.1.push_str(", earlier");
        (moved != frame).then(|| vec![in_frame(frame), earlier])
    }

    /// Returns the formula of a metric, unless the depth or a record makes the metric an input.
    fn metric(&self, open: &PendingNode, metric: usize) -> Option<Vec<PendingNode>> {
        let key = self.engine.metrics().get(metric).map(|metric| metric.key.as_str());
        let levels = if open.is_outermost { open.levels } else { open.levels.checked_sub(1)? };
        if levels == 0 || key.is_none_or(|key| (self.depth.is_given)(key)) {
            return None;
        }
        let context = &self.run.evaluator.context;
        let root = context.root(Owner::Metric(metric))?;
        let kind = context.kind(root);
        // The metric's name is the better label for a single aggregate.
        if matches!(kind, Some(Kind::Atom(_) | Kind::Per(_) | Kind::Placeholder(..))) {
            return None;
        }
        let place = NodeInFrame { node: root, ..open.place };
        Some(vec![PendingNode { levels, ..open.at(place) }])
    }

    /// Returns the operand of a condition, in the frame that the condition makes.
    fn scoped(
        &mut self,
        open: &PendingNode,
        value: NodeId,
        conditions: &[(SourceId, NodeId)],
    ) -> Option<Vec<PendingNode>> {
        let owner = open.place.node.owner;
        let inner = self.run.evaluator.frames.scoped(owner, conditions, open.place.frame);
        let typed = self.run.evaluator.context.typed(owner)?;
        let mut narrowed = open.below(value, inner);
        for (source, condition) in conditions {
            let words = fingerprint(typed, *condition, 0);
            write!(narrowed.context.0, "{} {words};", source.0).ok();
        }
        let condition = conditions.first().and_then(|(_, id)| typed.nodes.get(id.0));
        let words = condition.map_or("", |node| node.span.slice(&typed.text));
        write!(narrowed.context.1, " where {}", one_line(words)).ok();
        Some(vec![narrowed])
    }

    /// Adds an input with its value, once for all its places.
    fn keep(&mut self, open: PendingNode) {
        let NodeInFrame { node, frame } = open.place;
        let NodeRef { owner, id } = node;
        let Some(typed) = self.run.evaluator.context.typed(owner) else { return };
        let key = (open.context.0, fingerprint(typed, id, 0));
        if let Some(known) = self.found.iter_mut().find(|known| known.key == key) {
            known.places.push(open.place);
            return;
        }
        let typed = self.run.evaluator.context.node(node);
        let part = described(self.engine, self.run, self.request, (owner, typed));
        let series = self.run.evaluator.series(node, frame);
        self.found.push(Component {
            key,
            label: format!("{}{}", part.label, open.context.1),
            formula: part.formula,
            ty: part.ty,
            rules: part.rules,
            value: series.first().cloned().unwrap_or(Value::missing(Reason::NoRows)),
            currency: self.run.evaluator.currency(node, frame),
            is_constant: matches!(
                typed.map(|node| &node.kind),
                Some(Kind::Constant(_) | Kind::Literal(_))
            ),
            places: vec![open.place],
        });
    }
}
