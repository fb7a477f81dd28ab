//! What can go wrong when an admin changes an order.

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

/// Why an admin cannot change an order so.
#[derive(Debug, Error)]
pub enum OrderAdminError {
    /// Goods are packed or on their way.
    #[error("all fulfillments of order `{0}` must be canceled before the order is")]
    Fulfilled(OrderId),
    /// Goods are awaited back.
    #[error("order `{0}` has open returns: receive or cancel them first")]
    Returning(OrderId),
    /// Orders are records of money, so they are kept.
    #[error("order `{0}` is a record of money and is kept: cancel or archive it instead")]
    NotDeletable(OrderId),
    /// It is placed, so it is not a draft any more.
    #[error("order `{0}` is no draft any more: cancel or archive it instead")]
    NoDraft(OrderId),
    /// Taxes and shipping follow from the country, so it stays.
    #[error("the country of an order's address cannot be changed")]
    FixedCountry,
    /// Two letters that are no country.
    #[error("country `{0}` does not exist")]
    UnknownCountry(String),
    /// There is no such customer.
    #[error("Customer with id: {0} was not found")]
    NoCustomer(CustomerId),
    /// An order is only given to who can log in and see it.
    #[error("customer `{0}` has no account")]
    NoAccount(CustomerId),
    /// The order is theirs already.
    #[error("order `{order_id}` belongs to customer `{customer_id}` already")]
    SameCustomer { order_id: OrderId, customer_id: CustomerId },
    /// More credit than is to be paid, or none.
    #[error("a credit line is more than zero and at most what is still to be paid")]
    NothingToCredit,
    /// The metadata is too large.
    #[error("metadata is larger than 16384 bytes")]
    Metadata,
    /// An amount cannot be taken.
    #[error(transparent)]
    Money(#[from] MoneyError),
    /// An amount does not fit.
    #[error(transparent)]
    OutOfRange(#[from] OutOfRange),
    /// The stock refuses.
    #[error(transparent)]
    Inventory(#[from] InventoryError),
    /// The promotions refuse.
    #[error(transparent)]
    Promotion(#[from] PromotionError),
    /// The ledger of store credit refuses.
    #[error(transparent)]
    Credit(#[from] CreditError),
    /// The shipping options cannot be worked out.
    #[error(transparent)]
    Shipping(#[from] ShippingError),
    /// The order refuses.
    #[error(transparent)]
    Order(#[from] OrderError),
    #[error(transparent)]
    Db(#[from] database::Error),
}

impl From<rusqlite::Error> for OrderAdminError {
    fn from(error: rusqlite::Error) -> Self {
        Self::Db(error.into())
    }
}

impl From<OrderAdminError> for HttpError {
    fn from(error: OrderAdminError) -> Self {
        match error {
            OrderAdminError::Fulfilled(_)
            | OrderAdminError::Returning(_)
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
