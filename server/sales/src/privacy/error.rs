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
#[derive(Debug, Error, HttpError)]
pub(crate) enum PrivacyError {
    #[error(transparent)]
    NotFound(#[from] Missing),
    #[error("Customer {customer} has subscription {subscription}: cancel it first")]
    #[http(not_allowed)]
    Subscribed { customer: CustomerId, subscription: SubscriptionId },
    #[error("Order {order} of customer {customer} is open")]
    #[http(not_allowed)]
    OpenOrder { customer: CustomerId, order: OrderId },
    #[error("Customer {customer} has {} of store credit, which is lost: repeat with `confirm_forfeit`", balance.text())]
    #[http(not_allowed)]
    Balance { customer: CustomerId, balance: Amount },
    #[error("The password is wrong")]
    #[http(unauthorized_because)]
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
