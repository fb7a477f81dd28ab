//! Imported fulfillments.

use super::FulfillmentError;
use super::packing::Pieces;
use super::queries::{self, NewFulfillmentRow};
use crate::clock::Timestamp;
use crate::database::Tx;
use crate::ids::{FulfillmentId, OrderId, ShippingOptionId, StockLocationId};
use crate::metadata::Metadata;

/// An imported fulfillment of a whole order.
#[derive(Debug, Clone)]
pub struct ImportedFulfillment {
    pub id: FulfillmentId,
    /// The order, which is there already; its lines say how far they came.
    pub order_id: OrderId,
    pub location_id: StockLocationId,
    /// How it was sent.
    pub shipping_option_id: Option<ShippingOptionId>,
    /// Whether any piece had to be sent.
    pub requires_shipping: bool,
    /// What it held.
    pub pieces: Vec<Pieces>,
    pub shipped_at: Timestamp,
    /// When it arrived; none if it is on its way.
    pub delivered_at: Option<Timestamp>,
}

/// Writes a fulfillment that was packed at the transaction's instant, without an event. The caller takes its stock.
pub fn import(tx: &Tx<'_>, imported: &ImportedFulfillment) -> Result<(), FulfillmentError> {
    queries::insert(
        tx,
        &NewFulfillmentRow {
            id: &imported.id,
            order_id: &imported.order_id,
            location_id: Some(&imported.location_id),
            shipping_option_id: imported.shipping_option_id.as_ref(),
            requires_shipping: imported.requires_shipping,
            metadata: &Metadata::default(),
            created_by: None,
        },
    )?;
    queries::insert_pieces(tx, &imported.id, &imported.pieces)?;
    queries::set_shipped(&tx.at(imported.shipped_at), &imported.id)?;
    if let Some(at) = imported.delivered_at {
        queries::set_delivered(&tx.at(at), &imported.id)?;
    }
    Ok(())
}
