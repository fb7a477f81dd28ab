//! Errors of fulfillments and their HTTP statuses.

use thiserror::Error;

use crate::database;
use crate::http::HttpError;
use crate::ids::{FulfillmentId, OrderId, OrderLineId};
use crate::inventory::InventoryError;
use crate::metadata::MetadataError;
use crate::orders::OrderError;
use crate::statuses::{FulfillmentStage, OrderStatus};

/// An error of a fulfillment.
#[derive(Debug, Error)]
pub enum FulfillmentError {
    #[error("Order with id: {0} was not found")]
    OrderNotFound(OrderId),
    #[error("Fulfillment with id: {0} was not found")]
    NotFound(FulfillmentId),
    #[error("an order that is {} cannot be fulfilled", status.as_str())]
    OrderClosed { status: OrderStatus },
    #[error("an order needs at least one item to be fulfilled")]
    NoPieces,
    #[error("the order has no item `{0}`")]
    UnknownLine(OrderLineId),
    #[error("item `{0}` is named twice")]
    Twice(OrderLineId),
    #[error("a quantity of `{quantity}` cannot be fulfilled")]
    BadQuantity { quantity: i64 },
    #[error("item `{line_id}` has {left} left to fulfill, not {quantity}")]
    TooMany { line_id: OrderLineId, quantity: i64, left: i64 },
    #[error("a shipment holds all items of its fulfillment: leave `items` out, or name them all")]
    NotWhole,
    #[error("a fulfillment has at most {limit} labels")]
    TooManyLabels { limit: usize },
    #[error("a fulfillment that is {} cannot become {}", from.as_str(), to.as_str())]
    Stage { from: FulfillmentStage, to: FulfillmentStage },
    #[error("`location_id` is required: no stock location is known for this order")]
    NoLocation,
    #[error("{kind} with id: {id} does not exist")]
    Unknown { kind: &'static str, id: String },
    #[error(transparent)]
    Metadata(#[from] MetadataError),
    #[error(transparent)]
    Inventory(#[from] InventoryError),
    #[error(transparent)]
    Order(#[from] OrderError),
    #[error(transparent)]
    Db(#[from] database::Error),
}

impl From<FulfillmentError> for HttpError {
    fn from(error: FulfillmentError) -> Self {
        match error {
            FulfillmentError::OrderNotFound(_) | FulfillmentError::NotFound(_) => {
                Self::not_found(error.to_string())
            }
            FulfillmentError::OrderClosed { .. } | FulfillmentError::Stage { .. } => {
                Self::not_allowed(error.to_string())
            }
            FulfillmentError::NoPieces
            | FulfillmentError::UnknownLine(_)
            | FulfillmentError::Twice(_)
            | FulfillmentError::BadQuantity { .. }
            | FulfillmentError::TooMany { .. }
            | FulfillmentError::NotWhole
            | FulfillmentError::TooManyLabels { .. }
            | FulfillmentError::NoLocation
            | FulfillmentError::Unknown { .. }
            | FulfillmentError::Metadata(_) => Self::invalid_data(error.to_string()),
            FulfillmentError::Inventory(cause) => cause.into(),
            FulfillmentError::Order(cause) => cause.into(),
            FulfillmentError::Db(cause) => cause.into(),
        }
    }
}
