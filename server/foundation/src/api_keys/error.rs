//! Errors of API keys.

use crate::auth::RandomError;
use crate::database::{self, Missing};
use crate::http::HttpError;
use crate::ids::SalesChannelId;

/// Why an operation on an API key fails.
#[derive(Debug, thiserror::Error, HttpError)]
pub enum ApiKeyError {
    /// No key has the id.
    #[error(transparent)]
    #[http(not_found)]
    NotFound(#[from] Missing),
    /// A key that is not revoked cannot be deleted.
    #[error("Cannot delete API keys that are not revoked")]
    #[http(not_allowed)]
    NotRevoked,
    /// Secret keys have access to all channels.
    #[error("Sales channels can only be linked to publishable keys")]
    #[http(not_allowed)]
    NotPublishable,
    #[error("Sales channel with id: {0} was not found")]
    #[http(invalid_data)]
    UnknownChannel(SalesChannelId),
    /// No key could be generated.
    #[error(transparent)]
    #[http(unexpected)]
    Random(#[from] RandomError),
    /// The database failed.
    #[error(transparent)]
    Db(#[from] database::Error),
}
