//! Errors of returns and their HTTP statuses.

use thiserror::Error;

use crate::database::{self, Missing};
use crate::http::HttpError;
use crate::ids::OrderLineId;
use crate::inventory::InventoryError;
use crate::metadata::MetadataError;
use crate::orders::OrderError;
use crate::proportion::OutOfRange;
use crate::statuses::{OrderStatus, ReturnStatus};

/// An error of a return.
#[derive(Debug, Error)]
pub enum ReturnError {
    #[error(transparent)]
    Unknown(#[from] Missing),
    #[error("items of an order that is {} cannot be returned", status.as_str())]
    OrderClosed { status: OrderStatus },
    #[error("a return that is {} cannot be {step}", status.as_str())]
    Refused { status: ReturnStatus, step: &'static str },
    #[error("a return needs at least one item")]
    NoPieces,
    #[error("there is no item `{0}` to return")]
    UnknownLine(OrderLineId),
    #[error("item `{0}` is named twice")]
    Twice(OrderLineId),
    #[error("a quantity of `{quantity}` cannot be returned")]
    BadQuantity { quantity: i64 },
    #[error("item `{line_id}` has {left} that can be returned, not {quantity}")]
    TooMany { line_id: OrderLineId, quantity: i64, left: i64 },
    #[error("Return reason with value: {0}, already exists.")]
    DuplicateReason(String),
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

impl From<ReturnError> for HttpError {
    fn from(error: ReturnError) -> Self {
        match error {
            ReturnError::Unknown(_) => Self::not_found(error.to_string()),
            ReturnError::OrderClosed { .. } | ReturnError::Refused { .. } => {
                Self::not_allowed(error.to_string())
            }
            ReturnError::NoPieces
            | ReturnError::UnknownLine(_)
            | ReturnError::Twice(_)
            | ReturnError::BadQuantity { .. }
            | ReturnError::TooMany { .. }
            | ReturnError::DuplicateReason(_)
            | ReturnError::OutOfRange(_)
            | ReturnError::Metadata(_) => Self::invalid_data(error.to_string()),
            ReturnError::Inventory(cause) => cause.into(),
            ReturnError::Order(cause) => cause.into(),
            ReturnError::Db(cause) => cause.into(),
        }
    }
}
