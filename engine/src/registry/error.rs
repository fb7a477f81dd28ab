//! Errors of the registry.

use super::State;
use crate::diagnostics::Diagnostic;

/// The reason for refusing an edit or a query; the registry is unchanged.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum RegistryError {
    /// No metric has this key, or it was removed.
    #[error("there is no metric `{0}`")]
    Unknown(String),
    /// The key or title is taken.
    #[error("`{name}` is {by} already")]
    Taken {
        /// The key or title.
        name: String,
        /// The present owner of the name.
        by: String,
    },
    /// The key cannot be written as a name.
    #[error("`{0}` cannot be a key: letters, digits and `_`, no word of the language")]
    Key(String),
    /// The formula does not check.
    #[error("the formula does not check: {}", messages(.0))]
    Formula(Vec<Diagnostic>),
    /// Dependent metrics would no longer check, each with its findings.
    #[error("it would break {}", keys(.0))]
    Breaks(Vec<(String, Vec<Diagnostic>)>),
    /// A rewritten name would change its meaning in the formula of this metric.
    #[error("in the formula of `{0}` the name would mean something else")]
    Captured(String),
    /// Other metrics use it.
    #[error("`{key}` is used by {}", users.join(", "))]
    Used {
        /// The metric.
        key: String,
        /// The metrics that use it directly.
        users: Vec<String>,
    },
    /// The state transition is not allowed.
    #[error("a metric that is {} cannot become {}", from.name(), to.name())]
    Transition {
        /// The current state.
        from: State,
        /// The requested state.
        to: State,
    },
    /// It uses metrics that are not in use.
    #[error("it uses {}, which are no active metrics", .0.join(", "))]
    Inactive(Vec<String>),
    /// Examples fail, each with its index and the reason.
    #[error("{}", failed(.0))]
    Examples(Vec<(usize, String)>),
    /// No version has this number.
    #[error("`{key}` has no version {number}")]
    NoVersion {
        /// The metric.
        key: String,
        /// The requested number.
        number: u32,
    },
    /// A snapshot that contradicts itself.
    #[error("the snapshot cannot be used: {0}")]
    Snapshot(String),
}

impl RegistryError {
    /// Returns the findings, with their stable codes.
    pub fn findings(&self) -> Vec<&Diagnostic> {
        match self {
            Self::Formula(findings) => findings.iter().collect(),
            Self::Breaks(metrics) => metrics.iter().flat_map(|(_, findings)| findings).collect(),
            Self::Unknown(_)
            | Self::Taken { .. }
            | Self::Key(_)
            | Self::Captured(_)
            | Self::Used { .. }
            | Self::Transition { .. }
            | Self::Inactive(_)
            | Self::Examples(_)
            | Self::NoVersion { .. }
            | Self::Snapshot(_) => Vec::new(),
        }
    }
}

fn messages(findings: &[Diagnostic]) -> String {
    let errors = findings.iter().filter(|finding| finding.is_error());
    errors.map(|finding| finding.message.as_str()).collect::<Vec<_>>().join("; ")
}

fn keys(metrics: &[(String, Vec<Diagnostic>)]) -> String {
    metrics.iter().map(|(key, _)| key.as_str()).collect::<Vec<_>>().join(", ")
}

fn failed(examples: &[(usize, String)]) -> String {
    let one =
        |(place, why): &(usize, String)| format!("example {}: {why}", place.saturating_add(1));
    examples.iter().map(one).collect::<Vec<_>>().join("; ")
}
