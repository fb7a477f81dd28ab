//! Errors of changes by admins and their HTTP statuses.

use thiserror::Error;

use crate::credit::CreditError;
use crate::database::{self, Missing};
use crate::http::{HttpError, Refusal};
use crate::inventory::InventoryError;
use crate::metadata::MetadataError;
use crate::money::MoneyError;
use crate::orders::OrderError;
use crate::promotions::PromotionError;
use crate::proportion::OutOfRange;
use crate::regions::RegionError;
use crate::shipping::ShippingError;
use crate::taxes::TaxError;

#[derive(Debug, Error, HttpError)]
pub enum OrderAdminError {
    #[error(transparent)]
    NotFound(#[from] Missing),
    #[error(transparent)]
    Refused(#[from] Refusal),
    #[error(transparent)]
    Money(#[from] MoneyError),
    #[error(transparent)]
    Metadata(#[from] MetadataError),
    #[error(transparent)]
    OutOfRange(#[from] OutOfRange),
    #[error(transparent)]
    Inventory(#[from] InventoryError),
    #[error(transparent)]
    Promotion(#[from] PromotionError),
    #[error(transparent)]
    Credit(#[from] CreditError),
    #[error(transparent)]
    Shipping(#[from] ShippingError),
    #[error(transparent)]
    Region(#[from] RegionError),
    #[error(transparent)]
    Tax(#[from] TaxError),
    #[error(transparent)]
    Order(#[from] OrderError),
    #[error(transparent)]
    Db(#[from] database::Error),
}
