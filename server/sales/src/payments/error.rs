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

#[derive(Debug, Error)]
pub enum PaymentError {
    #[error("Payment method {id} pays for subscription {subscription}: give it another one first")]
    MethodInUse { id: PaymentMethodId, subscription: SubscriptionId },
    #[error(transparent)]
    NotFound(#[from] Missing),
    #[error("Refund reason with code: {0}, already exists.")]
    DuplicateReason(String),
    #[error(transparent)]
    Metadata(#[from] MetadataError),
    #[error("Payment collection {collection} is not part of order {order}")]
    OfAnotherOrder { collection: PaymentCollectionId, order: OrderId },
    #[error("Cart {0} is already completed")]
    Completed(CartId),
    #[error("Cart {0} is being completed; try again")]
    BeingCompleted(CartId),
    #[error("Payment {0} is being changed; try again")]
    Busy(PaymentId),
    #[error("Nothing is to be paid")]
    NothingToPay,
    #[error("Payment provider with id: {0} is not available for this cart")]
    NoProvider(String),
    #[error("A customer is required on the cart to create a payment account holder")]
    NoCustomer,
    #[error("At most {max} payment methods can be saved: remove one first")]
    TooManyMethods { max: usize },
    #[error("You cannot {verb} {}, at most {} is left", requested.text(), left.text())]
    AboveRemainder { verb: &'static str, requested: Amount, left: Amount },
    #[error("Nothing is left to {verb}")]
    NothingLeft { verb: &'static str },
    #[error("The amount to {verb} must be more than zero")]
    NotPositive { verb: &'static str },
    #[error("Payment {0} is canceled")]
    Canceled(PaymentId),
    #[error("Order {0} is canceled, so nothing is captured for it")]
    OfCanceledOrder(OrderId),
    #[error("Payment {0} is captured and cannot be canceled")]
    Captured(PaymentId),
    #[error("The payment provider refused to {verb}: {reason}")]
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

impl From<PaymentError> for HttpError {
    fn from(error: PaymentError) -> Self {
        let message = error.to_string();
        match error {
            PaymentError::NotFound(_) => Self::not_found(message),
            PaymentError::NoProvider(_)
            | PaymentError::DuplicateReason(_)
            | PaymentError::Metadata(_)
            | PaymentError::NoCustomer
            | PaymentError::TooManyMethods { .. }
            | PaymentError::OfAnotherOrder { .. }
            | PaymentError::AboveRemainder { .. }
            | PaymentError::NothingLeft { .. }
            | PaymentError::NotPositive { .. }
            | PaymentError::Provider(ProviderError::Invalid { .. })
            | PaymentError::Money(_)
            | PaymentError::OutOfRange(_) => Self::invalid_data(message),
            PaymentError::MethodInUse { .. }
            | PaymentError::Completed(_)
            | PaymentError::NothingToPay
            | PaymentError::Canceled(_)
            | PaymentError::OfCanceledOrder(_)
            | PaymentError::Captured(_)
            | PaymentError::Refused { .. } => Self::not_allowed(message),
            PaymentError::BeingCompleted(_) | PaymentError::Busy(_) => Self::conflict(message),
            PaymentError::Provider(ProviderError::Unavailable) => Self::unavailable(1),
            PaymentError::Provider(ProviderError::Unsupported) => Self::not_implemented(message),
            PaymentError::Db(cause) => cause.into(),
        }
    }
}
