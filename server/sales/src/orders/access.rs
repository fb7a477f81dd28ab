//! Who may see an order in a storefront: the account that it belongs to, or the guest who ordered it.

use super::error::OrderError;
use super::order::Order;
use super::queries::lookup;
pub use super::queries::lookup::{grant, is_granted};
use crate::auth::{SecretDigest, Shop};
use crate::clock::Timestamp;
use crate::database::Tx;
use crate::ids::OrderId;
use crate::statuses::OrderStatus;

/// The time for which a guest's order is shown for its e-mail address, and its goods for its id.
const RECENT_MS: i64 = 24 * 60 * 60 * 1000;

/// A caller in a storefront, with the proofs that a guest may present.
#[derive(Debug, Clone)]
pub(super) struct Viewer {
    pub(super) shop: Shop,
    pub(super) token: Option<SecretDigest>,
    pub(super) email: Option<String>,
}

/// How much of an order a viewer sees.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Sight {
    Whole,
    /// What was bought, but not by whom: the page that confirms a guest's order knows only the id.
    Goods,
}

/// Returns the order and how much of it the viewer may see.
///
/// # Errors
/// [`OrderError::NotFound`] also for an order that the viewer may not see.
pub(super) fn find(
    tx: &Tx<'_>,
    id: &OrderId,
    viewer: &Viewer,
) -> Result<(Order, Sight), OrderError> {
    let order = lookup::order(tx, id)?;
    let order = order.filter(|order| order.status != OrderStatus::Draft);
    let not_found = || OrderError::NotFound(id.clone());
    let order = order.ok_or_else(not_found)?;
    let sight = sight(tx, &order, viewer)?.ok_or_else(not_found)?;
    Ok((order, sight))
}

fn sight(tx: &Tx<'_>, order: &Order, viewer: &Viewer) -> Result<Option<Sight>, OrderError> {
    if !viewer.shop.sells_in(order.sales_channel_id.as_ref()) {
        return Ok(None);
    }
    let customer_id = order.customer_id.as_ref();
    if let Some(customer_id) = customer_id
        && lookup::has_account(tx, customer_id)?
    {
        let is_own = viewer.shop.customer_id.as_ref() == Some(customer_id);
        return Ok(is_own.then_some(Sight::Whole));
    }
    if let Some(token) = viewer.token
        && is_granted(tx, &order.id, token)?
    {
        return Ok(Some(Sight::Whole));
    }
    let sight = match (&viewer.token, &viewer.email) {
        (None, None) => Some(Sight::Goods),
        (_, Some(email)) if is_same_email(order, email) => Some(Sight::Whole),
        (_, _) => None,
    };
    Ok(sight.filter(|_| is_recent(order.placed_at, tx.now())))
}

fn is_recent(placed_at: Timestamp, now: Timestamp) -> bool {
    now.as_millis().saturating_sub(placed_at.as_millis()) < RECENT_MS
}

fn is_same_email(order: &Order, presented: &str) -> bool {
    order.email.as_ref().is_some_and(|own| own.eq_ignore_ascii_case(presented.trim()))
}
