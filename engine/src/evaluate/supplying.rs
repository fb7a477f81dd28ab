//! What a supply needs of the evaluator that asks it: frames, conditions, constants of rows, and
//! scans over rows that it brought itself.

use std::rc::Rc;

use super::atoms::Site;
use super::evaluator::Evaluator;
use super::frame::{Frame, Owner};
use super::rows::Batch;
use crate::check::{Atom, NodeId, Typed};
use crate::schema::SourceId;
use crate::types::Value;

impl<'a> Evaluator<'a> {
    /// The value in one bucket of a part of a row's expression that is the same for all rows.
    pub(crate) fn row_constant(
        &mut self,
        (owner, id): (Owner, NodeId),
        source: SourceId,
        (frame, bucket): (usize, usize),
    ) -> Value {
        let batch = Batch { owner, source, rows: &[0], selection: None, frame, bucket };
        self.rows(&batch, id).value(0)
    }

    /// The frame without its groups.
    pub(crate) fn whole_frame(&mut self, frame: usize) -> usize {
        let groups = self.whole_groups();
        match self.frame(frame).cloned() {
            Some(outer) => self.intern(Frame { groups, ..outer }),
            None => frame,
        }
    }

    /// The frame without its groups and as amounts are: what is computed inside rows is not
    /// converted, only the value above the row.
    pub(crate) fn inner_frame(&mut self, frame: usize) -> usize {
        let groups = self.whole_groups();
        match self.frame(frame).cloned() {
            Some(outer) => self.intern(Frame { groups, currency: None, ..outer }),
            None => frame,
        }
    }

    /// Everything that narrows an atom in a frame.
    pub(crate) fn atom_conditions(
        &self,
        (owner, atom): (Owner, &Atom),
        frame: usize,
    ) -> Vec<(Owner, NodeId)> {
        self.conditions(&Site { owner, atom, frame })
    }

    /// What narrows the groups of an atom too.
    pub(crate) fn standing_conditions(
        &self,
        (owner, atom): (Owner, &Atom),
        frame: usize,
    ) -> Vec<(Owner, NodeId)> {
        self.standing(&Site { owner, atom, frame })
    }

    /// The formulas of the request.
    pub(crate) fn asked(&self) -> Vec<&'a Typed> {
        self.asked.clone()
    }

    /// Takes a frame of another evaluator over.
    pub(crate) fn adopt(&mut self, frame: Frame) -> usize {
        self.intern(frame)
    }

    /// The cells of an atom by a scan over rows in memory, whoever else could supply them.
    pub(crate) fn scanned(&mut self, owner: Owner, atom: &Atom, frame: usize) -> Vec<Value> {
        self.scan_all(&Site { owner, atom, frame })
    }

    /// The group tuples of an atom by a scan over rows in memory.
    pub(crate) fn scanned_groups(
        &mut self,
        owner: Owner,
        atom: &Atom,
        (frame, keys): (usize, &[super::frame::GroupKey]),
    ) -> Vec<Vec<super::frame::Part>> {
        self.atom_tuples(&Site { owner, atom, frame }, keys)
    }

    /// Keeps how a supply came to the cells of an atom.
    pub(super) fn note(&mut self, (owner, id): (Owner, NodeId), frame: usize, lines: Vec<String>) {
        if let Some(shape) = self.shape(owner, id) {
            self.supplying.notes.insert((shape.number, frame), lines);
        }
    }

    /// How a supply came to the cells of an atom: the statements it ran. Atoms that shared the
    /// statement of another have no lines of their own.
    pub(crate) fn notes(&mut self, owner: Owner, id: NodeId, frame: usize) -> Vec<String> {
        let shape = self.shape(owner, id);
        shape
            .and_then(|shape| self.supplying.notes.get(&(shape.number, frame)).cloned())
            .unwrap_or_default()
    }

    /// Keeps the cells of an atom that was not asked for yet.
    pub(super) fn keep(&mut self, (owner, id): (Owner, NodeId), frame: usize, cells: Vec<Value>) {
        let count = self.frame(frame).map_or(0, Frame::cell_count);
        if let Some(shape) = self.shape(owner, id).filter(|_| cells.len() == count) {
            self.atoms.entry((shape.number, frame)).or_insert_with(|| Rc::new(cells));
        }
    }
}
