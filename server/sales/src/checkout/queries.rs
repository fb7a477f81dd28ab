//! The SQL of checkout.

use rusqlite::named_params;

use crate::clock::Timestamp;
use crate::database::{Error, FromRow, Stored, Tx};
use crate::ids::{self, CartId, OrderId, PaymentSessionId, SalesChannelId};
use crate::inventory::LineQuantity;
use crate::subscriptions::create::Subscribe;

/// Returns whether a domain, or without its `www.`, is that of an enabled site of one of the channels.
pub(super) fn is_site(
    tx: &Tx<'_>,
    domain: &str,
    channels: &[SalesChannelId],
) -> Result<bool, Error> {
    let bare = domain.strip_prefix("www.").unwrap_or(domain);
    tx.sql(
        "select exists (select 1 from site
                         where domain in (:domain, :bare) and is_enabled
                           and sales_channel_id in (select value from json_each(:channels)))",
    )
    .one(
        named_params! { ":domain": domain, ":bare": bare, ":channels": ids::list(channels) },
        |row| row.get(0),
    )
}

/// The progress of a cart's completion.
#[derive(Debug, Clone, PartialEq, FromRow)]
pub(super) struct CompletionRow {
    pub(super) is_done: bool,
    pub(super) order_id: OrderId,
    #[column(name = "payment_session_id")]
    pub(super) session_id: Option<PaymentSessionId>,
    /// How the cart is subscribed; none if it has no plans.
    #[column(json)]
    pub(super) subscribe: Option<Subscribe>,
}

/// Returns the completion of a cart, in progress or done.
pub(super) fn completion(tx: &Tx<'_>, cart: &CartId) -> Result<Option<CompletionRow>, Error> {
    tx.sql(
        "select state = 'done' as is_done, order_id, payment_session_id, subscribe
           from cart_completion
          where cart_id = :cart",
    )
    .first(named_params! { ":cart": cart }, CompletionRow::from_row)
}

/// Claims a cart for an order; a second claim is an error.
pub(super) fn claim(
    tx: &Tx<'_>,
    cart: &CartId,
    order: &OrderId,
    session: Option<&PaymentSessionId>,
    subscribe: Option<&Subscribe>,
) -> Result<(), Error> {
    tx.insert("cart_completion", named_params! {
        ":cart_id": cart, ":state": "claimed", ":payment_session_id": session, ":order_id": order,
        ":subscribe": subscribe.map(Stored), ":started_at": tx.now(),
    })
}

/// Marks a claim as settled.
pub(super) fn finish(tx: &Tx<'_>, cart: &CartId) -> Result<(), Error> {
    tx.sql("update cart_completion set state = 'done', settled_at = :now where cart_id = :cart")
        .run(named_params! { ":cart": cart, ":now": tx.now() })
}

/// Marks a cart as completed; it never changes after that.
pub(super) fn complete_cart(tx: &Tx<'_>, cart: &CartId) -> Result<(), Error> {
    tx.sql("update cart set completed_at = :now, updated_at = :now where id = :cart")
        .run(named_params! { ":cart": cart, ":now": tx.now() })
}

/// Removes a claim.
pub(super) fn unclaim(tx: &Tx<'_>, cart: &CartId) -> Result<(), Error> {
    tx.sql("delete from cart_completion where cart_id = :cart and state = 'claimed'")
        .run(named_params! { ":cart": cart })
}

/// Returns the carts that were claimed before `before` and are not settled, oldest first.
pub(super) fn claimed_before(
    tx: &Tx<'_>,
    before: Timestamp,
    limit: u32,
) -> Result<Vec<CartId>, Error> {
    tx.sql(
        "select cart_id from cart_completion
          where state = 'claimed' and started_at < :before
          order by started_at
          limit :limit",
    )
    .all(named_params! { ":before": before, ":limit": limit }, |row| row.get(0))
}

/// Returns the quantities of variants that an order reserves.
pub(super) fn order_quantities(tx: &Tx<'_>, order: &OrderId) -> Result<Vec<LineQuantity>, Error> {
    tx.sql(
        "select id, variant_id, quantity from order_line
          where order_id = :order and variant_id is not null order by position",
    )
    .all(named_params! { ":order": order }, |row| {
        Ok(LineQuantity { line_id: row.get(0)?, variant_id: row.get(1)?, quantity: row.get(2)? })
    })
}

/// Disables e-mails about an order.
pub(super) fn mute_order(tx: &Tx<'_>, order: &OrderId) -> Result<(), Error> {
    tx.sql("update orders set no_notification = 1 where id = :order")
        .run(named_params! { ":order": order })
}

/// Turns a draft order into an order placed now.
pub(super) fn place_order(tx: &Tx<'_>, order: &OrderId) -> Result<(), Error> {
    tx.sql("update orders set is_draft_order = 0, placed_at = :now, updated_at = :now where id = :order")
        .run(named_params! { ":order": order, ":now": tx.now() })
}
