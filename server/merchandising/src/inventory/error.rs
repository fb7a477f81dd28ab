//! Errors of stock.

use thiserror::Error;

use super::availability::StockError;
use crate::database::{self, Missing};
use crate::http::HttpError;
use crate::ids::{InventoryItemId, StockLocationId, VariantId};
use crate::metadata::MetadataError;
use crate::proportion::OutOfRange;

#[derive(Debug, Error, HttpError)]
pub enum InventoryError {
    #[error(transparent)]
    #[http(not_found)]
    NotFound(#[from] Missing),
    /// Fewer pieces of a variant are available than requested.
    #[error("Variant with id: {variant_id} does not have the required inventory")]
    #[http(not_allowed, code = "insufficient_inventory")]
    InsufficientInventory { variant_id: VariantId, requested: i64, available: i64 },
    /// A location has fewer free pieces of an item than requested.
    #[error("location {location_id} has not enough of item {item_id}: {available} of {requested}")]
    #[http(not_allowed, code = "insufficient_inventory")]
    InsufficientStock {
        item_id: InventoryItemId,
        location_id: StockLocationId,
        requested: i64,
        available: i64,
    },
    /// Pieces of it are reserved, so it cannot be deleted.
    #[error("{kind} {id} has reserved pieces")]
    #[http(not_allowed)]
    Reserved {
        /// The kind of resource.
        kind: &'static str,
        id: String,
    },
    #[error("Inventory item with sku: {0}, already exists.")]
    #[http(duplicate)]
    SkuTaken(String),
    #[error("{0}")]
    #[http(invalid_data)]
    Invalid(String),
    /// A quantity overflows.
    #[error(transparent)]
    #[http(invalid_data)]
    OutOfRange(#[from] OutOfRange),
    #[error(transparent)]
    #[http(invalid_data)]
    Metadata(#[from] MetadataError),
    #[error(transparent)]
    Db(#[from] database::Error),
}

impl InventoryError {
    pub(super) fn not_found(kind: &'static str, id: &impl ToString) -> Self {
        Missing::new(kind, id).into()
    }

    pub(super) fn of_variant(error: &StockError, variant_id: &VariantId) -> Self {
        match *error {
            StockError::Insufficient { requested, available } => {
                Self::InsufficientInventory { variant_id: variant_id.clone(), requested, available }
            }
            StockError::Impossible { quantity } => {
                Self::Invalid(format!("{quantity} pieces of {variant_id} cannot be reserved"))
            }
            StockError::OutOfRange(cause) => Self::OutOfRange(cause),
        }
    }
}
