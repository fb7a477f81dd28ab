//! Errors of webhooks and their HTTP statuses.

use quotient_foundation::webhooks::TargetError;
use thiserror::Error;

use crate::checkout::CheckoutError;
use crate::database::{self, Missing};
use crate::fulfillment::FulfillmentError;
use crate::http::HttpError;
use crate::orders::OrderError;
use crate::payments::PaymentError;
use crate::subscriptions::SubscriptionError;

/// An error of a delivery or an endpoint.
#[derive(Debug, Error, HttpError)]
pub enum WebhookError {
    #[error(transparent)]
    NotFound(#[from] Missing),
    #[error("Delivery {id} {reason}")]
    #[http(not_allowed)]
    NotAllowed { id: String, reason: &'static str },
    #[error("No event `{name}` goes out. Possible are {possible}; all are `*`")]
    #[http(invalid_data)]
    EventName { name: String, possible: String },
    #[error("A store has at most {0} endpoints")]
    #[http(not_allowed)]
    TooManyEndpoints(u32),
    #[error(transparent)]
    #[http(invalid_data)]
    Target(#[from] TargetError),
    #[error(transparent)]
    Fulfillment(#[from] FulfillmentError),
    #[error(transparent)]
    Payment(#[from] PaymentError),
    #[error(transparent)]
    Order(#[from] OrderError),
    #[error(transparent)]
    Checkout(#[from] CheckoutError),
    #[error(transparent)]
    Subscription(#[from] SubscriptionError),
    /// Its subject is being changed.
    #[error("{0}")]
    #[http(not_allowed)]
    Waits(&'static str),
    #[error("the system has no random numbers")]
    #[http(unexpected)]
    NoRandomNumbers,
    #[error(transparent)]
    Db(#[from] database::Error),
}
