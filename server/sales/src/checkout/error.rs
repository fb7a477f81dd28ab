//! Why a cart does not become an order, and the statuses that answer it.

use thiserror::Error;

use crate::cart::CartError;
use crate::catalog::CatalogError;
use crate::credit::CreditError;
use crate::database;
use crate::http::HttpError;
use crate::ids::CartId;
use crate::inventory::InventoryError;
use crate::money::Amount;
use crate::orders::OrderError;
use crate::orders::admin::OrderAdminError;
use crate::payments::PaymentError;
use crate::pricing::PricingError;
use crate::promotions::PromotionError;
use crate::proportion::OutOfRange;
use crate::regions::RegionError;

/// Why a completion does not happen, or not yet.
#[derive(Debug, Error)]
pub enum CheckoutError {
    /// Nothing is in the cart.
    #[error("Cannot complete a cart with no items")]
    NoItems,
    /// It is not known where and in what the cart is sold.
    #[error("The cart has no {0}")]
    Missing(&'static str),
    /// Something must be sent, and it was not chosen how.
    #[error(
        "The cart items require shipping profiles that are not satisfied by the current shipping methods"
    )]
    NoShippingMethod,
    /// A variant was taken out of the shop after it was put into the cart.
    #[error("Variants with ids: {0} are not sold any more")]
    NotSold(String),
    /// Nobody began to pay.
    #[error("Payment collection has not been initiated for cart")]
    NoCollection,
    /// No attempt to pay can be used.
    #[error("Payment sessions are required to complete cart")]
    NoSession,
    /// The cart has changed since the attempt to pay was begun.
    #[error("The cart costs {} and the payment session is for {}: begin a new payment session", total.text(), session.text())]
    AnotherAmount {
        /// What the cart costs.
        total: Amount,
        /// What the session would pay.
        session: Amount,
    },
    /// The provider of the session does not serve the cart's region any more.
    #[error("Payment provider {0} is not enabled in the cart's region")]
    ProviderDisabled(String),
    /// Store credit is more than the cart costs.
    #[error("Store credit is more than the cart costs: apply it again")]
    TooMuchCredit,
    /// Other calls for the cart run for longer than one waits.
    #[error("Cart {0} is being completed by another request; try again")]
    Busy(CartId),
    /// The provider did not answer; asking again asks it again with the same key.
    #[error("The payment of cart {0} is not confirmed yet; try again")]
    Unconfirmed(CartId),
    #[error(transparent)]
    Cart(#[from] CartError),
    /// The catalogue.
    #[error(transparent)]
    Catalog(#[from] CatalogError),
    /// Prices and costs.
    #[error(transparent)]
    Pricing(#[from] PricingError),
    /// Stock.
    #[error(transparent)]
    Inventory(#[from] InventoryError),
    /// Promotions.
    #[error(transparent)]
    Promotion(#[from] PromotionError),
    /// Store credit.
    #[error(transparent)]
    Credit(#[from] CreditError),
    /// Payment.
    #[error(transparent)]
    Payment(#[from] PaymentError),
    #[error(transparent)]
    Order(#[from] OrderError),
    /// What administrators do with orders.
    #[error(transparent)]
    OrderAdmin(#[from] OrderAdminError),
    /// Regions.
    #[error(transparent)]
    Region(#[from] RegionError),
    /// Sums that do not fit.
    #[error(transparent)]
    OutOfRange(#[from] OutOfRange),
    #[error(transparent)]
    Db(#[from] database::Error),
}

impl From<CheckoutError> for HttpError {
    fn from(error: CheckoutError) -> Self {
        let message = error.to_string();
        match error {
            CheckoutError::NoItems
            | CheckoutError::Missing(_)
            | CheckoutError::NoShippingMethod
            | CheckoutError::NotSold(_)
            | CheckoutError::NoCollection
            | CheckoutError::NoSession
            | CheckoutError::AnotherAmount { .. }
            | CheckoutError::ProviderDisabled(_)
            | CheckoutError::TooMuchCredit
            | CheckoutError::OutOfRange(_) => Self::invalid_data(message),
            CheckoutError::Busy(_) | CheckoutError::Unconfirmed(_) => Self::conflict(message),
            CheckoutError::Cart(cause) => cause.into(),
            CheckoutError::Catalog(cause) => cause.into(),
            CheckoutError::Pricing(cause) => cause.into(),
            CheckoutError::Inventory(cause) => cause.into(),
            CheckoutError::Promotion(cause) => cause.into(),
            CheckoutError::Credit(cause) => cause.into(),
            CheckoutError::Payment(cause) => cause.into(),
            CheckoutError::Order(cause) => cause.into(),
            CheckoutError::OrderAdmin(cause) => cause.into(),
            CheckoutError::Region(cause) => cause.into(),
            CheckoutError::Db(cause) => cause.into(),
        }
    }
}
