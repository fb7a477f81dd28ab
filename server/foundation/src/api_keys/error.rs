//! Errors of API keys.

use crate::auth::RandomError;
use crate::database::{self, Missing};
use crate::http::HttpError;
use crate::ids::SalesChannelId;

/// Why an operation on an API key fails.
#[derive(Debug, thiserror::Error)]
pub enum ApiKeyError {
    /// No key has the id.
    #[error(transparent)]
    NotFound(#[from] Missing),
    /// A key that is not revoked cannot be deleted.
    #[error("Cannot delete API keys that are not revoked")]
    NotRevoked,
    /// Secret keys have access to all channels.
    #[error("Sales channels can only be linked to publishable keys")]
    NotPublishable,
    #[error("Sales channel with id: {0} was not found")]
    UnknownChannel(SalesChannelId),
    /// No key could be generated.
    #[error(transparent)]
    Random(#[from] RandomError),
    /// The database failed.
    #[error(transparent)]
    Db(#[from] database::Error),
}

impl From<ApiKeyError> for HttpError {
    fn from(error: ApiKeyError) -> Self {
        match error {
            ApiKeyError::NotFound(_) => Self::not_found(error.to_string()),
            ApiKeyError::NotRevoked | ApiKeyError::NotPublishable => {
                Self::not_allowed(error.to_string())
            }
            ApiKeyError::UnknownChannel(_) => Self::invalid_data(error.to_string()),
            ApiKeyError::Random(cause) => Self::unexpected(cause),
            ApiKeyError::Db(cause) => cause.into(),
        }
    }
}
