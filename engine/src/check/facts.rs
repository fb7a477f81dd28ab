//! What is found out about the nodes of a formula and kept with it.

use std::sync::OnceLock;

use super::ids::{MetricId, NodeId};
use crate::schema::Path;

/// What an expression means.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Shape {
    /// Equal for equal meaning, over rows of one source.
    pub(crate) number: u128,
    /// Whether the value of a row is the same in every frame.
    pub(crate) is_steady: bool,
    /// Whether it depends on the bucket.
    pub(crate) varies: bool,
}

/// What a node means.
#[derive(Debug)]
pub(crate) struct Meaning {
    /// Of its text without places; a metric in it is a number only.
    pub(crate) digest: u128,
    /// The metrics in it.
    pub(crate) metrics: Vec<MetricId>,
}

/// What the rows below a node hold.
#[derive(Debug, Default)]
pub(crate) struct Touched {
    /// Each once.
    pub(crate) columns: Vec<Path>,
    /// Aggregates over the rows that lead to each row; what is below them is not counted here.
    pub(crate) per_row: Vec<NodeId>,
    /// Whether there are other values that are no row's own: formulas of aggregates, and metrics.
    pub(crate) holds_others: bool,
    /// Whether the present is asked for.
    pub(crate) knows_present: bool,
    /// Whether amounts are converted.
    pub(crate) converts: bool,
}

/// What is known of the nodes of one formula, each thing found once.
#[derive(Debug, Default)]
pub(crate) struct NodeFacts {
    pub(super) nodes: OnceLock<Vec<Facts>>,
    pub(super) shapes: OnceLock<Vec<Option<Shape>>>,
}

#[derive(Debug, Default)]
pub(super) struct Facts {
    pub(super) meaning: OnceLock<Meaning>,
    pub(super) touched: OnceLock<Touched>,
}

impl Clone for NodeFacts {
    /// Of another formula, though an equal one: they are found again.
    fn clone(&self) -> Self {
        Self::default()
    }
}
