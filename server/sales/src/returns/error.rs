//! Errors of returns and their HTTP statuses.

use thiserror::Error;

use crate::database::{self, Missing};
use crate::http::{HttpError, Refusal};
use crate::inventory::InventoryError;
use crate::metadata::MetadataError;
use crate::orders::OrderError;
use crate::proportion::OutOfRange;

#[derive(Debug, Error, HttpError)]
pub enum ReturnError {
    #[error(transparent)]
    Unknown(#[from] Missing),
    #[error("Return reason with value: {0}, already exists.")]
    #[http(duplicate)]
    ReasonTaken(String),
    #[error(transparent)]
    Refused(#[from] Refusal),
    #[error(transparent)]
    OutOfRange(#[from] OutOfRange),
    #[error(transparent)]
    Metadata(#[from] MetadataError),
    #[error(transparent)]
    Inventory(#[from] InventoryError),
    #[error(transparent)]
    Order(#[from] OrderError),
    #[error(transparent)]
    Db(#[from] database::Error),
}

impl ReturnError {
    /// Returns the error for an id that does not exist.
    pub(super) fn unknown(kind: &'static str, id: &impl ToString) -> Self {
        Missing::new(kind, id).into()
    }
}
