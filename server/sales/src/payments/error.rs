//! Errors of payments and their HTTP statuses.

use thiserror::Error;

use super::provider::ProviderError;
use crate::database::{self, Missing};
use crate::http::HttpError;
use crate::ids::{
    CartId, OrderId, PaymentCollectionId, PaymentId, PaymentMethodId, SubscriptionId,
};
use crate::metadata::MetadataError;
use crate::money::{Amount, MoneyError};
use crate::proportion::OutOfRange;

#[derive(Debug, Error, HttpError)]
pub enum PaymentError {
    #[error("Payment method {id} pays for subscription {subscription}: give it another one first")]
    #[http(not_allowed)]
    MethodInUse { id: PaymentMethodId, subscription: SubscriptionId },
    #[error(transparent)]
    NotFound(#[from] Missing),
    #[error("Refund reason with code: {0}, already exists.")]
    #[http(duplicate)]
    DuplicateReason(String),
    #[error(transparent)]
    Metadata(#[from] MetadataError),
    #[error("Payment collection {collection} is not part of order {order}")]
    #[http(invalid_data)]
    OfAnotherOrder { collection: PaymentCollectionId, order: OrderId },
    #[error("Cart {0} is already completed")]
    #[http(not_allowed)]
    Completed(CartId),
    #[error("Cart {0} is being completed; try again")]
    #[http(busy)]
    BeingCompleted(CartId),
    #[error("Payment {0} is being changed; try again")]
    #[http(busy)]
    Busy(PaymentId),
    #[error("Nothing is to be paid")]
    #[http(not_allowed)]
    NothingToPay,
    #[error("Payment provider with id: {0} is not available for this cart")]
    #[http(invalid_data)]
    NoProvider(String),
    #[error("A customer is required on the cart to create a payment account holder")]
    #[http(invalid_data)]
    NoCustomer,
    #[error("At most {max} payment methods can be saved: remove one first")]
    #[http(invalid_data)]
    TooManyMethods { max: usize },
    #[error("You cannot {verb} {}, at most {} is left", requested.text(), left.text())]
    #[http(invalid_data)]
    AboveRemainder { verb: &'static str, requested: Amount, left: Amount },
    #[error("Nothing is left to {verb}")]
    #[http(invalid_data)]
    NothingLeft { verb: &'static str },
    #[error("The amount to {verb} must be more than zero")]
    #[http(invalid_data)]
    NotPositive { verb: &'static str },
    #[error("Payment {0} is canceled")]
    #[http(not_allowed)]
    Canceled(PaymentId),
    #[error("Order {0} is canceled, so nothing is captured for it")]
    #[http(not_allowed)]
    OfCanceledOrder(OrderId),
    #[error("Payment {0} is captured and cannot be canceled")]
    #[http(not_allowed)]
    Captured(PaymentId),
    #[error("The payment provider refused to {verb}: {reason}")]
    #[http(not_allowed)]
    Refused { verb: &'static str, reason: String },
    #[error(transparent)]
    Provider(#[from] ProviderError),
    #[error(transparent)]
    Money(#[from] MoneyError),
    #[error(transparent)]
    OutOfRange(#[from] OutOfRange),
    #[error(transparent)]
    Db(#[from] database::Error),
}
