//! Errors of exports and erasures, and their HTTP statuses.

use thiserror::Error;

use crate::auth::AuthError;
use crate::credit::CreditError;
use crate::customers::CustomerError;
use crate::database::{self, Missing};
use crate::http::HttpError;
use crate::ids::{CustomerId, OrderId, SubscriptionId};
use crate::money::Amount;
use crate::payments::PaymentError;

/// Why a customer is not exported or erased.
#[derive(Debug, Error)]
pub(crate) enum PrivacyError {
    #[error(transparent)]
    NotFound(#[from] Missing),
    #[error("Customer {customer} has subscription {subscription}: cancel it first")]
    Subscribed { customer: CustomerId, subscription: SubscriptionId },
    #[error("Order {order} of customer {customer} is open")]
    OpenOrder { customer: CustomerId, order: OrderId },
    #[error("Customer {customer} has {} of store credit, which is lost: repeat with `confirm_forfeit`", balance.text())]
    Balance { customer: CustomerId, balance: Amount },
    #[error("The password is wrong")]
    WrongPassword,
    #[error(transparent)]
    Auth(#[from] AuthError),
    #[error(transparent)]
    Credit(#[from] CreditError),
    #[error(transparent)]
    Customer(#[from] CustomerError),
    #[error(transparent)]
    Payment(#[from] PaymentError),
    #[error(transparent)]
    Db(#[from] database::Error),
}

impl From<PrivacyError> for HttpError {
    fn from(error: PrivacyError) -> Self {
        let message = error.to_string();
        match error {
            PrivacyError::NotFound(_) => Self::not_found(message),
            PrivacyError::Subscribed { .. }
            | PrivacyError::OpenOrder { .. }
            | PrivacyError::Balance { .. } => Self::not_allowed(message),
            PrivacyError::WrongPassword => Self::unauthorized_because(message),
            PrivacyError::Auth(cause) => cause.into(),
            PrivacyError::Credit(cause) => cause.into(),
            PrivacyError::Customer(cause) => cause.into(),
            PrivacyError::Payment(cause) => cause.into(),
            PrivacyError::Db(cause) => cause.into(),
        }
    }
}
