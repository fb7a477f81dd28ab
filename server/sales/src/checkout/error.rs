//! Errors of checkout and their HTTP statuses.

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
use crate::payments::PaymentError;
use crate::pricing::PricingError;
use crate::promotions::PromotionError;
use crate::proportion::OutOfRange;
use crate::regions::RegionError;
use crate::subscriptions::SubscriptionError;

#[derive(Debug, Error, HttpError)]
pub enum CheckoutError {
    #[error("Cannot complete a cart with no items")]
    #[http(invalid_data)]
    NoItems,
    #[error("The cart has no {0}")]
    #[http(invalid_data)]
    Missing(&'static str),
    /// An item needs shipping but no method is chosen for it.
    #[error(
        "The cart items require shipping profiles that are not satisfied by the current shipping methods"
    )]
    #[http(invalid_data)]
    NoShippingMethod,
    #[error("Variants with ids: {0} are not sold any more")]
    #[http(invalid_data)]
    NotSold(String),
    #[error("Payment collection has not been initiated for cart")]
    #[http(invalid_data)]
    NoCollection,
    #[error("Payment sessions are required to complete cart")]
    #[http(invalid_data)]
    NoSession,
    #[error("The cart costs {} and the payment session is for {}: begin a new payment session", total.text(), session.text())]
    #[http(invalid_data)]
    AnotherAmount { total: Amount, session: Amount },
    #[error("Payment provider {0} is not enabled in the cart's region")]
    #[http(invalid_data)]
    ProviderDisabled(String),
    #[error("Store credit is more than the cart costs: apply it again")]
    #[http(invalid_data)]
    TooMuchCredit,
    #[error("The store credit was spent elsewhere: the cart has what is left of it")]
    #[http(not_allowed, code = "INSUFFICIENT_CREDIT")]
    CreditSpent,
    #[error("Cart {0} is being completed by another request; try again")]
    #[http(busy)]
    Busy(CartId),
    #[error("The payment of cart {0} is not confirmed yet; try again")]
    #[http(busy)]
    Unconfirmed(CartId),
    #[error(
        "A subscription needs a payment session with `setup_future_usage` `off_session`, or a saved payment method, for nobody is there at its renewals"
    )]
    #[http(invalid_data)]
    MethodNotSaved,
    #[error(transparent)]
    Subscription(#[from] SubscriptionError),
    #[error(transparent)]
    Cart(#[from] CartError),
    #[error(transparent)]
    Catalog(#[from] CatalogError),
    #[error(transparent)]
    Pricing(#[from] PricingError),
    #[error(transparent)]
    Inventory(#[from] InventoryError),
    #[error(transparent)]
    Promotion(#[from] PromotionError),
    #[error(transparent)]
    Credit(#[from] CreditError),
    #[error(transparent)]
    Payment(#[from] PaymentError),
    #[error(transparent)]
    Order(#[from] OrderError),
    #[error(transparent)]
    Region(#[from] RegionError),
    #[error(transparent)]
    OutOfRange(#[from] OutOfRange),
    #[error(transparent)]
    Db(#[from] database::Error),
}
