//! Row-level access for rollups: the rows that meet conditions, and their values.

use std::rc::Rc;

use super::aggregates::AtomInFrame;
use super::evaluator::Evaluator;
use super::row_scan::RowsInBucket;
use crate::check::Kind;
use crate::evaluate::frames::{BucketRef, FrameId};
use crate::evaluate::scan::{OuterValues, RowBatch, Vector, column};
use crate::plan::{NodeRef, Owner};
use crate::schema::{Path, SourceId};
use crate::types::Value;

#[derive(Debug, Clone, Copy)]
pub(crate) enum ObservedMeasure {
    Rows,
    /// The value of the atom at a node, in one currency if the store requires it.
    Value(NodeRef),
    Truth(NodeRef),
}

/// The rows of a source, sorted by date if there is one.
#[derive(Debug)]
pub(crate) struct ObservedRows {
    pub(crate) rows: Vec<u32>,
    pub(crate) value: Option<ColumnValues>,
    pub(crate) key: Option<Path>,
}

/// One value for each row.
#[derive(Debug)]
pub(crate) struct ColumnValues(Rc<Vector>);

impl ColumnValues {
    pub(crate) fn value(&self, index: usize) -> Value {
        self.0.value(index)
    }

    /// The number of digits after the point, if it is the same in all rows.
    pub(crate) fn scale(&self) -> Option<u32> {
        match &*self.0 {
            Vector::Scaled { scale, .. } => Some(*scale),
            _ => None,
        }
    }
}

impl Evaluator<'_> {
    /// The rows of a source that meet conditions, in the frame of the request; rows without the date are omitted.
    pub(crate) fn observed_rows(
        &mut self,
        source: SourceId,
        date: Option<&Path>,
        conditions: &[NodeRef],
        measure: ObservedMeasure,
    ) -> ObservedRows {
        let dated = self.row_orders.get(&self.context, source, date);
        let at = BucketRef { frame: FrameId::REQUEST, bucket: 0 };
        let rows = RowsInBucket { source, dated: &dated, range: dated.all(), at };
        let selection = self.selection(conditions, &rows);
        let value = match measure {
            ObservedMeasure::Rows => None,
            ObservedMeasure::Truth(NodeRef { owner, id }) => {
                let truths = self.values(owner, id, &selection, &rows);
                Some(Rc::new(Vector::Truth(truths.truths(selection.len()).into_owned())))
            }
            ObservedMeasure::Value(node) => match self.context.kind(node) {
                Some(Kind::Atom(atom)) => atom.value.map(|value| {
                    let site = AtomInFrame { owner: node.owner, atom, frame: at.frame };
                    self.amounts(&site, value, &selection, &rows).values
                }),
                _ => None,
            },
        };
        let key = self.context.schema.source_at(source).and_then(|table| table.key);
        ObservedRows {
            rows: selection.rows().to_vec(),
            value: value.map(ColumnValues),
            key: key.map(Path::field),
        }
    }

    /// A column of these rows, directly or through links.
    pub(crate) fn column(&self, source: SourceId, path: &Path, rows: &[u32]) -> ColumnValues {
        let at = BucketRef { frame: FrameId::REQUEST, bucket: 0 };
        let outer = OuterValues::new();
        let batch = RowBatch::new(Owner::Formula(0), source, rows, at, &outer);
        ColumnValues(Rc::new(column(&self.context, &batch, path)))
    }
}
