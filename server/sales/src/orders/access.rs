//! Who may see an order in a storefront: the account that it belongs to, or the guest who ordered it.

use super::addition;
use super::error::OrderError;
use super::order::Order;
use super::queries::lookup;
pub use super::queries::lookup::{grant, is_granted};
use crate::auth::{SecretDigest, Shop};
use crate::clock::{DAY_MS, Timestamp};
use crate::database::Tx;
use crate::ids::OrderId;

/// The time for which a guest's order is shown for its e-mail address.
const EMAIL_ACCESS_MS: i64 = DAY_MS;

/// A caller in a storefront, with the proofs that a guest may present.
#[derive(Debug, Clone)]
pub(super) struct Viewer {
    pub(super) shop: Shop,
    pub(super) token: Option<SecretDigest>,
    pub(super) email: Option<String>,
}

/// Returns the order if the viewer may see it.
///
/// # Errors
/// [`OrderError::NotFound`] also for an order that the viewer may not see.
pub(super) fn find(tx: &Tx<'_>, id: &OrderId, viewer: &Viewer) -> Result<Order, OrderError> {
    let order = addition::placed(tx, id)?;
    if may_see(tx, &order, viewer)? { Ok(order) } else { Err(OrderError::NotFound(id.clone())) }
}

fn may_see(tx: &Tx<'_>, order: &Order, viewer: &Viewer) -> Result<bool, OrderError> {
    if !viewer.shop.sells_in(order.sales_channel_id.as_ref()) {
        return Ok(false);
    }
    let customer_id = order.customer_id.as_ref();
    if let Some(customer_id) = customer_id
        && lookup::has_account(tx, customer_id)?
    {
        return Ok(viewer.shop.customer_id.as_ref() == Some(customer_id));
    }
    if let Some(token) = viewer.token
        && is_granted(tx, &order.id, token)?
    {
        return Ok(true);
    }
    Ok(is_recent(order.placed_at, tx.now()) && is_same_email(order, viewer))
}

fn is_recent(placed_at: Timestamp, now: Timestamp) -> bool {
    now.as_millis().saturating_sub(placed_at.as_millis()) < EMAIL_ACCESS_MS
}

fn is_same_email(order: &Order, viewer: &Viewer) -> bool {
    let emails = order.email.as_ref().zip(viewer.email.as_ref());
    emails.is_some_and(|(own, presented)| own.eq_ignore_ascii_case(presented.trim()))
}
