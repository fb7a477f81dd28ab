//! The SQL of placing a draft.

use rusqlite::named_params;

use crate::database::{Error, Tx};
use crate::ids::OrderId;
use crate::inventory::LineQuantity;
use crate::promotions::Use;

/// Returns the quantities of variants that an order reserves.
pub(super) fn quantities(tx: &Tx<'_>, order: &OrderId) -> Result<Vec<LineQuantity>, Error> {
    tx.sql(
        "select id, variant_id, quantity from order_line
          where order_id = :order and variant_id is not null order by position",
    )
    .all(named_params! { ":order": order }, |row| {
        Ok(LineQuantity { line_id: row.get(0)?, variant_id: row.get(1)?, quantity: row.get(2)? })
    })
}

/// Returns the promotion uses of an order.
pub(super) fn uses(tx: &Tx<'_>, order: &OrderId) -> Result<Vec<Use>, Error> {
    tx.sql("select promotion_id, amount_minor from order_promotion where order_id = :order")
        .all(named_params! { ":order": order }, |row| {
            Ok(Use { promotion_id: row.get(0)?, amount_minor: row.get(1)? })
        })
}

/// Disables e-mails about an order.
pub(super) fn mute(tx: &Tx<'_>, order: &OrderId) -> Result<(), Error> {
    tx.sql("update orders set no_notification = 1 where id = :order")
        .run(named_params! { ":order": order })
}

/// Turns a draft order into an order placed now.
pub(super) fn order(tx: &Tx<'_>, order: &OrderId) -> Result<(), Error> {
    tx.sql("update orders set is_draft_order = 0, placed_at = :now, updated_at = :now where id = :order")
        .run(named_params! { ":order": order, ":now": tx.now() })
}
