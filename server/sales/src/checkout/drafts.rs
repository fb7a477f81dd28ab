//! Draft orders of administrators. A draft is an offer: it is computed like a cart and reserves nothing. Placing it
//! reserves stock and uses promotions at the offered prices; then it is an order to be paid.

use super::error::CheckoutError;
use super::queries;
use crate::cart::{self, CreateDraftOrderRequest};
use crate::database::Tx;
use crate::ids::{OrderId, SalesChannelId};
use crate::inventory::{self, InventoryError};
use crate::orders::admin::drafts;
use crate::orders::order::NewOrder;
use crate::{orders, payments, promotions};

/// Writes an offer as a draft, with or without e-mails to the customer.
pub(super) fn make(tx: &Tx<'_>, new: CreateDraftOrderRequest) -> Result<OrderId, CheckoutError> {
    let no_notification = new.no_notification_order.unwrap_or_default();
    let cart = cart::quote(tx, new)?;
    let order = NewOrder { cart_id: None, is_draft_order: true, ..orders::of_cart(tx, &cart)? };
    orders::place(tx, &order)?;
    if no_notification {
        queries::mute_order(tx, &order.id)?;
    }
    Ok(order.id)
}

/// Places a draft at its offered prices: reserves its stock and counts its promotion uses. If either fails, it stays a
/// draft.
///
/// # Errors
/// [`InventoryError::InsufficientInventory`] names the items that are out of stock, [`CheckoutError::NotSold`] those that
/// are deleted; those of [`promotions::redeem`] and of [`drafts::find`].
pub(super) fn place(tx: &Tx<'_>, id: &OrderId) -> Result<(), CheckoutError> {
    let draft = drafts::find(tx, id)?;
    let channel = draft.sales_channel_id.ok_or(CheckoutError::Missing("sales channel"))?;
    reserve(tx, id, &channel)?;
    promotions::redeem(tx, id)?;
    queries::place_order(tx, id)?;
    orders::confirm(tx, id)?;
    if draft.totals.total == 0 {
        payments::balance_due::record_nothing_due(tx, id, draft.currency)?;
    }
    Ok(orders::settle(tx, id)?)
}

fn reserve(tx: &Tx<'_>, id: &OrderId, channel: &SalesChannelId) -> Result<(), CheckoutError> {
    let reserved = inventory::reserve(tx, id, &queries::order_quantities(tx, id)?, channel);
    if let Err(InventoryError::NotFound(variant)) = reserved {
        return Err(CheckoutError::NotSold(variant.id));
    }
    Ok(reserved?)
}
