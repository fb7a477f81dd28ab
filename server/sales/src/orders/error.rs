//! Errors of orders and their HTTP statuses.

use thiserror::Error;

use crate::cart::totals::TotalsError;
use crate::database;
use crate::http::HttpError;
use crate::ids::OrderId;
use crate::inventory::InventoryError;
use crate::payments::PaymentError;
use crate::pricing::PricingError;
use crate::promotions::PromotionError;
use crate::proportion::OutOfRange;
use crate::statuses::OrderStatus;

#[derive(Debug, Error, HttpError)]
pub enum OrderError {
    #[error("Order with id: {0} was not found")]
    #[http(not_found)]
    NotFound(OrderId),
    #[error("order `{id}` is {}, so it cannot become {}", from.as_str(), to.as_str())]
    #[http(not_allowed)]
    Refused { id: OrderId, from: OrderStatus, to: OrderStatus },
    #[error("the totals of an order are out of range")]
    #[http(invalid_data)]
    Totals(#[from] TotalsError),
    #[error("The cart has no sales channel")]
    #[http(invalid_data)]
    NoChannel,
    #[error(transparent)]
    Pricing(#[from] PricingError),
    #[error(transparent)]
    Inventory(#[from] InventoryError),
    #[error(transparent)]
    Promotion(#[from] PromotionError),
    #[error(transparent)]
    Payment(#[from] PaymentError),
    #[error(transparent)]
    Db(#[from] database::Error),
}

impl From<OutOfRange> for OrderError {
    fn from(error: OutOfRange) -> Self {
        Self::Totals(error.into())
    }
}
