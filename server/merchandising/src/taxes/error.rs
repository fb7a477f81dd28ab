//! What can be wrong with tax regions and rates.

use thiserror::Error;

use super::rates::RateError;
use crate::database::{self, Missing};
use crate::http::HttpError;
use crate::metadata::MetadataError;

/// Why a tax region or rate cannot be kept.
#[derive(Debug, Error)]
pub enum TaxError {
    #[error(transparent)]
    NotFound(#[from] Missing),
    /// The place has a tax region.
    #[error("a tax region for {place} already exists")]
    PlaceTaken {
        /// Its country, and its province.
        place: String,
    },
    /// A region has one default rate.
    #[error("tax region {region_id} has a default rate already")]
    DefaultTaken { region_id: String },
    /// The request does not make sense.
    #[error("{0}")]
    Invalid(String),
    /// It is no tax rate.
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
}

impl From<rusqlite::Error> for TaxError {
    fn from(error: rusqlite::Error) -> Self {
        Self::Db(error.into())
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
