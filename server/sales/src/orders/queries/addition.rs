//! Statements on lines that a placed order gains.

use rusqlite::named_params;

use crate::database::{Error, Tx};
use crate::ids::{CartId, OrderId, OrderLineId, PaymentCollectionId};

pub fn of_completed_cart(tx: &Tx<'_>, cart: &CartId) -> Result<Option<OrderId>, Error> {
    tx.sql("select id from orders where cart_id = :cart and status <> 'draft'")
        .first(named_params! { ":cart": cart }, |row| row.get(0))
}

pub fn has_collection(
    tx: &Tx<'_>,
    order: &OrderId,
    collection: &PaymentCollectionId,
) -> Result<bool, Error> {
    tx.sql("select 1 from payment_collection where id = :collection and order_id = :order")
        .exists(named_params! { ":collection": collection, ":order": order })
}

pub(crate) fn line_ids(tx: &Tx<'_>, order: &OrderId) -> Result<Vec<OrderLineId>, Error> {
    tx.sql("select id from order_line where order_id = :order order by position")
        .all(named_params! { ":order": order }, |row| row.get(0))
}

/// Moves the lines of a draft, their taxes, adjustments and reservations to an order, and adds the draft's totals to it.
pub(crate) fn move_lines(tx: &Tx<'_>, order: &OrderId, draft: &OrderId) -> Result<(), Error> {
    for statement in [
        "update orders
            set item_subtotal_minor = orders.item_subtotal_minor + d.item_subtotal_minor,
                item_tax_minor = orders.item_tax_minor + d.item_tax_minor,
                item_discount_minor = orders.item_discount_minor + d.item_discount_minor,
                item_total_minor = orders.item_total_minor + d.item_total_minor,
                subtotal_minor = orders.subtotal_minor + d.subtotal_minor,
                discount_subtotal_minor = orders.discount_subtotal_minor + d.discount_subtotal_minor,
                discount_tax_minor = orders.discount_tax_minor + d.discount_tax_minor,
                tax_minor = orders.tax_minor + d.tax_minor,
                original_total_minor = orders.original_total_minor + d.original_total_minor,
                original_tax_minor = orders.original_tax_minor + d.original_tax_minor,
                total_minor = orders.total_minor + d.total_minor,
                cost_minor = orders.cost_minor + d.cost_minor,
                line_count = orders.line_count + d.line_count,
                quantity = orders.quantity + d.quantity
           from orders d
          where orders.id = :order and d.id = :draft",
        "update order_line
            set order_id = :order,
                position = position + (select 1 + coalesce(max(position), 0) from order_line where order_id = :order)
          where order_id = :draft",
        "update order_line_tax set order_id = :order where order_id = :draft",
        "update order_line_adjustment set order_id = :order where order_id = :draft",
        "update reservation set order_id = :order where order_id = :draft",
    ] {
        tx.sql(statement).run(named_params! { ":order": order, ":draft": draft })?;
    }
    Ok(())
}
