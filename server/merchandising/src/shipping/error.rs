//! Errors of shipping.

use thiserror::Error;

use crate::database::{self, Missing};
use crate::http::HttpError;
use crate::inventory::InventoryError;
use crate::metadata::MetadataError;
use crate::pricing::PricingError;

#[derive(Debug, Error, HttpError)]
pub enum ShippingError {
    #[error(transparent)]
    #[http(not_found)]
    NotFound(#[from] Missing),
    /// A provider that this server does not have.
    #[error("fulfillment provider `{0}` does not exist")]
    #[http(invalid_data)]
    UnknownProvider(String),
    /// The provider does not calculate prices.
    #[error("fulfillment provider `{0}` cannot calculate prices: use price_type flat")]
    #[http(invalid_data)]
    CannotCalculate(String),
    /// It is still in use.
    #[error("{kind} {id} is in use")]
    #[http(not_allowed)]
    InUse {
        /// The kind of resource, such as `Shipping profile`.
        kind: &'static str,
        id: String,
    },
    #[error("{0}")]
    #[http(invalid_data)]
    Invalid(String),
    /// Prices cannot be loaded or stored.
    #[error(transparent)]
    Pricing(#[from] PricingError),
    /// Stock cannot be loaded.
    #[error(transparent)]
    Inventory(#[from] InventoryError),
    #[error(transparent)]
    #[http(invalid_data)]
    Metadata(#[from] MetadataError),
    #[error(transparent)]
    Db(#[from] database::Error),
}

impl ShippingError {
    pub(super) fn not_found(kind: &'static str, id: &impl ToString) -> Self {
        Missing::new(kind, id).into()
    }
}
