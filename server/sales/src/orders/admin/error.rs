//! Errors of changes by admins and their HTTP statuses.

use thiserror::Error;

use crate::credit::CreditError;
use crate::database;
use crate::http::HttpError;
use crate::ids::{CustomerId, OrderId};
use crate::inventory::InventoryError;
use crate::money::MoneyError;
use crate::orders::OrderError;
use crate::promotions::PromotionError;
use crate::proportion::OutOfRange;
use crate::shipping::ShippingError;

/// An error of a change by an admin.
#[derive(Debug, Error)]
pub enum OrderAdminError {
    #[error("all fulfillments of order `{0}` must be canceled before the order is")]
    Fulfilled(OrderId),
    #[error("order `{0}` has open returns: receive or cancel them first")]
    Returning(OrderId),
    /// Canceling would refund the same money to the card once more.
    #[error(
        "a part of order `{0}` was refunded to store credit: refund the rest instead of canceling it"
    )]
    Credited(OrderId),
    #[error("order `{0}` is a record of money and is kept: cancel or archive it instead")]
    NotDeletable(OrderId),
    #[error("order `{0}` is no draft any more: cancel or archive it instead")]
    NoDraft(OrderId),
    #[error("the country of an order's address cannot be changed")]
    FixedCountry,
    #[error("country `{0}` does not exist")]
    UnknownCountry(String),
    #[error("Customer with id: {0} was not found")]
    NoCustomer(CustomerId),
    #[error("customer `{0}` has no account")]
    NoAccount(CustomerId),
    #[error("order `{order_id}` belongs to customer `{customer_id}` already")]
    SameCustomer { order_id: OrderId, customer_id: CustomerId },
    #[error("a credit line is more than zero and at most what is still to be paid")]
    NothingToCredit,
    #[error("metadata is larger than 16384 bytes")]
    Metadata,
    #[error(transparent)]
    Money(#[from] MoneyError),
    #[error(transparent)]
    OutOfRange(#[from] OutOfRange),
    #[error(transparent)]
    Inventory(#[from] InventoryError),
    #[error(transparent)]
    Promotion(#[from] PromotionError),
    #[error(transparent)]
    Credit(#[from] CreditError),
    #[error(transparent)]
    Shipping(#[from] ShippingError),
    #[error(transparent)]
    Order(#[from] OrderError),
    #[error(transparent)]
    Db(#[from] database::Error),
}

impl From<OrderAdminError> for HttpError {
    fn from(error: OrderAdminError) -> Self {
        match error {
            OrderAdminError::Fulfilled(_)
            | OrderAdminError::Returning(_)
            | OrderAdminError::Credited(_)
            | OrderAdminError::NotDeletable(_)
            | OrderAdminError::NoDraft(_)
            | OrderAdminError::FixedCountry
            | OrderAdminError::NoAccount(_)
            | OrderAdminError::SameCustomer { .. }
            | OrderAdminError::NothingToCredit => Self::not_allowed(error.to_string()),
            OrderAdminError::NoCustomer(_) => Self::not_found(error.to_string()),
            OrderAdminError::UnknownCountry(_)
            | OrderAdminError::Metadata
            | OrderAdminError::Money(_)
            | OrderAdminError::OutOfRange(_) => Self::invalid_data(error.to_string()),
            OrderAdminError::Inventory(cause) => cause.into(),
            OrderAdminError::Promotion(cause) => cause.into(),
            OrderAdminError::Credit(cause) => cause.into(),
            OrderAdminError::Shipping(cause) => cause.into(),
            OrderAdminError::Order(cause) => cause.into(),
            OrderAdminError::Db(cause) => cause.into(),
        }
    }
}
