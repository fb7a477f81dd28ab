//! Errors of regions, sales channels and the store.

use thiserror::Error;

use crate::database::{self, Missing};
use crate::http::HttpError;
use crate::metadata::MetadataError;

#[derive(Debug, Error, HttpError)]
pub enum RegionError {
    #[error(transparent)]
    #[http(not_found)]
    NotFound(#[from] Missing),
    /// Two letters that are not a country code.
    #[error("country `{0}` does not exist")]
    #[http(invalid_data)]
    UnknownCountry(String),
    /// The country belongs to another region.
    #[error("country `{country}` is already assigned to a region")]
    #[http(invalid_data)]
    CountryTaken {
        /// The two-letter code.
        country: String,
    },
    /// It is a default of the store, so it cannot be deleted.
    #[error("{kind} `{id}` is a default of the store: choose another one first")]
    #[http(not_allowed)]
    IsDefault {
        /// The kind of resource, such as `sales channel`.
        kind: &'static str,
        id: String,
    },
    #[error("{0}")]
    #[http(invalid_data)]
    Invalid(String),
    #[error(transparent)]
    #[http(invalid_data)]
    Metadata(#[from] MetadataError),
    #[error(transparent)]
    Db(#[from] database::Error),
}

impl RegionError {
    pub(super) fn not_found(kind: &'static str, id: &impl ToString) -> Self {
        Missing::new(kind, id).into()
    }
}
