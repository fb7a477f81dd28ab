//! Errors of fulfillments and their HTTP statuses.

use thiserror::Error;

use crate::database::{self, Missing};
use crate::http::{HttpError, Refusal};
use crate::inventory::InventoryError;
use crate::metadata::MetadataError;
use crate::orders::OrderError;

#[derive(Debug, Error)]
pub enum FulfillmentError {
    #[error(transparent)]
    NotFound(#[from] Missing),
    #[error(transparent)]
    Refused(#[from] Refusal),
    #[error(transparent)]
    Metadata(#[from] MetadataError),
    #[error(transparent)]
    Inventory(#[from] InventoryError),
    #[error(transparent)]
    Order(#[from] OrderError),
    #[error(transparent)]
    Db(#[from] database::Error),
}

impl From<FulfillmentError> for HttpError {
    fn from(error: FulfillmentError) -> Self {
        match error {
            FulfillmentError::NotFound(_) => Self::not_found(error.to_string()),
            FulfillmentError::Refused(cause) => cause.into(),
            FulfillmentError::Metadata(_) => Self::invalid_data(error.to_string()),
            FulfillmentError::Inventory(cause) => cause.into(),
            FulfillmentError::Order(cause) => cause.into(),
            FulfillmentError::Db(cause) => cause.into(),
        }
    }
}
