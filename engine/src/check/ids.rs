//! Indices of nodes and metrics.

/// A node by its index in [`Typed::nodes`](super::Typed::nodes).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct NodeId(pub(crate) usize);

/// A metric by its index in the engine.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct MetricId(pub(crate) usize);
