//! The graph of uses between metrics, with their kinds; it never has a cycle.
//!
//! Invariant: the rank of a metric is above the ranks of all metrics it uses. An edit that keeps the
//! ranks in order needs no search; any other searches and reorders only the metrics ranked between the
//! two ends of the new use. The graph knows no formulas: keys and uses are arguments. Start at
//! [`MetricGraph`].

mod edit;
mod marks;
mod ranks;
mod walk;

use std::collections::BTreeMap;

use petgraph::stable_graph::{NodeIndex, StableDiGraph};

pub use crate::check::UseKinds;
pub use walk::{Branch, RelatedMetric};

/// The error of an edit or a query; the graph is unchanged.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum GraphError {
    /// A metric with this key already exists.
    #[error("`{0}` is there already")]
    Taken(String),
    /// There is no metric with this key.
    #[error("there is no metric `{0}`")]
    Unknown(String),
    /// The metric would use itself through the listed metrics; the first and the last are the same.
    #[error("it would use itself: {}", .0.join(" → "))]
    Cycle(Vec<String>),
    /// Other metrics use it, listed in order of their keys.
    #[error("`{key}` is used by {}", users.join(", "))]
    Used {
        /// The metric to be removed.
        key: String,
        /// The metrics that use it directly.
        users: Vec<String>,
    },
}

/// One metric of the graph.
#[derive(Debug, Clone)]
struct MetricNode {
    key: String,
    /// The key in lower case, by which metrics are found and sorted.
    plain: String,
    /// Above the rank of every metric it uses; unique.
    rank: u64,
}

/// Metrics by key with their uses, without cycles.
///
/// Keys are case-insensitive and stored as written. The order of every list depends on the metrics
/// alone, never on the order of edits.
///
/// ```
/// use quotient::graph::{MetricGraph, UseKinds};
///
/// let mut graph = MetricGraph::new();
/// graph.insert("net_sales", &[])?;
/// graph.insert("orders", &[])?;
/// graph.insert("aov", &[("net_sales", UseKinds::VALUE), ("orders", UseKinds::VALUE)])?;
/// graph.insert("aov_growth", &[("aov", UseKinds::VALUE.and(UseKinds::WINDOW))])?;
///
/// let impact: Vec<_> = graph.impact("orders")?.iter().map(|reached| reached.key).collect();
/// assert_eq!(impact, ["orders", "aov", "aov_growth"]);
///
/// let refused = graph.replace("orders", &[("aov_growth", UseKinds::VALUE)]).unwrap_err();
/// assert_eq!(refused.to_string(), "it would use itself: orders → aov_growth → aov → orders");
/// # Ok::<(), quotient::graph::GraphError>(())
/// ```
#[derive(Debug, Clone, Default)]
pub struct MetricGraph {
    /// An edge leads from a metric to one that it uses.
    graph: StableDiGraph<MetricNode, UseKinds>,
    /// By key in lower case.
    by_key: BTreeMap<String, NodeIndex>,
    next_rank: u64,
}

impl MetricGraph {
    /// Creates a graph without metrics.
    pub fn new() -> Self {
        Self::default()
    }

    /// Returns the number of metrics.
    pub fn len(&self) -> usize {
        self.by_key.len()
    }

    /// Returns whether there are no metrics.
    pub fn is_empty(&self) -> bool {
        self.by_key.is_empty()
    }

    /// Returns whether there is a metric with this key.
    pub fn contains(&self, key: &str) -> bool {
        self.find(key).is_some()
    }

    fn find(&self, key: &str) -> Option<NodeIndex> {
        self.by_key.get(&key.to_lowercase()).copied()
    }

    fn known(&self, key: &str) -> Result<NodeIndex, GraphError> {
        self.find(key).ok_or_else(|| GraphError::Unknown(key.to_owned()))
    }

    fn key(&self, node: NodeIndex) -> &str {
        self.graph.node_weight(node).map_or("", |node| &node.key)
    }

    fn rank(&self, node: NodeIndex) -> u64 {
        self.graph.node_weight(node).map_or(0, |node| node.rank)
    }
}
