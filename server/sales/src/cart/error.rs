//! Errors of carts and their HTTP statuses.

use axum::http::StatusCode;
use serde_json::json;
use thiserror::Error;

use super::lines::LineError;
use super::totals::TotalsError;
use crate::catalog::CatalogError;
use crate::credit::CreditError;
use crate::customers::CustomerError;
use crate::database;
use crate::http::{HttpError, Refusal};
use crate::ids::{
    BundleItemId, BundleProductId, CartBundleId, CartId, CartLineId, CustomerAddressId,
    SalesChannelId, SubscriptionPlanId, VariantId,
};
use crate::inventory::InventoryError;
use crate::metadata::MetadataError;
use crate::money::{Currency, MoneyError};
use crate::payments::PaymentError;
use crate::plans::PlanError;
use crate::pricing::PricingError;
use crate::promotions::PromotionError;
use crate::regions::RegionError;
use crate::shipping::ShippingError;
use crate::taxes::TaxError;

#[derive(Debug, Error)]
pub enum CartError {
    #[error(transparent)]
    Db(#[from] database::Error),
    #[error("Cart with id: {id} was not found")]
    NotFound { id: CartId },
    #[error("Cart {id} is already completed")]
    Completed { id: CartId },
    #[error("Cart {id} is being completed")]
    BeingCompleted { id: CartId },
    #[error("Line item with id: {id} was not found")]
    UnknownLine { id: CartLineId },
    #[error("Line item bundle with id: {id} was not found")]
    UnknownBundle { id: CartBundleId },
    #[error("Bundle product with id: {id} was not found")]
    UnknownBundleProduct { id: BundleProductId },
    #[error("Bundle item with id: {id} was not found")]
    UnknownSlot { id: BundleItemId },
    #[error("Variant with id: {variant_id} does not exist or is not sold here")]
    UnknownVariant { variant_id: VariantId },
    #[error("Variant with id: {variant_id} has no price in this region")]
    NoPrice { variant_id: VariantId },
    #[error("Country with code {country} is not within the cart's region")]
    CountryOutside { country: String },
    #[error("Country with code {country} does not exist")]
    UnknownCountry { country: String },
    #[error("Address with id: {id} was not found")]
    UnknownAddress { id: CustomerAddressId },
    #[error("Shipping Options are invalid for cart.")]
    OptionNotOffered,
    #[error("the cart has too many promotion codes")]
    TooManyCodes,
    #[error("{NEEDS_CHANNEL}")]
    ChannelNeeded,
    /// A channel that the key does not have.
    #[error(
        "Sales channel ID in payload {id} is not associated with the Publishable API Key in the header."
    )]
    ForeignChannel { id: SalesChannelId },
    #[error("the region is paid in {of_region}, not in {named}")]
    OtherCurrency { named: Currency, of_region: Currency },
    #[error("region_id or currency_code is required, for the store has no default region")]
    RegionNeeded,
    #[error("Field 'email' is required")]
    EmailNeeded,
    #[error("Store credit pays only for a customer who is logged in")]
    NoAccount,
    /// A plan that does not exist, or is not one of the product.
    #[error("{plan_id} is not a plan of the product of line item {id}")]
    PlanNotOffered { id: CartLineId, plan_id: SubscriptionPlanId },
    #[error(transparent)]
    Plans(#[from] PlanError),
    #[error(transparent)]
    Credit(#[from] CreditError),
    #[error(transparent)]
    Refused(#[from] Refusal),
    #[error(transparent)]
    Money(#[from] MoneyError),
    #[error(transparent)]
    Line(#[from] LineError),
    #[error(transparent)]
    Totals(#[from] TotalsError),
    #[error(transparent)]
    Metadata(#[from] MetadataError),
    #[error(transparent)]
    Catalog(#[from] CatalogError),
    #[error(transparent)]
    Pricing(#[from] PricingError),
    #[error(transparent)]
    Inventory(#[from] InventoryError),
    #[error(transparent)]
    Taxes(#[from] TaxError),
    #[error(transparent)]
    Shipping(#[from] ShippingError),
    #[error(transparent)]
    Promotions(#[from] PromotionError),
    #[error(transparent)]
    Regions(#[from] RegionError),
    #[error(transparent)]
    Customers(#[from] CustomerError),
    #[error(transparent)]
    Payments(#[from] PaymentError),
}

/// The message for a key with several channels.
const NEEDS_CHANNEL: &str = "Cannot assign sales channel to cart. The Publishable API Key in the header has multiple \
                             associated sales channels. Please provide a sales channel ID in the request body.";

impl From<CartError> for HttpError {
    fn from(error: CartError) -> Self {
        match error {
            CartError::Db(cause) => cause.into(),
            CartError::Catalog(cause) => cause.into(),
            CartError::Pricing(cause) => cause.into(),
            CartError::Inventory(cause) => cause.into(),
            CartError::Taxes(cause) => cause.into(),
            CartError::Shipping(cause) => cause.into(),
            CartError::Promotions(cause) => cause.into(),
            CartError::Regions(cause) => cause.into(),
            CartError::Customers(cause) => cause.into(),
            CartError::Payments(cause) => cause.into(),
            CartError::Credit(cause) => cause.into(),
            CartError::Plans(cause) => cause.into(),
            CartError::Refused(cause) => cause.into(),
            CartError::NotFound { .. }
            | CartError::UnknownLine { .. }
            | CartError::UnknownBundle { .. }
            | CartError::UnknownBundleProduct { .. }
            | CartError::UnknownSlot { .. }
            | CartError::UnknownAddress { .. } => Self::not_found(error.to_string()),
            CartError::Completed { .. } | CartError::NoAccount => {
                Self::not_allowed(error.to_string())
            }
            CartError::BeingCompleted { .. } => Self::conflict(error.to_string()),
            CartError::ChannelNeeded => Self::shaped(
                StatusCode::BAD_REQUEST,
                json!({
                    "message": "Provided request body contains errors. Please check the data and retry the request",
                    "errors": [NEEDS_CHANNEL],
                }),
            ),
            CartError::UnknownVariant { .. }
            | CartError::NoPrice { .. }
            | CartError::CountryOutside { .. }
            | CartError::UnknownCountry { .. }
            | CartError::OptionNotOffered
            | CartError::TooManyCodes
            | CartError::PlanNotOffered { .. }
            | CartError::ForeignChannel { .. }
            | CartError::OtherCurrency { .. }
            | CartError::RegionNeeded
            | CartError::EmailNeeded
            | CartError::Money(_)
            | CartError::Line(_)
            | CartError::Totals(_)
            | CartError::Metadata(_) => Self::invalid_data(error.to_string()),
        }
    }
}
