//! The values for the slots of a plan, over rows or a record.

use std::rc::Rc;

use super::evaluator::Evaluator;
use super::null_origins::{with_origin, without_origin};
use crate::check::{Key, Kind};
use crate::evaluate::frames::{FrameId, Series};
use crate::plan::slot::{Content, Slot};
use crate::plan::{NodeRef, Site};
use crate::types::{Reason, Value};

/// A slot, and the node that it came from.
#[derive(Clone, Copy)]
struct SlotOfNode<'s> {
    slot: &'s Slot,
    node: NodeRef,
}

impl Evaluator<'_> {
    /// The values of a slot, one for each bucket and group of the frame.
    pub(crate) fn slot_values(&mut self, slot: &Slot, site: &Site, frame: FrameId) -> Series {
        self.around(SlotOfNode { slot, node: site.node }, &site.around, frame)
    }

    /// The values under the nodes around a slot. Recursion is as deep as windows and filters are
    /// nested.
    fn around(&mut self, slot: SlotOfNode<'_>, around: &[NodeRef], frame: FrameId) -> Series {
        let Some((outermost, rest)) = around.split_first() else {
            return self.at_its_place(slot, frame);
        };
        match self.context.kind(*outermost) {
            Some(
                Kind::Window(window, operand)
                | Kind::Growth(window, operand)
                | Kind::Change(window, operand),
            ) => {
                let operand = NodeRef { id: *operand, ..*outermost };
                if self.lacks_other_periods(*outermost, operand, *window, frame) {
                    return self.missing_in_window(*outermost, Reason::MissingInput, frame);
                }
                match self.frames.window(*window, frame) {
                    Some(moved) => self.around(slot, rest, moved),
                    None => self.missing_in_window(*outermost, Reason::NoCoverage, frame),
                }
            }
            Some(Kind::Scoped { conditions, .. }) => {
                let inner = self.frames.scoped(outermost.owner, conditions, frame);
                self.around(slot, rest, inner)
            }
            Some(Kind::Convert { to, .. }) => {
                let inner = self.frames.converted(*to, frame);
                self.around(slot, rest, inner)
            }
            Some(Kind::Total { keep, .. }) => self.total_of_slot(slot, rest, keep, frame),
            Some(Kind::Share(_)) => self.total_of_slot(slot, rest, &[], frame),
            _ => self.frames.missing(frame, Reason::NoRows),
        }
    }

    fn total_of_slot(
        &mut self,
        slot: SlotOfNode<'_>,
        rest: &[NodeRef],
        keep: &[Key],
        frame: FrameId,
    ) -> Series {
        let inner = self.frames.total(keep, frame);
        let totals = self.around(slot, rest, inner);
        let none = Value::missing(Reason::NoRows);
        self.frames.spread(totals, keep, (inner, frame), &none)
    }

    /// Nulls that arose at a window. Formulas that share a slot share their position: the first
    /// window that leads to it.
    fn missing_in_window(&self, call: NodeRef, reason: Reason, frame: FrameId) -> Series {
        with_origin(call.owner, self.context.span(call), self.frames.missing(frame, reason))
    }

    fn at_its_place(&mut self, slot: SlotOfNode<'_>, frame: FrameId) -> Series {
        let SlotOfNode { slot, node } = slot;
        match &slot.content {
            Content::Input(name) => self.input(name, &slot.ty, frame),
            Content::Reach => {
                let Some(frame) = self.frames.get(frame) else { return Series::default() };
                let groups = frame.group_count();
                let periods = frame.buckets.iter().copied().map(Value::period);
                let cells = periods.flat_map(|period| std::iter::repeat_n(period, groups));
                Rc::new(cells.collect())
            }
            _ => {
                // For each formula, a null that arises at the slot arises where that formula
                // contains it.
                let span = self.context.node(node).map(|node| node.span);
                let values = self.series(node, frame);
                without_origin(node.owner, span, values)
            }
        }
    }
}
