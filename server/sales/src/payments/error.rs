//! What can go wrong with payments, and the statuses that answer it.

use thiserror::Error;

use super::provider::ProviderError;
use crate::database::{self, Missing};
use crate::http::HttpError;
use crate::ids::{CartId, OrderId, PaymentCollectionId, PaymentId};
use crate::metadata::MetadataError;
use crate::money::{Amount, MoneyError};
use crate::proportion::OutOfRange;

/// Why money does not move.
#[derive(Debug, Error)]
pub enum PaymentError {
    #[error(transparent)]
    NotFound(#[from] Missing),
    /// A reason of this code is there already.
    #[error("Refund reason with code: {0}, already exists.")]
    DuplicateReason(String),
    /// The metadata is too large.
    #[error(transparent)]
    Metadata(#[from] MetadataError),
    /// The collection is not the order's.
    #[error("Payment collection {collection} is not part of order {order}")]
    OfAnotherOrder { collection: PaymentCollectionId, order: OrderId },
    /// The cart has become an order.
    #[error("Cart {0} is already completed")]
    Completed(CartId),
    /// The cart is becoming an order at this moment.
    #[error("Cart {0} is being completed; try again")]
    BeingCompleted(CartId),
    /// Others are at the payment for longer than one waits.
    #[error("Payment {0} is being changed; try again")]
    Busy(PaymentId),
    /// Nothing is left to pay.
    #[error("Nothing is to be paid")]
    NothingToPay,
    /// The provider is not there, or not for this region.
    #[error("Payment provider with id: {0} is not available for this cart")]
    NoProvider(String),
    /// A subscription needs to know whose it is.
    #[error("A customer is required on the cart to create a payment account holder")]
    NoCustomer,
    /// More than what is left of a payment.
    #[error("You cannot {verb} {}, at most {} is left", asked.text(), left.text())]
    AboveRemainder {
        /// What was to be done, as `capture`.
        verb: &'static str,
        /// How much was asked for.
        asked: Amount,
        /// How much is left.
        left: Amount,
    },
    /// An amount of nothing or less.
    #[error("The amount to {verb} must be more than zero")]
    NotPositive {
        /// What was to be done.
        verb: &'static str,
    },
    /// The payment was called off.
    #[error("Payment {0} is canceled")]
    Canceled(PaymentId),
    /// A payment that was captured is refunded, not called off.
    #[error("Payment {0} is captured and cannot be canceled")]
    Captured(PaymentId),
    /// The provider said no.
    #[error("The payment provider refused to {verb}: {reason}")]
    Refused {
        /// What was to be done.
        verb: &'static str,
        /// A short code.
        reason: String,
    },
    /// The provider cannot use what was sent, or did not answer.
    #[error(transparent)]
    Provider(#[from] ProviderError),
    /// An amount that cannot be taken.
    #[error(transparent)]
    Money(#[from] MoneyError),
    /// Sums that do not fit.
    #[error(transparent)]
    OutOfRange(#[from] OutOfRange),
    #[error(transparent)]
    Db(#[from] database::Error),
}

impl From<rusqlite::Error> for PaymentError {
    fn from(error: rusqlite::Error) -> Self {
        Self::Db(error.into())
    }
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
            | PaymentError::OfAnotherOrder { .. }
            | PaymentError::AboveRemainder { .. }
            | PaymentError::NotPositive { .. }
            | PaymentError::Provider(ProviderError::Invalid { .. })
            | PaymentError::Money(_)
            | PaymentError::OutOfRange(_) => Self::invalid_data(message),
            PaymentError::Completed(_)
            | PaymentError::NothingToPay
            | PaymentError::Canceled(_)
            | PaymentError::Captured(_)
            | PaymentError::Refused { .. } => Self::not_allowed(message),
            PaymentError::BeingCompleted(_) | PaymentError::Busy(_) => Self::conflict(message),
            PaymentError::Provider(ProviderError::Unavailable) => Self::unavailable(1),
            PaymentError::Db(cause) => cause.into(),
        }
    }
}
