//! Errors of the demo store.

use thiserror::Error;

use crate::cart::CartError;
use crate::cart::totals::TotalsError;
use crate::catalog::CatalogError;
use crate::customers::CustomerError;
use crate::database;
use crate::fulfillment::FulfillmentError;
use crate::inventory::InventoryError;
use crate::orders::OrderError;
use crate::payments::PaymentError;
use crate::pricing::PricingError;
use crate::promotions::PromotionError;
use crate::proportion::OutOfRange;
use crate::regions::RegionError;
use crate::returns::ReturnError;
use crate::shipping::ShippingError;
use crate::taxes::TaxError;

use super::plan::PlanError;
use super::source::SourceError;

type Cause = Box<dyn std::error::Error + Send + Sync>;

/// An error of loading the demo store.
#[derive(Debug, Error)]
pub enum DemoError {
    /// The database already has a store.
    #[error("the database has a store already; the demo store needs an empty one")]
    NotEmpty,
    /// The data in the binary, or a value derived from it, is invalid.
    #[error("the demo store's data cannot be used")]
    Data(#[source] Cause),
    /// A domain refused a part of the store.
    #[error("the demo store cannot be created")]
    Refused(#[source] Cause),
    /// The database failed.
    #[error(transparent)]
    Db(#[from] database::Error),
}

macro_rules! causes {
    ($variant:ident: $($error:ty),+) => {
        $(impl From<$error> for DemoError {
            fn from(error: $error) -> Self {
                Self::$variant(Box::new(error))
            }
        })+
    };
}

causes!(Data: SourceError, PlanError, OutOfRange, TotalsError, jiff::Error);
causes!(Refused: CartError, CatalogError, CustomerError, FulfillmentError, InventoryError, OrderError, PaymentError, PricingError,
    PromotionError, RegionError, ReturnError, ShippingError, TaxError, crate::auth::EmailError,
    crate::money::CurrencyError);
