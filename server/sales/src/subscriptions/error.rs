//! Errors of subscriptions and their HTTP statuses.

use thiserror::Error;

use super::status::SubscriptionStatus;
use crate::cart::CartError;
use crate::clock::Timestamp;
use crate::credit::CreditError;
use crate::database::{self, Missing};
use crate::http::HttpError;
use crate::ids::SubscriptionId;
use crate::orders::OrderError;
use crate::payments::PaymentError;
use crate::plans::PlanError;
use crate::proportion::OutOfRange;
use crate::regions::RegionError;

#[derive(Debug, Error, HttpError)]
pub enum SubscriptionError {
    #[error(transparent)]
    #[http(not_found)]
    NotFound(#[from] Missing),
    /// No edge leads there, or the customer may not do it at present.
    #[error(
        "Subscription {id} is {}, so this is not allowed; allowed are: {}",
        status.as_str(),
        if actions.is_empty() { "nothing".to_owned() } else { actions.join(", ") }
    )]
    #[http(not_allowed)]
    NotAllowed { id: SubscriptionId, status: SubscriptionStatus, actions: Vec<&'static str> },
    #[error(
        "It is less than {hours} hours until the next billing, so this is not allowed any more"
    )]
    #[http(not_allowed)]
    Cutoff { hours: i64 },
    #[error("It can be canceled from {0} on")]
    #[http(not_allowed)]
    TooEarly(Timestamp),
    #[error("{0}")]
    #[http(not_allowed)]
    Refused(String),
    #[error("Subscription {0} is being billed; try again")]
    #[http(busy)]
    Busy(SubscriptionId),
    #[error("Subscription {0} was changed in between; `If-Match` names an older state of it")]
    #[http(conflict)]
    Changed(SubscriptionId),
    #[error("Payment authorization failed: {0}")]
    #[http(payment_refused)]
    Declined(String),
    #[error("Too many attempts to pay this cycle; try again tomorrow")]
    #[http(rate_limited(RETRY_AFTER_S))]
    TooManyAttempts,
    #[error("{0}")]
    #[http(invalid_data)]
    Invalid(String),
    #[error(transparent)]
    Cart(#[from] CartError),
    #[error(transparent)]
    Order(#[from] OrderError),
    #[error(transparent)]
    Payment(#[from] PaymentError),
    #[error(transparent)]
    Credit(#[from] CreditError),
    #[error(transparent)]
    Plan(#[from] PlanError),
    #[error(transparent)]
    Region(#[from] RegionError),
    #[error(transparent)]
    #[http(invalid_data)]
    OutOfRange(#[from] OutOfRange),
    #[error(transparent)]
    Db(#[from] database::Error),
}

/// Seconds after which a customer may try to pay again.
const RETRY_AFTER_S: u64 = 24 * 60 * 60;
