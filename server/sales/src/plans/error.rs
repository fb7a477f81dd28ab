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

/// An error of a plan or an offer.
#[derive(Debug, Error)]
pub enum PlanError {
    #[error(transparent)]
    Db(#[from] database::Error),
    #[error(transparent)]
    NotFound(#[from] Missing),
    #[error("{0}")]
    Invalid(&'static str),
    #[error("`{field}` must be from {least} to {most}, not {value}")]
    OutOfBounds { field: &'static str, value: i64, least: i64, most: i64 },
    #[error("`product_ids` names a product that does not exist: {id}")]
    UnknownProduct { id: ProductId },
    #[error("{id} is an older version of {current}, which does not change")]
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

impl From<PlanError> for HttpError {
    fn from(error: PlanError) -> Self {
        let message = error.to_string();
        match error {
            PlanError::Db(cause) => cause.into(),
            PlanError::Catalog(cause) => cause.into(),
            PlanError::Pricing(cause) => cause.into(),
            PlanError::Inventory(cause) => cause.into(),
            PlanError::Regions(cause) => cause.into(),
            PlanError::NotFound(_) => Self::not_found(message),
            PlanError::Superseded { .. } => Self::not_allowed(message),
            PlanError::Invalid(_)
            | PlanError::OutOfBounds { .. }
            | PlanError::UnknownProduct { .. }
            | PlanError::OutOfRange(_)
            | PlanError::Money(_)
            | PlanError::Metadata(_) => Self::invalid_data(message),
        }
    }
}
