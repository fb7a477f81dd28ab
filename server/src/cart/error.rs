//! What can be wrong with a cart, and how it is answered.

use thiserror::Error;

use super::lines::LineError;
use super::totals::TotalsError;
use crate::database;
use crate::http::HttpError;
use crate::ids::{CartId, CartLineId};

/// Why a cart cannot be read or changed.
#[derive(Debug, Error)]
pub(crate) enum CartError {
    /// The database failed.
    #[error(transparent)]
    Db(#[from] database::Error),
    /// There is none, or it is an account's that the caller is not.
    #[error("Cart with id: {id} was not found")]
    NotFound {
        /// The id that was asked for.
        id: CartId,
    },
    /// It is an order already.
    #[error("Cart {id} is already completed")]
    Completed {
        /// The cart.
        id: CartId,
    },
    /// It is becoming an order.
    #[error("Cart {id} is being completed")]
    BeingCompleted {
        /// The cart.
        id: CartId,
    },
    /// It has no such line.
    #[error("Line item with id: {id} was not found")]
    UnknownLine {
        /// The line.
        id: CartLineId,
    },
    /// A line cannot be changed so.
    #[error(transparent)]
    Line(#[from] LineError),
    /// Its totals cannot be computed.
    #[error(transparent)]
    Totals(#[from] TotalsError),
}

impl From<rusqlite::Error> for CartError {
    fn from(error: rusqlite::Error) -> Self {
        Self::Db(error.into())
    }
}

impl From<CartError> for HttpError {
    fn from(error: CartError) -> Self {
        match error {
            CartError::Db(cause) => cause.into(),
            CartError::NotFound { .. } | CartError::UnknownLine { .. } => {
                Self::not_found(error.to_string())
            }
            CartError::Completed { .. } => Self::not_allowed(error.to_string()),
            CartError::BeingCompleted { .. } => Self::conflict(error.to_string()),
            CartError::Line(_) | CartError::Totals(_) => Self::invalid_data(error.to_string()),
        }
    }
}
