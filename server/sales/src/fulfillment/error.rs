//! Errors of fulfillments and their HTTP statuses.

use thiserror::Error;

use crate::database::{self, Missing};
use crate::http::{HttpError, Refusal};
use crate::inventory::InventoryError;
use crate::metadata::MetadataError;
use crate::orders::OrderError;

#[derive(Debug, Error, HttpError)]
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
