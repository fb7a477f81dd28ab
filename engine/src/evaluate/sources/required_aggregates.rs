//! Aggregate pushdown: the atoms that an evaluation will need, by frame, so that a data source can answer atoms
//! over the same rows together.

use std::collections::{BTreeMap, BTreeSet};

use crate::check::{Kind, Shape, children};
use crate::evaluate::context::Context;
use crate::evaluate::frames::{FrameId, Frames, GroupValue};
use crate::plan::{NodeRef, Owner};

/// Atoms by the frame they are computed in.
pub(crate) type RequiredAggregates = BTreeMap<FrameId, Vec<NodeRef>>;

/// Limit: group tuples cached by statement.
const MAX_KEPT_TUPLES: usize = 16_384;

/// The exchange between an evaluation and its data sources.
#[derive(Debug, Default)]
pub(crate) struct Pushdown {
    /// Formulas about to be computed, with their frames.
    expected: Vec<(Owner, FrameId)>,
    /// Their atoms, collected when a data source first asks.
    required: Option<RequiredAggregates>,
    /// By shape and frame, how a data source computed the cells of an atom.
    notes: Vec<((u128, FrameId), Vec<String>)>,
    /// Group tuples by the statement that returned them.
    tuples_by_statement: Vec<(String, Vec<Vec<GroupValue>>)>,
    /// The number of these tuples.
    tuple_count: usize,
}

impl Pushdown {
    /// The group tuples that a statement returned before, if still cached.
    pub(crate) fn known_tuples(&self, statement: &str) -> Option<&Vec<Vec<GroupValue>>> {
        let mut known = self.tuples_by_statement.iter();
        known.find(|(own, _)| own == statement).map(|(_, tuples)| tuples)
    }

    /// Caches the group tuples that a statement returned. Statements are repeated in quick succession, by the atoms of
    /// one frame, so all tuples are dropped when there are too many.
    pub(crate) fn keep_tuples(&mut self, statement: String, tuples: &[Vec<GroupValue>]) {
        self.tuple_count = self.tuple_count.saturating_add(tuples.len());
        if self.tuple_count > MAX_KEPT_TUPLES {
            self.tuples_by_statement.clear();
            self.tuple_count = tuples.len();
        }
        self.tuples_by_statement.push((statement, tuples.to_vec()));
    }

    /// Announces formulas that are about to be computed in a frame.
    pub(crate) fn expect(&mut self, owners: &[Owner], frame: FrameId) {
        self.expected.extend(owners.iter().map(|owner| (*owner, frame)));
        self.required = None;
    }

    /// The atoms that the expected formulas need in a frame.
    pub(crate) fn required(
        &mut self,
        context: &Context<'_>,
        frames: &mut Frames<'_>,
        frame: FrameId,
    ) -> &[NodeRef] {
        let Self { expected, required, .. } = self;
        let required = required.get_or_insert_with(|| find(context, frames, expected));
        required.get(&frame).map_or(&[], Vec::as_slice)
    }

    /// Records how a data source computed the cells of an atom.
    pub(super) fn note(&mut self, shape: Shape, frame: FrameId, lines: Vec<String>) {
        self.notes.push(((shape.number, frame), lines));
    }

    /// How a data source computed the cells of an atom: the statements it ran. An atom that shares another's statement
    /// has no lines of its own.
    pub(crate) fn notes(&self, shape: Shape, frame: FrameId) -> Vec<String> {
        let mut latest = self.notes.iter().rev();
        let own = latest.find(|(key, _)| *key == (shape.number, frame));
        own.map(|(_, lines)| lines.clone()).unwrap_or_default()
    }
}

/// Follows formulas through the frames of windows, filters and conversions. Atoms in frames with other buckets or
/// groups are left out and requested one by one.
fn find(
    context: &Context<'_>,
    frames: &mut Frames<'_>,
    expected: &[(Owner, FrameId)],
) -> RequiredAggregates {
    let mut required = RequiredAggregates::new();
    let mut seen = BTreeSet::new();
    let mut stack: Vec<(NodeRef, FrameId)> = Vec::new();
    for (owner, frame) in expected.iter().rev() {
        stack.extend(context.root(*owner).map(|root| (root, *frame)));
    }
    while let Some((node, frame)) = stack.pop() {
        if !seen.insert((node, frame)) {
            continue;
        }
        let Some(kind) = context.kind(node) else { continue };
        let below = |id| NodeRef { id, ..node };
        match kind {
            Kind::Atom(_) => required.entry(frame).or_default().push(node),
            Kind::Metric(metric) => {
                stack.extend(context.root(Owner::Metric(metric.0)).map(|root| (root, frame)));
            }
            Kind::Window(window, inner) => {
                stack.extend(frames.window(*window, frame).map(|moved| (below(*inner), moved)));
            }
            Kind::Growth(window, inner) | Kind::Change(window, inner) => {
                stack.extend(frames.window(*window, frame).map(|moved| (below(*inner), moved)));
                stack.push((below(*inner), frame));
            }
            Kind::Scoped { value, conditions } => {
                stack.push((below(*value), frames.scoped(node.owner, conditions, frame)));
            }
            Kind::Convert { value, to } => {
                stack.push((below(*value), frames.converted(*to, frame)));
            }
            Kind::Total { .. } | Kind::Per(_) => {}
            kind => stack.extend(children(kind).into_iter().rev().map(|id| (below(id), frame))),
        }
    }
    required
}
