//! Refusals by rules of domains, as opposed to failures.

use super::HttpError;

/// A request that a rule refuses, with a message for the caller. What other code reacts to is a variant of its domain's
/// error instead.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// 400: the request is invalid.
    #[error("{0}")]
    Invalid(String),
    /// 400: the state of the resource does not allow it.
    #[error("{0}")]
    NotAllowed(String),
}

impl Refusal {
    /// Refuses an invalid request.
    pub fn invalid(message: impl Into<String>) -> Self {
        Self::Invalid(message.into())
    }

    /// Refuses what the state of the resource does not allow.
    pub fn not_allowed(message: impl Into<String>) -> Self {
        Self::NotAllowed(message.into())
    }
}

impl From<Refusal> for HttpError {
    fn from(refusal: Refusal) -> Self {
        match refusal {
            Refusal::Invalid(message) => Self::invalid_data(message),
            Refusal::NotAllowed(message) => Self::not_allowed(message),
        }
    }
}
