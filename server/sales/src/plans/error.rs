//! Errors of plans and their HTTP statuses.

use thiserror::Error;

use crate::catalog::CatalogError;
use crate::database::{self, Missing};
use crate::http::HttpError;
use crate::ids::{ProductId, SubscriptionPlanId};
use crate::inventory::InventoryError;
use crate::metadata::MetadataError;
use crate::money::MoneyError;
use crate::pricing::PricingError;
use crate::proportion::OutOfRange;
use crate::regions::RegionError;

#[derive(Debug, Error, HttpError)]
pub enum PlanError {
    #[error(transparent)]
    Db(#[from] database::Error),
    #[error(transparent)]
    NotFound(#[from] Missing),
    #[error("{0}")]
    #[http(invalid_data)]
    Invalid(&'static str),
    #[error("`{field}` must be from {least} to {most}, not {value}")]
    #[http(invalid_data)]
    OutOfBounds { field: &'static str, value: i64, least: i64, most: i64 },
    #[error("`product_ids` names a product that does not exist: {id}")]
    #[http(invalid_data)]
    UnknownProduct { id: ProductId },
    #[error("{id} is an older version of {current}, which does not change")]
    #[http(not_allowed)]
    Superseded { id: SubscriptionPlanId, current: SubscriptionPlanId },
    #[error(transparent)]
    OutOfRange(#[from] OutOfRange),
    #[error(transparent)]
    Metadata(#[from] MetadataError),
    #[error(transparent)]
    Catalog(#[from] CatalogError),
    #[error(transparent)]
    Pricing(#[from] PricingError),
    #[error(transparent)]
    Inventory(#[from] InventoryError),
    #[error(transparent)]
    Regions(#[from] RegionError),
    #[error(transparent)]
    Money(#[from] MoneyError),
}
