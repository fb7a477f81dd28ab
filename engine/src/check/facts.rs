//! Facts about the nodes of a formula, computed once and stored with it.

use std::sync::OnceLock;

use super::currency_origin::CurrencyOrigin;
use super::typed::{MetricId, NodeId};
use crate::schema::Path;

/// The meaning of an expression, as a value number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Shape {
    /// Equal for equal meaning, over rows of one source.
    pub(crate) number: u128,
    /// Whether the value of a row is the same in every frame.
    pub(crate) is_steady: bool,
    /// Whether it depends on the bucket.
    pub(crate) varies: bool,
    /// Whether it can differ from row to row.
    pub(crate) by_row: bool,
}

/// The meaning of a node.
#[derive(Debug)]
pub(crate) struct Meaning {
    /// The digest of its text without spans; a metric in it is only a number.
    pub(crate) digest: u128,
    pub(crate) metrics: Vec<MetricId>,
}

/// The data that the rows below a node use.
#[derive(Debug, Default)]
pub(crate) struct DataUse {
    /// Without duplicates.
    pub(crate) columns: Vec<Path>,
    /// Aggregates over the rows that link to each row; nodes below them are not included.
    pub(crate) per_row: Vec<NodeId>,
    /// Whether there are other values not from the row: formulas of aggregates, and metrics.
    pub(crate) holds_others: bool,
    /// Whether the present is used.
    pub(crate) knows_present: bool,
    pub(crate) converts: bool,
}

/// Facts about the nodes of one formula, each computed once.
#[derive(Debug, Default)]
pub(crate) struct NodeFacts {
    pub(super) nodes: OnceLock<Vec<Facts>>,
    pub(super) shapes: OnceLock<Vec<Option<Shape>>>,
    pub(super) currency_origins: OnceLock<Vec<CurrencyOrigin>>,
}

#[derive(Debug, Default)]
pub(super) struct Facts {
    pub(super) meaning: OnceLock<Meaning>,
    pub(super) data_use: OnceLock<DataUse>,
}

impl Clone for NodeFacts {
    /// The clone belongs to another formula, though an equal one, so its facts are computed again.
    fn clone(&self) -> Self {
        Self::default()
    }
}
