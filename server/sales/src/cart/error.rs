//! Errors of carts and their HTTP statuses.

use axum::http::StatusCode;
use serde_json::json;
use thiserror::Error;

use super::lines::LineError;
use super::totals::TotalsError;
use crate::catalog::CatalogError;
use crate::credit::CreditError;
use crate::customers::CustomerError;
use crate::database::{self, Missing};
use crate::http::{HttpError, Refusal};
use crate::ids::{CartId, CartLineId, SalesChannelId, SubscriptionPlanId, VariantId};
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

#[derive(Debug, Error, HttpError)]
pub enum CartError {
    #[error(transparent)]
    Db(#[from] database::Error),
    #[error("Cart with id: {id} was not found")]
    #[http(not_found)]
    NotFound { id: CartId },
    /// A part of the cart, or something to be added to it, does not exist.
    #[error(transparent)]
    Missing(#[from] Missing),
    #[error("Cart {id} is already completed")]
    #[http(not_allowed)]
    Completed { id: CartId },
    #[error("Cart {id} is being completed")]
    #[http(conflict)]
    BeingCompleted { id: CartId },
    #[error("Variant with id: {variant_id} does not exist or is not sold here")]
    #[http(invalid_data)]
    UnknownVariant { variant_id: VariantId },
    #[error("Variant with id: {variant_id} has no price in this region")]
    #[http(invalid_data)]
    NoPrice { variant_id: VariantId },
    #[error("Country with code {country} is not within the cart's region")]
    #[http(invalid_data)]
    CountryOutside { country: String },
    #[error("Country with code {country} does not exist")]
    #[http(invalid_data)]
    UnknownCountry { country: String },
    #[error("Shipping Options are invalid for cart.")]
    #[http(invalid_data)]
    OptionNotOffered,
    #[error("the cart has too many promotion codes")]
    #[http(invalid_data)]
    TooManyCodes,
    #[error("{NEEDS_CHANNEL}")]
    #[http(with = channel_needed)]
    ChannelNeeded,
    /// A channel that the key does not have.
    #[error(
        "Sales channel ID in payload {id} is not associated with the Publishable API Key in the header."
    )]
    #[http(invalid_data)]
    ForeignChannel { id: SalesChannelId },
    #[error("the region is paid in {of_region}, not in {named}")]
    #[http(invalid_data)]
    OtherCurrency { named: Currency, of_region: Currency },
    #[error("Field 'region_id' or 'currency_code' is required: the store has no default region")]
    #[http(invalid_data)]
    RegionNeeded,
    #[error("Field 'email' is required")]
    #[http(invalid_data)]
    EmailNeeded,
    #[error("Store credit pays only for a customer who is logged in")]
    #[http(not_allowed)]
    NoAccount,
    /// A plan that does not exist, or does not belong to the product.
    #[error("{plan_id} is not a plan of the product of line item {id}")]
    #[http(invalid_data)]
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
    #[http(invalid_data)]
    Line(#[from] LineError),
    #[error(transparent)]
    #[http(invalid_data)]
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

fn channel_needed(_error: &CartError) -> HttpError {
    let message =
        "Provided request body contains errors. Please check the data and retry the request";
    let body = json!({ "message": message, "errors": [NEEDS_CHANNEL] });
    HttpError::shaped(StatusCode::BAD_REQUEST, body)
}
