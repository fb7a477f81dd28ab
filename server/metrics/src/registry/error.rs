//! Errors about metrics, and their HTTP statuses.

use quotient::diagnostics::Diagnostic;
use quotient::registry::RegistryError;
use thiserror::Error;

use super::edit::MAX_EXAMPLES;
use super::findings;
use super::schema::{PlaceholderError, SchemaError};
use crate::database;
use crate::http::HttpError;

/// Why a metric is not created, changed or computed.
#[derive(Debug, Error)]
pub enum MetricError {
    /// There is no such metric, or the caller may not see it.
    #[error("Metric with id: {0} was not found")]
    NotFound(String),
    #[error("Example of a metric with id: {0} was not found")]
    NoExample(String),
    #[error("A metric named `{0}` exists already")]
    NameTaken(String),
    #[error(
        "A metric named `{0}` was removed and keeps its name; its lifecycle state `draft` brings it back"
    )]
    NameRemoved(String),
    #[error("The name `{0}` has no letters or digits")]
    NoKey(String),
    /// Can be changed only by force.
    #[error(
        "The metric `{0}` is locked; an admin may change it with force, and the owner of a private one may unlock it"
    )]
    Locked(String),
    #[error("The metric `{0}` belongs to the system and cannot be removed")]
    System(String),
    #[error("The metric `{0}` was changed in between; `If-Match` names an older state of it")]
    Changed(String),
    #[error("The metric `{0}` has {MAX_EXAMPLES} examples, and can have no more")]
    TooManyExamples(String),
    /// An invalid value of a template's parameter.
    #[error("{0}")]
    Parameter(String),
    #[error("Only admins may {0}")]
    AdminsOnly(&'static str),
    /// Dependencies that do not match the formula.
    #[error("The formula depends on {}, not on {}", named(.inferred), named(.given))]
    Dependencies { inferred: Vec<String>, given: Vec<String> },
    #[error("The metric `{key}` is {state} and is not computed")]
    NotComputed { key: String, state: &'static str },
    /// Values that cannot be compared or split.
    #[error("{0}")]
    Compared(String),
    /// A query whose answer would be too large.
    #[error("{0}")]
    Costly(String),
    /// A formula that does not compile or cannot be evaluated.
    #[error("{}", findings::first(.0))]
    Formula(Vec<Diagnostic>),
    /// The same, with the text that the findings are about.
    #[error("{}", findings::first(.found))]
    Unsound { formula: String, found: Vec<Diagnostic> },
    /// An invalid range or question.
    #[error("{0}")]
    Range(String),
    /// A metric that would expose a private one.
    #[error("`{key}` cannot use `{used}`, which is private: only private metrics of its owner can")]
    Exposes { key: String, used: String },
    /// The metric is used by metrics that the editor does not see.
    #[error("`{0}` is used by private metrics of others")]
    UsedUnseen(String),
    /// A metric that cannot be private, because alerts expose it to others.
    #[error("`{0}` cannot be private: alerts of others, or of metrics that others see, tell of it")]
    Watched(String),
    /// Active alerts need the metric: those that the editor sees, and the number of others.
    #[error(
        "`{key}` is used by {}: pause them, or let an admin force it",
        counted(.alerts, *.unseen_count)
    )]
    Needed { key: String, alerts: Vec<String>, unseen_count: usize },
    /// Metrics that the editor does not see would no longer compile.
    #[error("it would break private metrics of others")]
    BreaksUnseen,
    #[error(transparent)]
    Registry(#[from] RegistryError),
    /// An invalid placeholder.
    #[error(transparent)]
    Placeholder(#[from] PlaceholderError),
    #[error(transparent)]
    Schema(#[from] SchemaError),
    #[error(transparent)]
    Db(#[from] database::Error),
}

impl MetricError {
    /// Adds the text of the rejected formula, so that the error can show the corrected one.
    pub(crate) fn about(self, formula: &str) -> Self {
        if let Self::Registry(RegistryError::Formula(found)) | Self::Formula(found) = self {
            Self::Unsound { formula: formula.to_owned(), found }
        } else {
            self
        }
    }

    /// The error for an operation that needs a formula that compiles.
    pub(crate) const fn broken(key: String) -> Self {
        Self::NotComputed { key, state: "no longer sound" }
    }

    /// Converts an error caused by metrics that the editor does not see.
    pub(super) fn unseen(refusal: RegistryError) -> Self {
        match refusal {
            RegistryError::Taken { name, .. } => Self::NameTaken(name),
            RegistryError::Used { key, .. } => Self::UsedUnseen(key),
            RegistryError::Breaks(_)
            | RegistryError::Captured(_)
            | RegistryError::Formula(_)
            | RegistryError::Inactive(_)
            | RegistryError::Examples(_) => Self::BreaksUnseen,
            RegistryError::Unknown(_)
            | RegistryError::Key(_)
            | RegistryError::Transition { .. }
            | RegistryError::NoVersion { .. }
            | RegistryError::Snapshot(_) => refusal.into(),
        }
    }
}

fn named(keys: &[String]) -> String {
    if keys.is_empty() { "nothing".to_owned() } else { keys.join(", ") }
}

/// Names alerts, and counts those that are not named.
fn counted(alerts: &[String], unseen_count: usize) -> String {
    let mut parts = Vec::new();
    if !alerts.is_empty() {
        parts.push(format!("the active alerts {}", alerts.join(", ")));
    }
    if unseen_count > 0 {
        parts.push(format!("{unseen_count} about private metrics of others"));
    }
    parts.join(" and ")
}

impl From<MetricError> for HttpError {
    fn from(error: MetricError) -> Self {
        let message = error.to_string();
        match error {
            MetricError::NotFound(_) | MetricError::NoExample(_) => Self::not_found(message),
            MetricError::NameTaken(_)
            | MetricError::NameRemoved(_)
            | MetricError::Changed(_)
            | MetricError::UsedUnseen(_)
            | MetricError::Watched(_)
            | MetricError::Needed { .. } => Self::conflict(message),
            MetricError::NoKey(_)
            | MetricError::System(_)
            | MetricError::TooManyExamples(_)
            | MetricError::Parameter(_)
            | MetricError::Range(_) => Self::invalid_data(message),
            MetricError::Locked(_) => Self::locked(message),
            MetricError::AdminsOnly(_) => Self::forbidden(),
            MetricError::Dependencies { .. }
            | MetricError::Exposes { .. }
            | MetricError::BreaksUnseen
            | MetricError::NotComputed { .. }
            | MetricError::Compared(_)
            | MetricError::Costly(_) => Self::validation(message),
            MetricError::Formula(diagnostics) => {
                Self::validation(message).with_details_of(findings::details(&diagnostics, None))
            }
            MetricError::Unsound { formula, found } => {
                Self::validation(message).with_details_of(findings::details(&found, Some(&formula)))
            }
            MetricError::Registry(refusal) => of_registry(&refusal, message),
            MetricError::Placeholder(refusal) => match refusal {
                PlaceholderError::Key(_)
                | PlaceholderError::Source(..)
                | PlaceholderError::Field { .. } => Self::invalid_data(message),
                PlaceholderError::Taken { .. } => Self::conflict(message),
                PlaceholderError::Type { .. } => Self::validation(message),
                PlaceholderError::Aggregation(diagnostics) => {
                    Self::validation(message).with_details_of(findings::details(&diagnostics, None))
                }
            },
            MetricError::Schema(refusal) => Self::invalid_data(refusal.to_string()),
            MetricError::Db(cause) => cause.into(),
        }
    }
}

fn of_registry(refusal: &RegistryError, message: String) -> HttpError {
    match refusal {
        RegistryError::Unknown(_) | RegistryError::NoVersion { .. } => {
            HttpError::not_found(message)
        }
        RegistryError::Taken { .. } | RegistryError::Used { .. } => HttpError::conflict(message),
        RegistryError::Key(_) => HttpError::invalid_data(message),
        RegistryError::Formula(_)
        | RegistryError::Breaks(_)
        | RegistryError::Captured(_)
        | RegistryError::Transition { .. }
        | RegistryError::Inactive(_)
        | RegistryError::Examples(_) => {
            let diagnostics = refusal.findings().into_iter().cloned().collect::<Vec<_>>();
            HttpError::validation(message).with_details_of(findings::details(&diagnostics, None))
        }
        RegistryError::Snapshot(_) => HttpError::unexpected(refusal.to_string()),
    }
}
