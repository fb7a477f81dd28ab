//! The steps of a fulfillment, each in the caller's transaction: pack, ship, deliver, cancel.

use serde::Serialize;
use serde_json::{Value, json};

use crate::database::{Missing, Table as _, Tx, first_missing};
use crate::events;
use crate::http::Refusal;
use crate::ids::{FulfillmentId, OrderId, OrderLineId, ShippingOptionId, StockLocationId};
use crate::inventory::{self, StockLocation};
use crate::metadata::Metadata;
use crate::orders;
use crate::statuses::{FulfillmentStage, OrderStatus};

use super::FulfillmentError;
use super::packing::{self, MAX_LABELS, Pieces};
use super::queries::{self, FulfillmentRow, Step};

/// Items to pack.
#[derive(Debug, Clone)]
pub struct NewFulfillment {
    pub order_id: OrderId,
    pub pieces: Vec<Pieces>,
    /// Defaults to the location where they are reserved.
    pub location_id: Option<StockLocationId>,
    /// Defaults to the customer's choice.
    pub shipping_option_id: Option<ShippingOptionId>,
    pub metadata: Metadata,
    /// The user who packs them.
    pub actor_id: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Label {
    pub tracking_number: String,
    /// The tracking URL; may be empty.
    pub tracking_url: String,
    /// The URL of the printable label; may be empty.
    pub(crate) print_url: String,
}

/// Packs items of an order: reduces their reservation and their stock together.
///
/// # Errors
/// [`FulfillmentError`] if the order is not open, or fewer pieces are left to pack.
pub fn pack(tx: &Tx<'_>, new: NewFulfillment) -> Result<FulfillmentId, FulfillmentError> {
    let order_id = &new.order_id;
    let status = orders::status(tx, order_id)?.ok_or_else(|| Missing::new("Order", order_id))?;
    packing::check_order(status)?;
    let requires_shipping = packing::check_pieces(&queries::lines(tx, order_id)?, &new.pieces)?;
    let location_id = match &new.location_id {
        Some(id) if StockLocation::find(tx, id)?.is_some() => Some(id.clone()),
        Some(id) => return Err(unknown("Stock location", id)),
        None => queries::usual_location(tx, order_id, &new.pieces)?,
    };
    let missing =
        first_missing::<ShippingOptionId>(tx, "shipping_option", &new.shipping_option_id)?;
    if let Some(option) = missing {
        return Err(unknown("Shipping option", &option));
    }
    let id = FulfillmentId::new();
    let new = NewFulfillment { location_id, ..new };
    let NewFulfillment { order_id, pieces, location_id, .. } = &new;
    queries::insert(tx, &id, &new, requires_shipping)?;
    queries::advance_lines(tx, order_id, pieces, Step { fulfilled: 1, ..Step::default() })?;
    match location_id {
        Some(location_id) => inventory::ship(tx, order_id, location_id, &quantities(pieces))?,
        None if requires_shipping => {
            let message = "`location_id` is required: no stock location is known for this order";
            return Err(Refusal::invalid(message).into());
        }
        None => {}
    }
    done(tx, "fulfillment.created", order_id, &event(order_id, &id))?;
    Ok(id)
}

/// Marks a fulfillment as shipped and stores its labels. `named` is the list of its contents according to the
/// caller, if given.
///
/// # Errors
/// [`FulfillmentError`] if it is already shipped, delivered or canceled, or `named` differs from its contents.
pub fn ship(
    tx: &Tx<'_>,
    (order_id, id): (&OrderId, &FulfillmentId),
    named: Option<&[Pieces]>,
    labels: &[Label],
    no_notification: bool,
) -> Result<(), FulfillmentError> {
    let row = may_become(tx, order_id, id, FulfillmentStage::Shipped)?;
    let pieces = queries::pieces(tx, &row.id)?;
    if let Some(named) = named {
        packing::check_whole(&pieces, named)?;
    }
    if labels.len() > MAX_LABELS {
        let message = format!("a fulfillment has at most {MAX_LABELS} labels");
        return Err(Refusal::invalid(message).into());
    }
    queries::set_stage(tx, id, FulfillmentStage::Shipped)?;
    queries::insert_labels(tx, id, labels)?;
    queries::advance_lines(tx, order_id, &pieces, Step { shipped: 1, ..Step::default() })?;
    let event =
        json!({ "order_id": order_id, "fulfillment_id": id, "no_notification": no_notification });
    done(tx, "shipment.created", order_id, &event)
}

/// Marks a fulfillment as delivered. If it was never shipped, it was picked up and counts as shipped now.
///
/// # Errors
/// [`FulfillmentError`] if it is already delivered or canceled.
pub fn deliver(
    tx: &Tx<'_>,
    order_id: &OrderId,
    id: &FulfillmentId,
) -> Result<(), FulfillmentError> {
    let row = may_become(tx, order_id, id, FulfillmentStage::Delivered)?;
    let pieces = queries::pieces(tx, &row.id)?;
    let shipped = i64::from(row.stage == FulfillmentStage::Packed);
    queries::set_stage(tx, id, FulfillmentStage::Delivered)?;
    queries::advance_lines(tx, order_id, &pieces, Step { fulfilled: 0, shipped, delivered: 1 })?;
    done(tx, "delivery.created", order_id, &event(order_id, id))
}

/// Cancels a fulfillment before it is shipped: its items return to stock and are reserved again, unless the order is
/// archived.
///
/// # Errors
/// [`FulfillmentError`] if it is already shipped, delivered or canceled.
pub fn cancel(tx: &Tx<'_>, order_id: &OrderId, id: &FulfillmentId) -> Result<(), FulfillmentError> {
    let row = may_become(tx, order_id, id, FulfillmentStage::Canceled)?;
    let pieces = queries::pieces(tx, &row.id)?;
    queries::set_stage(tx, id, FulfillmentStage::Canceled)?;
    queries::advance_lines(tx, order_id, &pieces, Step { fulfilled: -1, ..Step::default() })?;
    if let Some(location_id) = &row.location_id {
        inventory::unship(tx, order_id, location_id, &quantities(&pieces))?;
    }
    // An archived order is not fulfilled, so it holds no stock.
    if orders::status(tx, order_id)? == Some(OrderStatus::Archived) {
        inventory::release(tx, order_id)?;
    }
    done(tx, "fulfillment.canceled", order_id, &event(order_id, id))
}

/// Packs all unpacked items of an order in one fulfillment; returns none if there are no such items.
pub fn fulfil_all(
    tx: &Tx<'_>,
    order_id: &OrderId,
    location_id: Option<&StockLocationId>,
) -> Result<Option<FulfillmentId>, FulfillmentError> {
    let pieces = packing::all_left(&queries::lines(tx, order_id)?);
    if pieces.is_empty() {
        return Ok(None);
    }
    let new = NewFulfillment {
        order_id: order_id.clone(),
        pieces,
        location_id: location_id.cloned(),
        shipping_option_id: None,
        metadata: Metadata::default(),
        actor_id: None,
    };
    pack(tx, new).map(Some)
}

/// Returns the fulfillment if it may move to this stage.
fn may_become(
    tx: &Tx<'_>,
    order_id: &OrderId,
    id: &FulfillmentId,
    next: FulfillmentStage,
) -> Result<FulfillmentRow, FulfillmentError> {
    let row = queries::find(tx, order_id, id)?.ok_or_else(|| Missing::new("Fulfillment", id))?;
    if row.stage.may_become(next) {
        return Ok(row);
    }
    let (from, to) = (row.stage.as_str(), next.as_str());
    Err(Refusal::not_allowed(format!("a fulfillment that is {from} cannot become {to}")).into())
}

/// Ends a step: settles the order and records an event.
fn done(
    tx: &Tx<'_>,
    name: &'static str,
    order_id: &OrderId,
    event: &Value,
) -> Result<(), FulfillmentError> {
    orders::settle(tx, order_id)?;
    events::record(tx, name, event)?;
    Ok(())
}

/// Returns the payload of an event about a fulfillment.
fn event(order_id: &OrderId, id: &FulfillmentId) -> Value {
    json!({ "order_id": order_id, "fulfillment_id": id })
}

fn quantities(pieces: &[Pieces]) -> Vec<(OrderLineId, i64)> {
    pieces.iter().map(|one| (one.line_id.clone(), one.quantity)).collect()
}

fn unknown(kind: &'static str, id: &impl ToString) -> FulfillmentError {
    Refusal::invalid(format!("{kind} with id: {} does not exist", id.to_string())).into()
}
