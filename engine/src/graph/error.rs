//! Errors of the metric graph.

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
