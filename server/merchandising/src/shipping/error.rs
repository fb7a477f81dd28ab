//! Errors of shipping.

use thiserror::Error;

use crate::database::{self, Missing};
use crate::http::HttpError;
use crate::inventory::InventoryError;
use crate::metadata::MetadataError;
use crate::pricing::PricingError;

#[derive(Debug, Error)]
pub enum ShippingError {
    #[error(transparent)]
    NotFound(#[from] Missing),
    /// A provider that this server lacks.
    #[error("fulfillment provider `{0}` does not exist")]
    UnknownProvider(String),
    /// The provider does not calculate prices.
    #[error("fulfillment provider `{0}` cannot calculate prices: use price_type flat")]
    CannotCalculate(String),
    /// It is still in use.
    #[error("{kind} {id} is in use")]
    InUse {
        /// The kind of resource, such as `Shipping profile`.
        kind: &'static str,
        id: String,
    },
    /// The request is invalid.
    #[error("{0}")]
    Invalid(String),
    /// Prices cannot be loaded or stored.
    #[error(transparent)]
    Pricing(#[from] PricingError),
    /// Stock cannot be loaded.
    #[error(transparent)]
    Inventory(#[from] InventoryError),
    #[error(transparent)]
    Metadata(#[from] MetadataError),
    #[error(transparent)]
    Db(#[from] database::Error),
}

impl ShippingError {
    pub(super) fn not_found(kind: &'static str, id: &impl ToString) -> Self {
        Missing::new(kind, id).into()
    }
}

impl From<ShippingError> for HttpError {
    fn from(error: ShippingError) -> Self {
        let message = error.to_string();
        match error {
            ShippingError::NotFound(_) => Self::not_found(message),
            ShippingError::UnknownProvider(_)
            | ShippingError::CannotCalculate(_)
            | ShippingError::Invalid(_)
            | ShippingError::Metadata(_) => Self::invalid_data(message),
            ShippingError::InUse { .. } => Self::not_allowed(message),
            ShippingError::Pricing(cause) => cause.into(),
            ShippingError::Inventory(cause) => cause.into(),
            ShippingError::Db(cause) => cause.into(),
        }
    }
}
