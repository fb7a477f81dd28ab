//! Errors of tax regions and rates.

use thiserror::Error;

use super::rates::RateError;
use crate::database::{self, Missing};
use crate::http::HttpError;
use crate::metadata::MetadataError;

#[derive(Debug, Error, HttpError)]
pub enum TaxError {
    #[error(transparent)]
    #[http(not_found)]
    NotFound(#[from] Missing),
    /// The place already has a tax region.
    #[error("a tax region for {place} already exists")]
    #[http(duplicate)]
    PlaceTaken {
        /// The country, and the province if any.
        place: String,
    },
    /// The region already has a default rate.
    #[error("tax region {region_id} has a default rate already")]
    #[http(invalid_data)]
    DefaultTaken { region_id: String },
    #[error("{0}")]
    #[http(invalid_data)]
    Invalid(String),
    /// The percentage is not a valid tax rate.
    #[error(transparent)]
    #[http(invalid_data)]
    Rate(#[from] RateError),
    #[error(transparent)]
    #[http(invalid_data)]
    Metadata(#[from] MetadataError),
    #[error(transparent)]
    Db(#[from] database::Error),
}

impl TaxError {
    pub(super) fn not_found(kind: &'static str, id: &impl ToString) -> Self {
        Missing::new(kind, id).into()
    }
}
