//! The SQL of placing a draft.

use rusqlite::named_params;

use crate::database::{Error, Tx};
use crate::ids::OrderId;
use crate::inventory::LineQuantity;
use crate::promotions::Use;

/// Returns the quantities of variants that an order reserves.
pub(super) fn quantities(tx: &Tx<'_>, order: &OrderId) -> Result<Vec<LineQuantity>, Error> {
    let mut statement = tx.prepare_cached(
        "select id, variant_id, quantity from order_line
          where order_id = :order and variant_id is not null order by position",
    )?;
    let rows = statement.query_map(named_params! { ":order": order }, |row| {
        Ok(LineQuantity { line_id: row.get(0)?, variant_id: row.get(1)?, quantity: row.get(2)? })
    })?;
    Ok(rows.collect::<Result<_, _>>()?)
}

/// Returns the promotion uses of an order.
pub(super) fn uses(tx: &Tx<'_>, order: &OrderId) -> Result<Vec<Use>, Error> {
    let mut statement = tx.prepare_cached(
        "select promotion_id, amount_minor from order_promotion where order_id = :order",
    )?;
    let rows = statement.query_map(named_params! { ":order": order }, |row| {
        Ok(Use { promotion_id: row.get(0)?, amount_minor: row.get(1)? })
    })?;
    Ok(rows.collect::<Result<_, _>>()?)
}

/// Disables e-mails about an order.
pub(super) fn mute(tx: &Tx<'_>, order: &OrderId) -> Result<(), Error> {
    tx.prepare_cached("update orders set no_notification = 1 where id = :order")?
        .execute(named_params! { ":order": order })?;
    Ok(())
}

/// Turns a draft order into an order placed now.
pub(super) fn order(tx: &Tx<'_>, order: &OrderId) -> Result<(), Error> {
    tx.prepare_cached(
        "update orders set is_draft_order = 0, placed_at = :now, updated_at = :now where id = :order",
    )?
    .execute(named_params! { ":order": order, ":now": tx.now() })?;
    Ok(())
}
