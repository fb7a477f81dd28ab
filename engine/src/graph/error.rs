//! Why an edit of the graph is refused.

/// Why an edit or a question is refused; the graph is then as it was.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum GraphError {
    /// A metric of that key is there already.
    #[error("`{0}` is there already")]
    Taken(String),
    /// There is no metric of that key.
    #[error("there is no metric `{0}`")]
    Unknown(String),
    /// The metric would use itself, over the metrics named: first and last are the same.
    #[error("it would use itself: {}", .0.join(" → "))]
    Circle(Vec<String>),
    /// Other metrics use it, named in order of their keys.
    #[error("`{key}` is used by {}", users.join(", "))]
    Used {
        /// The metric that was to be removed.
        key: String,
        /// Those that use it directly.
        users: Vec<String>,
    },
}
