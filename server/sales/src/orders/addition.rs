//! Lines added to a placed order: bought as a separate draft, which reserves their stock during payment, and then
//! moved to the order as a change.

use serde_json::json;

use super::error::OrderError;
use super::order::{Address, Order};
pub use super::queries::addition::{has_collection, of_completed_cart};
use super::queries::admin_history::record_change;
use super::queries::{addition as queries, lookup, progress};
use super::settle::settle;
use crate::cart::OfferPlace;
use crate::cart::contents;
use crate::database::Tx;
use crate::events;
use crate::ids::{OrderId, OrderLineId};
use crate::statuses::OrderStatus;

/// Returns a placed order.
///
/// # Errors
/// [`OrderError::NotFound`], also for a draft.
pub fn placed(tx: &Tx<'_>, id: &OrderId) -> Result<Order, OrderError> {
    let order = lookup::order(tx, id)?.filter(|order| order.status != OrderStatus::Draft);
    order.ok_or_else(|| OrderError::NotFound(id.clone()))
}

/// Returns where and to whom an offer is made after an order.
pub fn place(order: &Order) -> OfferPlace {
    OfferPlace {
        region_id: order.region_id.clone(),
        sales_channel_id: order.sales_channel_id.clone(),
        currency: order.currency,
        customer_id: order.customer_id.clone(),
        email: order.email.clone(),
        locale: order.locale.clone(),
        shipping_address: order.shipping_address.clone().map(address),
        billing_address: order.billing_address.clone().map(address),
    }
}

fn address(address: Address) -> contents::Address {
    let mut copy = contents::Address::empty();
    crate::assign!(address => copy: first_name, last_name, company, address_1, address_2, city, postal_code,
                   country_code, province, phone, metadata);
    copy
}

/// Returns whether a placed order can gain lines: it is not canceled, and nothing of it is being sent.
pub fn is_open(tx: &Tx<'_>, order: &Order) -> Result<bool, OrderError> {
    let is_live = order.canceled_at.is_none()
        && matches!(order.status, OrderStatus::Pending | OrderStatus::RequiresAction);
    Ok(is_live && progress::stages(tx, &order.id)?.is_empty())
}

/// Moves the lines of a draft, with their stock, to a placed order, and deletes the draft. The order's totals grow by the
/// draft's and its version by one. Returns the lines.
pub fn gain(
    tx: &Tx<'_>,
    id: &OrderId,
    draft_id: &OrderId,
    reference: &str,
) -> Result<Vec<OrderLineId>, OrderError> {
    placed(tx, id)?;
    let lines = queries::line_ids(tx, draft_id)?;
    queries::move_lines(tx, id, draft_id)?;
    super::discard(tx, draft_id)?;
    let actions: Vec<_> = lines
        .iter()
        .map(|line| json!({ "action": "ITEM_ADD", "reference_id": line, "details": { "press_id": reference } }))
        .collect();
    record_change(tx, id, "item_add", &actions.into(), None)?;
    settle(tx, id)?;
    events::record(tx, "order.updated", &json!({ "id": id }))?;
    Ok(lines)
}
