//! Errors of bundles and their HTTP statuses.

use thiserror::Error;

use crate::catalog::CatalogError;
use crate::database::{self, Missing};
use crate::http::{HttpError, Refusal};
use crate::inventory::InventoryError;
use crate::metadata::MetadataError;
use crate::money::MoneyError;
use crate::pricing::PricingError;
use crate::proportion::OutOfRange;

/// An error of a bundle.
#[derive(Debug, Error)]
pub enum BundleError {
    #[error(transparent)]
    Db(#[from] database::Error),
    #[error(transparent)]
    NotFound(#[from] Missing),
    #[error("another bundle has the handle {handle}, or is sold as the same product")]
    Taken { handle: String },
    #[error("there are {max} bundles, which is the limit")]
    TooMany { max: u32 },
    #[error(transparent)]
    Refused(#[from] Refusal),
    #[error(transparent)]
    Range(#[from] OutOfRange),
    #[error(transparent)]
    Money(#[from] MoneyError),
    #[error(transparent)]
    Metadata(#[from] MetadataError),
    #[error(transparent)]
    Catalog(#[from] CatalogError),
    #[error(transparent)]
    Pricing(#[from] PricingError),
    #[error(transparent)]
    Inventory(#[from] InventoryError),
}

impl From<BundleError> for HttpError {
    fn from(error: BundleError) -> Self {
        match error {
            BundleError::Db(cause) => cause.into(),
            BundleError::Catalog(cause) => cause.into(),
            BundleError::Pricing(cause) => cause.into(),
            BundleError::Inventory(cause) => cause.into(),
            BundleError::Refused(cause) => cause.into(),
            BundleError::NotFound(_) => Self::not_found(error.to_string()),
            BundleError::Taken { .. } => Self::conflict(error.to_string()),
            BundleError::TooMany { .. } => Self::not_allowed(error.to_string()),
            BundleError::Range(_) | BundleError::Money(_) | BundleError::Metadata(_) => {
                Self::invalid_data(error.to_string())
            }
        }
    }
}
