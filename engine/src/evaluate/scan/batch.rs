//! The rows for which an expression is computed.

use std::ops::Range;

use super::outer_values::OuterValues;
use super::selection::Selection;
use super::vector::Vector;
use crate::check::NodeId;
use crate::evaluate::frames::BucketRef;
use crate::plan::{NodeRef, Owner};
use crate::schema::{Path, SourceId};
use crate::types::{Reason, Value};

/// Rows of one source, with the outside values that their expressions read.
#[derive(Debug, Clone, Copy)]
pub(crate) struct RowBatch<'r> {
    pub(crate) owner: Owner,
    pub(crate) source: SourceId,
    pub(crate) rows: &'r [u32],
    /// Set if the rows are a selection, whose vectors are cached.
    pub(crate) selection: Option<&'r Selection>,
    pub(crate) at: BucketRef,
    pub(crate) outer: &'r OuterValues,
    pub(crate) given: Option<&'r GivenColumns>,
}

impl<'r> RowBatch<'r> {
    /// Rows without a cached selection and without replaced columns.
    pub(crate) fn new(
        owner: Owner,
        source: SourceId,
        rows: &'r [u32],
        at: BucketRef,
        outer: &'r OuterValues,
    ) -> Self {
        Self { owner, source, rows, selection: None, at, outer, given: None }
    }

    pub(crate) fn len(&self) -> usize {
        self.rows.len()
    }

    pub(super) fn node(&self, id: NodeId) -> NodeRef {
        NodeRef { owner: self.owner, id }
    }

    /// The range of the rows in a column, if they are contiguous.
    pub(super) fn run(&self) -> Option<Range<usize>> {
        self.selection.filter(|selection| selection.is_run())?;
        let first = usize::try_from(*self.rows.first()?).ok()?;
        Some(first..first.checked_add(self.rows.len())?)
    }
}

/// Values that replace columns of a source, row by row.
#[derive(Debug)]
pub(crate) struct GivenColumns {
    pub(crate) source: SourceId,
    pub(crate) columns: Vec<(Path, Vec<Value>)>,
}

impl GivenColumns {
    pub(super) fn column(&self, source: SourceId, path: &Path, rows: &[u32]) -> Option<Vector> {
        let (_, values) =
            self.columns.iter().find(|(own, _)| self.source == source && own == path)?;
        let value = |row: &u32| {
            let value = usize::try_from(*row).ok().and_then(|row| values.get(row));
            value.cloned().unwrap_or(Value::missing(Reason::NullValue))
        };
        Some(Vector::Values(rows.iter().map(value).collect()))
    }
}
