//! Refusals by rules of domains, as opposed to failures.

use super::HttpError;

/// A request that a rule refuses, with a message for the caller. What other code reacts to is a variant of its domain's
/// error instead.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error, HttpError)]
pub enum Refusal {
    /// 400: the request is invalid.
    #[error("{0}")]
    #[http(invalid_data)]
    Invalid(String),
    /// 400: the state of the resource does not allow it.
    #[error("{0}")]
    #[http(not_allowed)]
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
