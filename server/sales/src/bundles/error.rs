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

#[derive(Debug, Error, HttpError)]
pub enum BundleError {
    #[error(transparent)]
    Db(#[from] database::Error),
    #[error(transparent)]
    NotFound(#[from] Missing),
    #[error("another bundle has the handle {handle}, or is sold as the same product")]
    #[http(conflict)]
    Taken { handle: String },
    #[error("there are {max} bundles, which is the limit")]
    #[http(not_allowed)]
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
