//! What fills the slots of a plan over rows or a record.

use std::rc::Rc;

use super::evaluator::Evaluator;
use super::null_origins::{with_origin, without_origin};
use crate::check::{Kind, NodeId, Window};
use crate::evaluate::frames::{Frame, FrameId, Series};
use crate::plan::slot::{Content, Slot};
use crate::plan::{NodeRef, Owner, Site};
use crate::types::{Reason, Value};

impl Evaluator<'_> {
    /// The values of a slot, one for each bucket and group of the frame.
    pub(crate) fn slot_values(&mut self, slot: &Slot, site: &Site, frame: FrameId) -> Series {
        self.around(slot, (site, &site.around), frame)
    }

    /// Recursion is as deep as windows and filters stand in one another.
    fn around(
        &mut self,
        slot: &Slot,
        (site, around): (&Site, &[(Owner, NodeId)]),
        frame: FrameId,
    ) -> Series {
        let Some(((owner, id), inner)) = around.split_first() else {
            return self.filled(slot, site, frame);
        };
        let (owner, id) = (*owner, *id);
        let rest = (site, inner);
        match self.context.kind(NodeRef { owner, id }) {
            Some(
                Kind::Window(window, operand)
                | Kind::Growth(window, operand)
                | Kind::Change(window, operand),
            ) => self.moved_slot(slot, rest, (owner, id, *operand), (*window, frame)),
            Some(Kind::Scoped { conditions, .. }) => {
                let inner = self.frames.scoped(owner, conditions, frame);
                self.around(slot, rest, inner)
            }
            Some(Kind::Convert { to, .. }) => {
                let inner = self.frames.converted(*to, frame);
                self.around(slot, rest, inner)
            }
            Some(Kind::Total { keep, .. }) => {
                let inner = self.frames.total(keep, frame);
                let totals = self.around(slot, rest, inner);
                self.frames.spread(totals, keep, inner, frame)
            }
            Some(Kind::Share(_)) => {
                let inner = self.frames.total(&[], frame);
                let totals = self.around(slot, rest, inner);
                self.frames.spread(totals, &[], inner, frame)
            }
            _ => self.frames.missing(frame, Reason::NoRows),
        }
    }

    fn moved_slot(
        &mut self,
        slot: &Slot,
        rest: (&Site, &[(Owner, NodeId)]),
        (owner, id, operand): (Owner, NodeId, NodeId),
        (window, frame): (Window, FrameId),
    ) -> Series {
        let reason = if self.lacks_other_periods(
            NodeRef { owner, id },
            NodeRef { owner, id: operand },
            window,
            frame,
        ) {
            Reason::MissingInput
        } else if let Some(moved) = self.frames.window(window, frame) {
            return self.around(slot, rest, moved);
        } else {
            Reason::NoCoverage
        };
        // Formulas that share the slot share the place of this null: the first window that led here.
        let values = self.frames.missing(frame, reason);
        let span = self
            .context
            .node(NodeRef { owner, id })
            .map_or_else(Default::default, |node| node.span);
        with_origin(owner, span, values)
    }

    /// The slot at its own place.
    fn filled(&mut self, slot: &Slot, site: &Site, frame: FrameId) -> Series {
        let (owner, id) = site.node;
        match &slot.content {
            Content::Input(name) => self.input(name, &slot.ty, frame),
            Content::Reach => {
                let Some(place) = self.frames.get(frame) else { return Rc::new(Vec::new()) };
                Rc::new(periods(place))
            }
            _ => {
                // A null that begins at the slot begins, in each formula, where that formula has it.
                let span = self.context.node(NodeRef { owner, id }).map(|node| node.span);
                let values = self.series(NodeRef { owner, id }, frame);
                without_origin(owner, span, values)
            }
        }
    }
}

fn periods(frame: &Frame) -> Vec<Value> {
    let groups = frame.group_count();
    let periods = frame.buckets.iter();
    periods.flat_map(|period| std::iter::repeat_n(Value::Period(*period), groups)).collect()
}
