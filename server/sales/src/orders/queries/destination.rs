//! The SQL of a draft that is sent elsewhere, where its taxes are others.

use rusqlite::named_params;

use super::insert::ChargeOwner;
use crate::cart::totals::{Amounts, CartTotals};
use crate::database::{Error, Tx};
use crate::ids::OrderId;

/// Updates the amounts of a line or a shipping method, and deletes its taxes.
pub(crate) fn set_amounts(
    tx: &Tx<'_>,
    order: &OrderId,
    owner: ChargeOwner<'_>,
    amounts: &Amounts,
) -> Result<(), Error> {
    let (table, taxes, key) = match owner {
        ChargeOwner::Line(_) => ("order_line", "order_line_tax", "line_id"),
        ChargeOwner::ShippingMethod(_) => {
            ("order_shipping_method", "order_shipping_tax", "method_id")
        }
    };
    let id = owner.id();
    tx.sql(&format!("delete from {taxes} where order_id = :order and {key} = :id"))
        .run(named_params! { ":order": order, ":id": id })?;
    tx.sql(&format!(
        "update {table}
            set subtotal_minor = :subtotal, discount_subtotal_minor = :discount_subtotal,
                discount_tax_minor = :discount_tax, tax_minor = :tax, original_tax_minor = :original_tax,
                total_minor = :total, original_total_minor = :original_total, updated_at = :now
          where order_id = :order and id = :id"
    ))
    .run(named_params! {
        ":order": order, ":id": id, ":subtotal": amounts.subtotal,
        ":discount_subtotal": amounts.discount_subtotal, ":discount_tax": amounts.discount_tax_total,
        ":tax": amounts.tax_total, ":original_tax": amounts.original_tax_total,
        ":total": amounts.total, ":original_total": amounts.original_total, ":now": tx.now(),
    })
}

/// Updates the country and the province of an order, and its totals.
pub(crate) fn set_place(
    tx: &Tx<'_>,
    order: &OrderId,
    country: &str,
    province: Option<&str>,
    totals: &CartTotals,
) -> Result<(), Error> {
    let CartTotals { items, shipping, all, credit_line_total: _, total } = totals;
    tx.sql(
        "update orders
            set country = :country, province = :province,
                item_subtotal_minor = :item_subtotal, item_tax_minor = :item_tax,
                item_discount_minor = :item_discount, item_total_minor = :item_total,
                shipping_subtotal_minor = :shipping_subtotal, shipping_tax_minor = :shipping_tax,
                shipping_discount_minor = :shipping_discount, shipping_total_minor = :shipping_total,
                subtotal_minor = :subtotal, discount_subtotal_minor = :discount_subtotal,
                discount_tax_minor = :discount_tax, tax_minor = :tax, original_total_minor = :original_total,
                original_tax_minor = :original_tax, total_minor = :total
          where id = :order",
    )
    .run(named_params! {
        ":order": order, ":country": country, ":province": province,
        ":item_subtotal": items.subtotal, ":item_tax": items.tax_total,
        ":item_discount": items.discount_total, ":item_total": items.total,
        ":shipping_subtotal": shipping.subtotal, ":shipping_tax": shipping.tax_total,
        ":shipping_discount": shipping.discount_total, ":shipping_total": shipping.total,
        ":subtotal": all.subtotal, ":discount_subtotal": all.discount_subtotal,
        ":discount_tax": all.discount_tax_total, ":tax": all.tax_total,
        ":original_total": all.original_total, ":original_tax": all.original_tax_total, ":total": total,
    })
}
