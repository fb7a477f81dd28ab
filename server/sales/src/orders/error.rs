//! Errors of orders and their HTTP statuses.

use thiserror::Error;

use crate::cart::totals::TotalsError;
use crate::credit::CreditError;
use crate::database::{self, Missing};
use crate::http::{HttpError, Refusal};
use crate::ids::OrderId;
use crate::inventory::InventoryError;
use crate::metadata::MetadataError;
use crate::money::MoneyError;
use crate::payments::PaymentError;
use crate::pricing::PricingError;
use crate::promotions::PromotionError;
use crate::proportion::OutOfRange;
use crate::regions::RegionError;
use crate::shipping::ShippingError;
use crate::statuses::OrderStatus;
use crate::taxes::TaxError;

#[derive(Debug, Error, HttpError)]
pub enum OrderError {
    #[error("Order with id: {0} was not found")]
    #[http(not_found)]
    NotFound(OrderId),
    #[error("order `{id}` is {}, so it cannot become {}", from.as_str(), to.as_str())]
    #[http(not_allowed)]
    NotAllowed { id: OrderId, from: OrderStatus, to: OrderStatus },
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
    Missing(#[from] Missing),
    #[error(transparent)]
    Refused(#[from] Refusal),
    #[error(transparent)]
    Money(#[from] MoneyError),
    #[error(transparent)]
    Metadata(#[from] MetadataError),
    #[error(transparent)]
    Credit(#[from] CreditError),
    #[error(transparent)]
    Shipping(#[from] ShippingError),
    #[error(transparent)]
    Region(#[from] RegionError),
    #[error(transparent)]
    Tax(#[from] TaxError),
    #[error(transparent)]
    Db(#[from] database::Error),
}

impl From<OutOfRange> for OrderError {
    fn from(error: OutOfRange) -> Self {
        Self::Totals(error.into())
    }
}
