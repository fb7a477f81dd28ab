//! Finds the groups and the time range of the rows below a formula.

use std::collections::BTreeSet;
use std::rc::Rc;

use jiff::Timestamp;

use super::aggregates::AtomInFrame;
use super::evaluator::Evaluator;
use crate::check::{Atom, Kind, children};
use crate::evaluate::frames::{FrameId, GroupKey, GroupValue, Groups};
use crate::plan::{NodeRef, Owner};
use crate::types::Value;

impl Evaluator<'_> {
    /// Groups a frame by keys; the groups are those that occur in the rows of the formulas, each in a
    /// frame of its own.
    pub(crate) fn grouped_frame(
        &mut self,
        frame: FrameId,
        keys: &[GroupKey],
        owners: &[(Owner, FrameId)],
    ) -> FrameId {
        if keys.is_empty() {
            return frame;
        }
        let keys = keys.to_vec();
        let mut tuples = Vec::new();
        for (owner, own) in owners {
            if let Some(root) = self.context.root(*owner) {
                tuples.extend(self.discover(root, *own, &keys));
            }
        }
        self.frames.grouped(Rc::new(Groups::new(keys, tuples)), frame)
    }

    /// The group values of a frame, in order.
    pub(crate) fn groups(&self, frame: FrameId) -> Vec<Vec<Value>> {
        let tuples = self.frames.get(frame).map_or(&[][..], |frame| &frame.groups.tuples);
        tuples.iter().map(|tuple| tuple.iter().map(GroupValue::to_value).collect()).collect()
    }

    /// The key tuples that occur in the rows of the atoms below, within their periods, populations and filters. An
    /// atom's own condition restricts its value, not its groups.
    pub(super) fn discover(
        &mut self,
        root: NodeRef,
        frame: FrameId,
        keys: &[GroupKey],
    ) -> Vec<Vec<GroupValue>> {
        let mut tuples = Vec::new();
        let mut seen = BTreeSet::new();
        let mut stack = vec![(root, frame)];
        while let Some((node, frame)) = stack.pop() {
            if !seen.insert((node, frame)) {
                continue;
            }
            let Some(kind) = self.context.kind(node) else { continue };
            let below = |id| NodeRef { id, ..node };
            match kind {
                Kind::Atom(atom) => {
                    let supplied = self.supplied_groups(node, atom, frame, keys);
                    let site = AtomInFrame { owner: node.owner, atom, frame };
                    tuples.extend(supplied.unwrap_or_else(|| self.scan_tuples(&site, keys)));
                }
                Kind::Metric(metric) => {
                    let root = self.context.root(Owner::Metric(metric.0));
                    stack.extend(root.map(|root| (root, frame)));
                }
                Kind::Window(window, inner) => {
                    let moved = self.frames.window(*window, frame);
                    stack.extend(moved.map(|moved| (below(*inner), moved)));
                }
                Kind::Growth(window, inner) | Kind::Change(window, inner) => {
                    stack.push((below(*inner), frame));
                    let moved = self.frames.window(*window, frame);
                    stack.extend(moved.map(|moved| (below(*inner), moved)));
                }
                Kind::Scoped { value, conditions } => {
                    let inner = self.frames.scoped(node.owner, conditions, frame);
                    stack.push((below(*value), inner));
                }
                kind => stack.extend(children(kind).into_iter().map(|id| (below(id), frame))),
            }
        }
        tuples.sort_unstable();
        tuples.dedup();
        tuples
    }

    /// The first and the last instant of an atom's rows.
    fn atom_extent(&mut self, atom: &Atom) -> Option<(i64, i64)> {
        let supplied = atom.date.as_ref().and_then(|date| self.supplied_extent(atom.source, date));
        supplied.unwrap_or_else(|| {
            self.row_orders.get(&self.context, atom.source, atom.date.as_ref()).extent()
        })
    }

    /// The time range of the rows below a node: the first instant, and the end (excluded).
    pub(super) fn extent(&mut self, root: NodeRef) -> Option<(Timestamp, Timestamp)> {
        let mut found: Option<(i64, i64)> = None;
        let mut stack = vec![root];
        let mut seen = BTreeSet::new();
        while let Some(node) = stack.pop() {
            if !seen.insert(node) {
                continue;
            }
            let Some(kind) = self.context.kind(node) else { continue };
            match kind {
                Kind::Atom(atom) => {
                    if let Some((first, last)) = self.atom_extent(atom) {
                        let (low, high) = found.unwrap_or((first, last));
                        found = Some((low.min(first), high.max(last)));
                    }
                }
                Kind::Metric(metric) => stack.extend(self.context.root(Owner::Metric(metric.0))),
                kind => stack.extend(children(kind).into_iter().map(|id| NodeRef { id, ..node })),
            }
        }
        let (first, last) = found?;
        let after = last.checked_add(1)?;
        Some((Timestamp::from_microsecond(first).ok()?, Timestamp::from_microsecond(after).ok()?))
    }
}
