//! Rejections by domain rules, as opposed to failures.

use super::HttpError;

/// A request that a rule rejects, with a message for the caller. Errors that other code handles are variants of the
/// domain's error instead.
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
    pub fn invalid(message: impl Into<String>) -> Self {
        Self::Invalid(message.into())
    }

    /// Rejects a request that the resource's state does not allow.
    pub fn not_allowed(message: impl Into<String>) -> Self {
        Self::NotAllowed(message.into())
    }
}
