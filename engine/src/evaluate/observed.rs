//! Rows one by one, for whoever keeps what they add up to: the rows that meet conditions, their
//! values and columns; and conditions over values that are given instead of rows.

use std::rc::Rc;

use super::evaluator::Evaluator;
use super::frame::Owner;
use super::rows::Batch;
use super::vector::Vector;
use crate::calendar::Calendar;
use crate::check::{Kind, NodeId};
use crate::schema::{Path, SourceId};
use crate::types::{Reason, Value};

/// What is observed of each row.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Measured {
    /// The row itself.
    Rows,
    /// The value of the atom at a node, in one currency if the store says so.
    Value(Owner, NodeId),
    /// Whether a condition holds.
    Truth(Owner, NodeId),
}

/// Rows of a source, in order of a date if there is one.
#[derive(Debug)]
pub(crate) struct Observed {
    pub(crate) rows: Vec<u32>,
    pub(crate) value: Option<Gathered>,
    /// The path to the source's own key.
    pub(crate) key: Option<Path>,
}

/// One value for each row.
#[derive(Debug)]
pub(crate) struct Gathered(Rc<Vector>);

impl Gathered {
    pub(crate) fn value(&self, index: usize) -> Value {
        self.0.value(index)
    }

    /// The digits after the point, where all rows have the same.
    pub(crate) fn scale(&self) -> Option<u32> {
        match &*self.0 {
            Vector::Scaled { scale, .. } => Some(*scale),
            Vector::Same(_)
            | Vector::Codes { .. }
            | Vector::Truth(_)
            | Vector::Flags(_)
            | Vector::Instants(_)
            | Vector::Values(_) => None,
        }
    }
}

/// Values that stand in for columns of a source.
#[derive(Debug)]
pub(super) struct StandIn {
    source: SourceId,
    columns: Vec<(Path, Vec<Value>)>,
}

impl StandIn {
    pub(super) fn gather(&self, source: SourceId, path: &Path, rows: &[u32]) -> Option<Vector> {
        let (_, values) =
            self.columns.iter().find(|(own, _)| self.source == source && own == path)?;
        let value = |row: &u32| {
            let found = usize::try_from(*row).ok().and_then(|row| values.get(row));
            found.cloned().unwrap_or(Value::missing(Reason::NullValue))
        };
        Some(Vector::Values(rows.iter().map(value).collect()))
    }
}

impl<'a> Evaluator<'a> {
    /// The rows of a source that meet conditions, in the frame of the request; rows without the
    /// date are left out.
    pub(crate) fn observe(
        &mut self,
        (source, date): (SourceId, Option<&Path>),
        conditions: &[(Owner, NodeId)],
        measured: Measured,
    ) -> Observed {
        let placed = self.placed(source, date);
        let whole = (0, placed.rows().len());
        let selection = self.selection((source, 0), conditions, &placed, (whole, 0));
        let batch = |owner: Owner| Batch {
            owner,
            source,
            rows: selection.rows(),
            selection: Some(&selection),
            frame: 0,
            bucket: 0,
        };
        let value = match measured {
            Measured::Rows => None,
            Measured::Truth(owner, id) => {
                let truths = self.rows(&batch(owner), id).truths(selection.len()).into_owned();
                Some(Rc::new(Vector::Truth(truths)))
            }
            Measured::Value(owner, id) => match self.node(owner, id).map(|node| &node.kind) {
                Some(Kind::Atom(atom)) => atom.value.map(|value| {
                    let vector = self.rows(&batch(owner), value);
                    self.in_one_currency(&batch(owner), (atom, value), &selection, vector).0
                }),
                _ => None,
            },
        };
        let rows = selection.rows().to_vec();
        let key = self.schema().source_at(source).and_then(|table| table.key).map(Path::field);
        Observed { rows, value: value.map(Gathered), key }
    }

    /// A column of these rows, behind links or not.
    pub(crate) fn column(&mut self, source: SourceId, path: &Path, rows: &[u32]) -> Gathered {
        let owner = Owner::Asked(0);
        let batch = Batch { owner, source, rows, selection: None, frame: 0, bucket: 0 };
        Gathered(Rc::new(self.gather(&batch, path)))
    }

    /// Whether a condition holds for each of `count` rows that have these columns and no others.
    pub(crate) fn holds_for(
        &mut self,
        (owner, condition): (Owner, NodeId),
        source: SourceId,
        columns: Vec<(Path, Vec<Value>)>,
        count: usize,
    ) -> Vec<bool> {
        let rows: Vec<u32> = (0..u32::try_from(count).unwrap_or(u32::MAX)).collect();
        self.stand_in = Some(StandIn { source, columns });
        let batch = Batch { owner, source, rows: &rows, selection: None, frame: 0, bucket: 0 };
        let truth = self.rows(&batch, condition).truths(rows.len()).into_owned();
        self.stand_in = None;
        truth
    }

    pub(crate) fn calendar(&self) -> &'a Calendar {
        self.context.calendar
    }
}
