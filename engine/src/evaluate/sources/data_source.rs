//! Data sources: aggregates that are not computed from rows in memory.
//!
//! A [`DataSource`] is asked for one atom in one frame, and for nothing above it: windows, `per`,
//! division, currency of the whole and formats stay with the evaluator, so that an answer does not
//! depend on where its atoms come from. What a data source gives must equal, to the last digit and
//! with the reason of every null, what a scan of the same rows gives.

use std::fmt;

use super::request::AggregateRequest;
use crate::data::{Rates, Versions};
use crate::diagnostics::Diagnostic;
use crate::evaluate::context::Context;
use crate::evaluate::frames::{GroupKey, GroupValue};
use crate::schema::{Path, SourceId};
use crate::types::Value;

/// A data source's answer. `None` declines: the next data source is queried, and rows in memory last. A
/// finding rejects the request.
pub(crate) type SourceAnswer<T> = Result<Option<T>, Diagnostic>;

/// The first and the last instant of rows, in microseconds; `None` if no row has a date.
pub(crate) type Extent = Option<(i64, i64)>;

/// Answers atoms in place of rows in memory.
///
/// If the groups of a frame are the rows of an entity ([`AggregateRequest::is_by_row`]), they are numbered by their
/// position in memory; a data source that does not know these numbers declines.
pub(crate) trait DataSource: fmt::Debug {
    /// One value for each bucket and group of the frame, bucket by bucket: as many as
    /// [`AggregateRequest::cell_count`].
    fn cells(&self, request: &mut AggregateRequest<'_, '_>) -> SourceAnswer<Vec<Value>>;

    /// The tuples of keys that rows of the atom's source have within the frame's periods, under the
    /// [standing conditions](crate::evaluate::Frame::standing_conditions), which are computed in the
    /// first bucket. Order and repetition do not matter.
    fn groups(
        &self,
        request: &mut AggregateRequest<'_, '_>,
        keys: &[GroupKey],
    ) -> SourceAnswer<Vec<Vec<GroupValue>>>;

    /// From the first to the last instant of a source's rows by a date.
    fn extent(&self, context: &Context<'_>, source: SourceId, date: &Path) -> SourceAnswer<Extent>;

    /// Whether percentiles may be estimates.
    fn is_approximate(&self) -> bool {
        false
    }

    /// The versions of the rows, if the data source reads one known state of them.
    fn versions(&self) -> Option<&Versions> {
        None
    }

    /// Exchange rates, if the data source provides them.
    fn rates(&self) -> Option<&Rates> {
        None
    }
}
