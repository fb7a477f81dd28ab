//! Errors of tax regions and rates.

use thiserror::Error;

use super::rates::RateError;
use crate::database::{self, Missing};
use crate::http::HttpError;
use crate::metadata::MetadataError;

/// An error of a tax region or a rate.
#[derive(Debug, Error)]
pub enum TaxError {
    #[error(transparent)]
    NotFound(#[from] Missing),
    /// The place already has a tax region.
    #[error("a tax region for {place} already exists")]
    PlaceTaken {
        /// The country, and the province if any.
        place: String,
    },
    /// The region already has a default rate.
    #[error("tax region {region_id} has a default rate already")]
    DefaultTaken { region_id: String },
    /// The request is invalid.
    #[error("{0}")]
    Invalid(String),
    /// The percentage is not a valid tax rate.
    #[error(transparent)]
    Rate(#[from] RateError),
    #[error(transparent)]
    Metadata(#[from] MetadataError),
    #[error(transparent)]
    Db(#[from] database::Error),
}

impl TaxError {
    pub(super) fn not_found(kind: &'static str, id: &impl ToString) -> Self {
        Missing::new(kind, id).into()
    }

    pub(super) fn default_taken(region_id: &impl ToString) -> Self {
        Self::DefaultTaken { region_id: region_id.to_string() }
    }
}

impl From<TaxError> for HttpError {
    fn from(error: TaxError) -> Self {
        let message = error.to_string();
        match error {
            TaxError::NotFound(_) => Self::not_found(message),
            TaxError::PlaceTaken { .. }
            | TaxError::DefaultTaken { .. }
            | TaxError::Invalid(_)
            | TaxError::Rate(_)
            | TaxError::Metadata(_) => Self::invalid_data(message),
            TaxError::Db(cause) => cause.into(),
        }
    }
}
