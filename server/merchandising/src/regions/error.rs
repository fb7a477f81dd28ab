//! Errors of regions, sales channels and the store.

use thiserror::Error;

use crate::database::{self, Missing};
use crate::http::HttpError;
use crate::metadata::MetadataError;

/// An error of a region, a sales channel or the store.
#[derive(Debug, Error)]
pub enum RegionError {
    #[error(transparent)]
    NotFound(#[from] Missing),
    /// Two letters that are not a country code.
    #[error("country `{0}` does not exist")]
    UnknownCountry(String),
    /// The country belongs to another region.
    #[error("country `{country}` is already assigned to a region")]
    CountryTaken {
        /// The two-letter code.
        country: String,
    },
    /// It is a default of the store, so it cannot be deleted.
    #[error("{kind} `{id}` is a default of the store: choose another one first")]
    IsDefault {
        /// The kind of resource, such as `sales channel`.
        kind: &'static str,
        id: String,
    },
    /// The request is invalid.
    #[error("{0}")]
    Invalid(String),
    #[error(transparent)]
    Metadata(#[from] MetadataError),
    #[error(transparent)]
    Db(#[from] database::Error),
}

impl RegionError {
    pub(super) fn not_found(kind: &'static str, id: &impl ToString) -> Self {
        Missing::new(kind, id).into()
    }
}

impl From<RegionError> for HttpError {
    fn from(error: RegionError) -> Self {
        let message = error.to_string();
        match error {
            RegionError::NotFound(_) => Self::not_found(message),
            RegionError::UnknownCountry(_)
            | RegionError::CountryTaken { .. }
            | RegionError::Invalid(_)
            | RegionError::Metadata(_) => Self::invalid_data(message),
            RegionError::IsDefault { .. } => Self::not_allowed(message),
            RegionError::Db(cause) => cause.into(),
        }
    }
}
