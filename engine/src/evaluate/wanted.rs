//! Which atoms an evaluation will ask for, frame by frame, so that a supply can answer those that
//! share their rows at once.

use std::collections::{BTreeMap, BTreeSet};

use super::evaluator::Evaluator;
use super::frame::{Owner, Part};
use crate::check::{Atom, Kind, NodeId, children};

/// Atoms by the frame they are computed in.
type Wanted = BTreeMap<usize, Vec<(Owner, NodeId)>>;

/// What a supply is told of an evaluation, and what it has said.
#[derive(Debug, Default)]
pub(crate) struct Supplying {
    /// Formulas that are about to be computed, each in a frame.
    expected: Vec<(Owner, usize)>,
    /// Their atoms, once a supply has asked for them.
    wanted: Option<Wanted>,
    /// By atom and frame how the supply came to its cells.
    pub(super) notes: BTreeMap<(u128, usize), Vec<String>>,
    /// Group tuples by what was asked for them.
    pub(crate) recalled: BTreeMap<String, Vec<Vec<Part>>>,
}

impl<'a> Evaluator<'a> {
    /// Says that formulas are about to be computed in a frame.
    pub(crate) fn expect(&mut self, owners: &[Owner], frame: usize) {
        self.supplying.expected.extend(owners.iter().map(|owner| (*owner, frame)));
        self.supplying.wanted = None;
    }

    /// Other atoms that will be asked for in the frame and have not been computed yet.
    pub(crate) fn wanted_beside(
        &mut self,
        (owner, id): (Owner, NodeId),
        frame: usize,
    ) -> Vec<(Owner, NodeId, &'a Atom)> {
        // A record's values stand in for whatever they name.
        if self.context.record.is_some() {
            return Vec::new();
        }
        let wanted = match self.supplying.wanted.take() {
            Some(wanted) => wanted,
            None => self.walk(),
        };
        let mut known = BTreeSet::new();
        known.extend(self.shape(owner, id).map(|shape| shape.number));
        let mut found = Vec::new();
        for (owner, id) in wanted.get(&frame).into_iter().flatten() {
            let Some(shape) = self.shape(*owner, *id) else { continue };
            let key = (shape.number, frame);
            if self.atoms.contains_key(&key) || !known.insert(key.0) {
                continue;
            }
            if let Some(Kind::Atom(atom)) = self.node(*owner, *id).map(|node| &node.kind) {
                found.push((*owner, *id, &**atom));
            }
        }
        self.supplying.wanted = Some(wanted);
        found
    }

    /// Follows the expected formulas through the frames that windows, filters and conversions make;
    /// what is computed in frames of other buckets or groups is left to be asked for alone.
    fn walk(&mut self) -> Wanted {
        let mut wanted = Wanted::new();
        let mut seen = BTreeSet::new();
        let mut stack: Vec<(Owner, NodeId, usize)> = Vec::new();
        for (owner, frame) in self.supplying.expected.clone().into_iter().rev() {
            stack.extend(self.typed(owner).map(|typed| (owner, typed.root, frame)));
        }
        while let Some((owner, id, frame)) = stack.pop() {
            if !seen.insert((owner, id, frame)) {
                continue;
            }
            let Some(node) = self.node(owner, id) else { continue };
            match &node.kind {
                Kind::Atom(_) => wanted.entry(frame).or_default().push((owner, id)),
                Kind::Metric(metric) => {
                    let owner = Owner::Metric(metric.0);
                    stack.extend(self.typed(owner).map(|typed| (owner, typed.root, frame)));
                }
                Kind::Window(window, inner) => {
                    let moved = self.window_frame(*window, frame);
                    stack.extend(moved.map(|moved| (owner, *inner, moved)));
                }
                Kind::Growth(window, inner) | Kind::Change(window, inner) => {
                    let moved = self.window_frame(*window, frame);
                    stack.extend(moved.map(|moved| (owner, *inner, moved)));
                    stack.push((owner, *inner, frame));
                }
                Kind::Scoped { value, conditions } => {
                    let inner = self.scoped_frame(owner, conditions, frame);
                    stack.push((owner, *value, inner));
                }
                Kind::Convert { value, to } => {
                    let inner = self.converted_frame(*to, frame);
                    stack.push((owner, *value, inner));
                }
                Kind::Total { .. } | Kind::Per(_) => {}
                kind => {
                    let below = children(kind).into_iter().rev();
                    stack.extend(below.map(|child| (owner, child, frame)));
                }
            }
        }
        wanted
    }
}
