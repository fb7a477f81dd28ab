//! Evaluation of checked formulas, from a context record, from rows, or from both.
//!
//! In the order in which a request passes through them:
//!
//! 1. [`frames`] define where an expression is computed: in which periods, for which groups, under
//!    which filters. Windows, `per`, and aggregates inside rows compute their operand in another frame.
//! 2. [`walk`] computes a formula node by node in a frame. Start at [`Evaluator::series`].
//! 3. [`sources`] answer the atoms, which need rows, without rows in memory: from a cache, from
//!    rollups, from a database.
//! 4. [`scan`] answers the rest: one pass over the rows of a source for all buckets and groups.
//!
//! [`context`] is what all of them read, [`log`] what they report, [`amount_currency`] how they keep
//! amounts in several currencies apart. The walk uses the frames, sources and scans; none of them uses
//! the walk. What a scan or a data source needs from it is passed in (`scan::OuterValues`) or
//! requested through a trait (`sources::Evaluation`).
//!
//! [`scalar`] and [`columns`] run programs (`plan`) instead of formulas, over single values and over
//! columns.

#![expect(
    clippy::wildcard_enum_match_arm,
    reason = "most kinds of value and node do not matter to one operation"
)]

mod amount_currency;
pub mod columns;
mod context;
mod frames;
mod log;
mod record_values;
mod scalar;
mod scan;
mod sources;
#[cfg(test)]
mod tests;
mod walk;

pub(crate) use amount_currency::{AmountCurrency, in_currencies};
pub(crate) use context::Context;
pub(crate) use frames::{
    BucketRef, Frame, FrameId, GroupKey, GroupValue, Groups, SnapshotAt, covers,
};
pub(crate) use log::too_much_memory;
pub(crate) use operators::growth;
pub use scalar::Runner;
pub(crate) use scan::{GivenColumns, MAX_PRODUCT_SCALE, may_mix_currencies};
pub(crate) use sources::{
    AggregateRequest, AnswerCache, BucketAnswers, CacheAccess, CellKey, DataSource, Evaluation,
    Extent, RowVersion, SourceAnswer,
};
pub(crate) use walk::{
    ColumnValues, ComputedColumn, Evaluator, FillError, NodeInFrame, ObservedMeasure, Sources,
    fill_computed,
};

pub(crate) use crate::plan::{NodeRef, Owner};

use crate::plan::operators;
