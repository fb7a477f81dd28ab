//! Why the registry refuses.

use super::State;
use crate::diagnostics::Diagnostic;

/// Why an edit or a question is refused; the registry is then as it was.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum RegistryError {
    /// There is no metric of that key, or it was removed.
    #[error("there is no metric `{0}`")]
    Unknown(String),
    /// The key or title stands for something else.
    #[error("`{name}` is {by} already")]
    Taken {
        /// The key or title.
        name: String,
        /// What it stands for.
        by: String,
    },
    /// The key cannot be written as a name.
    #[error("`{0}` cannot be a key: letters, digits and `_`, no word of the language")]
    Key(String),
    /// The formula does not check.
    #[error("the formula does not check: {}", messages(.0))]
    Formula(Vec<Diagnostic>),
    /// Metrics built on it would not check any more, each with its findings.
    #[error("it would break {}", keys(.0))]
    Breaks(Vec<(String, Vec<Diagnostic>)>),
    /// A name that is to be rewritten would mean something else in the formula of this metric.
    #[error("in the formula of `{0}` the name would mean something else")]
    Captured(String),
    /// Other metrics use it.
    #[error("`{key}` is used by {}", users.join(", "))]
    Used {
        /// The metric.
        key: String,
        /// Those that use it directly.
        users: Vec<String>,
    },
    /// A state cannot follow another.
    #[error("a metric that is {} cannot become {}", from.name(), to.name())]
    Transition {
        /// The state it has.
        from: State,
        /// The state it was to have.
        to: State,
    },
    /// It uses metrics that are not in use.
    #[error("it uses {}, which are no active metrics", .0.join(", "))]
    Inactive(Vec<String>),
    /// Examples do not hold: the place of each in the list, and why.
    #[error("{}", failed(.0))]
    Examples(Vec<(usize, String)>),
    /// There is no version of that number.
    #[error("`{key}` has no version {number}")]
    NoVersion {
        /// The metric.
        key: String,
        /// The number asked for.
        number: u32,
    },
    /// A snapshot that contradicts itself.
    #[error("the snapshot cannot be used: {0}")]
    Snapshot(String),
}

impl RegistryError {
    /// The findings in it, with their stable codes.
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
