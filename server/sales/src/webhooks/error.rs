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
#[derive(Debug, Error)]
pub enum WebhookError {
    #[error(transparent)]
    NotFound(#[from] Missing),
    #[error("Delivery {id} {reason}")]
    NotAllowed { id: String, reason: &'static str },
    #[error(
        "`{0}` is no name of events: a name such as `order.placed`, a family such as `order.*`, or `*`"
    )]
    EventName(String),
    #[error("A store has at most {0} endpoints")]
    TooManyEndpoints(u32),
    #[error(transparent)]
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
    /// What it is about is being changed.
    #[error("{0}")]
    Waits(&'static str),
    #[error("the system has no random numbers")]
    NoRandomNumbers,
    #[error(transparent)]
    Db(#[from] database::Error),
}

impl From<WebhookError> for HttpError {
    fn from(error: WebhookError) -> Self {
        let message = error.to_string();
        match error {
            WebhookError::NotFound(_) => Self::not_found(message),
            WebhookError::NotAllowed { .. }
            | WebhookError::TooManyEndpoints(_)
            | WebhookError::Waits(_) => Self::not_allowed(message),
            WebhookError::EventName(_) | WebhookError::Target(_) => Self::invalid_data(message),
            WebhookError::Fulfillment(cause) => cause.into(),
            WebhookError::Payment(cause) => cause.into(),
            WebhookError::Order(cause) => cause.into(),
            WebhookError::Checkout(cause) => cause.into(),
            WebhookError::Subscription(cause) => cause.into(),
            WebhookError::NoRandomNumbers => Self::unexpected(message),
            WebhookError::Db(cause) => cause.into(),
        }
    }
}
