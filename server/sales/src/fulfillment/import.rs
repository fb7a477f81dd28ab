//! Imported fulfillments.

use super::FulfillmentError;
use super::packing::Pieces;
use super::queries;
use super::steps::NewFulfillment;
use crate::clock::Timestamp;
use crate::database::Tx;
use crate::ids::{FulfillmentId, OrderId, ShippingOptionId, StockLocationId};
use crate::metadata::Metadata;
use crate::statuses::FulfillmentStage;

/// An imported fulfillment of a whole order.
#[derive(Debug, Clone)]
pub struct ImportedFulfillment {
    pub id: FulfillmentId,
    /// The order, which already exists; its lines already have their progress.
    pub order_id: OrderId,
    pub location_id: StockLocationId,
    pub shipping_option_id: Option<ShippingOptionId>,
    /// Whether any piece needed shipping.
    pub requires_shipping: bool,
    pub pieces: Vec<Pieces>,
    pub shipped_at: Timestamp,
    /// When it was delivered; none if it is in transit.
    pub delivered_at: Option<Timestamp>,
}

/// Writes a fulfillment packed at the transaction's time, without an event. The caller updates the stock.
pub fn import(tx: &Tx<'_>, imported: ImportedFulfillment) -> Result<(), FulfillmentError> {
    let new = NewFulfillment {
        order_id: imported.order_id,
        pieces: imported.pieces,
        location_id: Some(imported.location_id),
        shipping_option_id: imported.shipping_option_id,
        metadata: Metadata::default(),
        actor_id: None,
    };
    queries::insert(tx, &imported.id, &new, imported.requires_shipping)?;
    queries::set_stage(&tx.at(imported.shipped_at), &imported.id, FulfillmentStage::Shipped)?;
    if let Some(at) = imported.delivered_at {
        queries::set_stage(&tx.at(at), &imported.id, FulfillmentStage::Delivered)?;
    }
    Ok(())
}
