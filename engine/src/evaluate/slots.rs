//! What fills the slots of a plan over rows or a record.

use std::rc::Rc;

use super::evaluator::{Cells, Evaluator};
use super::frame::{Frame, Owner};
use crate::check::{Kind, NodeId, Window};
use crate::plan::Site;
use crate::plan::slot::{Content, Slot};
use crate::types::{Reason, Value};

impl Evaluator<'_> {
    /// The values of a slot, one for each bucket and group of the frame.
    pub(crate) fn slot_cells(&mut self, slot: &Slot, site: &Site, frame: usize) -> Cells {
        self.around(slot, (site, &site.around), frame)
    }

    /// Recursion is as deep as windows and filters stand in one another.
    fn around(
        &mut self,
        slot: &Slot,
        (site, around): (&Site, &[(Owner, NodeId)]),
        frame: usize,
    ) -> Cells {
        let Some(((owner, id), inner)) = around.split_first() else {
            return self.filled(slot, site, frame);
        };
        let (owner, id) = (*owner, *id);
        let rest = (site, inner);
        match self.node(owner, id).map(|node| &node.kind) {
            Some(
                Kind::Window(window, operand)
                | Kind::Growth(window, operand)
                | Kind::Change(window, operand),
            ) => self.moved_slot(slot, rest, (owner, id, *operand), (*window, frame)),
            Some(Kind::Scoped { conditions, .. }) => {
                let inner = self.scoped_frame(owner, conditions, frame);
                self.around(slot, rest, inner)
            }
            Some(Kind::Convert { to, .. }) => {
                let inner = self.converted_frame(*to, frame);
                self.around(slot, rest, inner)
            }
            Some(Kind::Total { keep, .. }) => {
                let inner = self.total_frame(keep, frame);
                let totals = self.around(slot, rest, inner);
                self.spread(keep, (frame, inner), totals)
            }
            Some(Kind::Share(_)) => {
                let inner = self.total_frame(&[], frame);
                let totals = self.around(slot, rest, inner);
                self.spread(&[], (frame, inner), totals)
            }
            _ => self.same(frame, &Value::missing(Reason::NoRows)),
        }
    }

    fn moved_slot(
        &mut self,
        slot: &Slot,
        rest: (&Site, &[(Owner, NodeId)]),
        (owner, id, operand): (Owner, NodeId, NodeId),
        (window, frame): (Window, usize),
    ) -> Cells {
        let reason = if self.lacks_other_periods(owner, (id, operand), window, frame) {
            Reason::MissingInput
        } else if let Some(moved) = self.window_frame(window, frame) {
            return self.around(slot, rest, moved);
        } else {
            Reason::NoCoverage
        };
        // Formulas that share the slot share the place of this null: the first window that led here.
        let cells = self.same(frame, &Value::missing(reason));
        let span = self.node(owner, id).map_or_else(Default::default, |node| node.span);
        Self::with_origin(owner, span, cells)
    }

    /// The slot at its own place.
    fn filled(&mut self, slot: &Slot, site: &Site, frame: usize) -> Cells {
        let (owner, id) = site.node;
        match &slot.content {
            Content::Input(name) => self.input(name, &slot.ty, frame),
            Content::Reach => {
                let Some(place) = self.frame(frame) else { return Rc::new(Vec::new()) };
                Rc::new(periods(place))
            }
            _ => {
                let span = self.node(owner, id).map(|node| node.span);
                let cells = self.cells(owner, id, frame);
                own_origins_removed(cells, owner, span)
            }
        }
    }
}

fn periods(frame: &Frame) -> Vec<Value> {
    let groups = frame.group_count();
    let periods = frame.buckets.iter();
    periods.flat_map(|period| std::iter::repeat_n(Value::Period(*period), groups)).collect()
}

/// Nulls that began at the slot's own node begin, in each formula, where that formula has it.
fn own_origins_removed(cells: Cells, owner: Owner, span: Option<crate::source::Span>) -> Cells {
    if !cells.iter().any(Value::is_missing) {
        return cells;
    }
    let metric = match owner {
        Owner::Metric(index) => u32::try_from(index).ok(),
        Owner::Asked(_) => None,
    };
    let mut cells = Rc::unwrap_or_clone(cells);
    for value in &mut cells {
        if let Value::Missing(missing) = value {
            missing.origin = missing
                .origin
                .filter(|origin| (origin.metric, Some(origin.span)) != (metric, span));
        }
    }
    Rc::new(cells)
}
