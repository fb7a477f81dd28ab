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

#[derive(Debug, Error)]
pub enum SubscriptionError {
    #[error(transparent)]
    NotFound(#[from] Missing),
    /// No edge leads there, or the customer may not do it now.
    #[error(
        "Subscription {id} is {}, so this is not allowed; allowed are: {}",
        status.as_str(),
        if actions.is_empty() { "nothing".to_owned() } else { actions.join(", ") }
    )]
    NotAllowed { id: SubscriptionId, status: SubscriptionStatus, actions: Vec<&'static str> },
    #[error(
        "It is less than {hours} hours until the next billing, so this is not allowed any more"
    )]
    Cutoff { hours: i64 },
    #[error("It can be canceled from {0} on")]
    TooEarly(Timestamp),
    #[error("{0}")]
    Refused(String),
    #[error("Subscription {0} is being billed; try again")]
    Busy(SubscriptionId),
    #[error("Subscription {0} was changed in between; `If-Match` names an older state of it")]
    Changed(SubscriptionId),
    #[error("Payment authorization failed: {0}")]
    Declined(String),
    #[error("Too many attempts to pay this cycle; try again tomorrow")]
    TooManyAttempts,
    #[error("{0}")]
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
    OutOfRange(#[from] OutOfRange),
    #[error(transparent)]
    Db(#[from] database::Error),
}

/// Seconds after which a customer may try to pay again.
const RETRY_AFTER_S: u64 = 24 * 60 * 60;

impl From<SubscriptionError> for HttpError {
    fn from(error: SubscriptionError) -> Self {
        let message = error.to_string();
        match error {
            SubscriptionError::NotFound(_) => Self::not_found(message),
            SubscriptionError::NotAllowed { .. }
            | SubscriptionError::Cutoff { .. }
            | SubscriptionError::TooEarly(_)
            | SubscriptionError::Refused(_) => Self::not_allowed(message),
            SubscriptionError::Busy(_) | SubscriptionError::Changed(_) => Self::conflict(message),
            SubscriptionError::Declined(_) => Self::payment_refused(message),
            SubscriptionError::TooManyAttempts => Self::rate_limited(RETRY_AFTER_S),
            SubscriptionError::Invalid(_) | SubscriptionError::OutOfRange(_) => {
                Self::invalid_data(message)
            }
            SubscriptionError::Cart(cause) => cause.into(),
            SubscriptionError::Order(cause) => cause.into(),
            SubscriptionError::Payment(cause) => cause.into(),
            SubscriptionError::Credit(cause) => cause.into(),
            SubscriptionError::Plan(cause) => cause.into(),
            SubscriptionError::Region(cause) => cause.into(),
            SubscriptionError::Db(cause) => cause.into(),
        }
    }
}
