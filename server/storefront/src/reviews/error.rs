//! Errors of reviews and their HTTP statuses.

use thiserror::Error;

use crate::catalog::CatalogError;
use crate::database::{self, Missing};
use crate::http::HttpError;
use crate::ids::{ReviewId, VariantId};

/// An error of a review.
#[derive(Debug, Error)]
pub enum ReviewError {
    #[error(transparent)]
    NotFound(#[from] Missing),
    #[error("Value for field '{field}' must be from {least} to {most}")]
    OutOfBounds { field: &'static str, least: u64, most: u64 },
    #[error("The product has no variant {0}")]
    NotItsVariant(VariantId),
    #[error("A rejection needs a reason")]
    NoReason,
    #[error("An approval has no reason")]
    NeedlessReason,
    #[error("The text of review {0} was erased with its author")]
    Erased(ReviewId),
    #[error("Log in to write a review")]
    Anonymous,
    #[error("Only customers who bought the product can review it")]
    NotBought,
    #[error("The author of a review cannot vote on it")]
    OwnReview,
    #[error(transparent)]
    Catalog(#[from] CatalogError),
    #[error(transparent)]
    Db(#[from] database::Error),
}

impl From<ReviewError> for HttpError {
    fn from(error: ReviewError) -> Self {
        let message = error.to_string();
        match error {
            ReviewError::NotFound(_) => Self::not_found(message),
            ReviewError::OutOfBounds { field, .. } => {
                Self::invalid_data(format!("Invalid request: {message}"))
                    .with_details(field, message)
            }
            ReviewError::NotItsVariant(_) | ReviewError::NoReason | ReviewError::NeedlessReason => {
                Self::invalid_data(message)
            }
            ReviewError::Anonymous => Self::unauthorized_because(message),
            ReviewError::NotBought => Self::forbidden(),
            ReviewError::Erased(_) | ReviewError::OwnReview => Self::not_allowed(message),
            ReviewError::Catalog(cause) => cause.into(),
            ReviewError::Db(cause) => cause.into(),
        }
    }
}
