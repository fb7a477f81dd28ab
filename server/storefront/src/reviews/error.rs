//! Errors of reviews and their HTTP statuses.

use thiserror::Error;

use crate::catalog::CatalogError;
use crate::database::{self, Missing};
use crate::http::HttpError;
use crate::ids::{ReviewId, VariantId};

#[derive(Debug, Error, HttpError)]
pub enum ReviewError {
    #[error(transparent)]
    #[http(not_found)]
    NotFound(#[from] Missing),
    #[error("Value for field '{field}' must be from {least} to {most}")]
    #[http(with = out_of_bounds)]
    OutOfBounds { field: &'static str, least: u64, most: u64 },
    #[error("The product has no variant {0}")]
    #[http(invalid_data)]
    NotItsVariant(VariantId),
    #[error("A rejection needs a reason")]
    #[http(invalid_data)]
    NoReason,
    #[error("An approval has no reason")]
    #[http(invalid_data)]
    NeedlessReason,
    #[error("The text of review {0} was erased with its author")]
    #[http(not_allowed)]
    Erased(ReviewId),
    #[error("Log in to write a review")]
    #[http(unauthorized_because)]
    Anonymous,
    #[error("Only customers who bought the product can review it")]
    #[http(forbidden())]
    NotBought,
    #[error("The author of a review cannot vote on it")]
    #[http(not_allowed)]
    OwnReview,
    #[error(transparent)]
    Catalog(#[from] CatalogError),
    #[error(transparent)]
    Db(#[from] database::Error),
}

fn out_of_bounds(error: &ReviewError) -> HttpError {
    let message = error.to_string();
    let answer = HttpError::invalid_data(format!("Invalid request: {message}"));
    if let ReviewError::OutOfBounds { field, .. } = error {
        return answer.with_details(*field, message);
    }
    answer
}
