//! Errors of API keys.

use crate::auth::RandomError;
use crate::database::{self, Missing};
use crate::http::HttpError;
use crate::ids::SalesChannelId;

#[derive(Debug, thiserror::Error, HttpError)]
pub enum ApiKeyError {
    #[error(transparent)]
    #[http(not_found)]
    NotFound(#[from] Missing),
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
    #[error(transparent)]
    #[http(unexpected)]
    Random(#[from] RandomError),
    #[error(transparent)]
    Db(#[from] database::Error),
}
