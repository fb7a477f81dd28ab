//! Loads the relations of a page of orders, one statement each.

use rusqlite::{Row, named_params};

use super::insert::ChargeKind;
use crate::cart::totals::Amounts;
use crate::database::{Cells, Error, FromRow, Named, Record, Tx};
use crate::ids::{ById, OrderId};
use crate::orders::order::{Adjustment, CreditLine, OrderLine, ShippingMethod, TaxLine};
use crate::orders::view::{ProductView, VariantView};

/// Returns the lines of orders, without their taxes and adjustments.
pub(crate) fn lines(tx: &Tx<'_>, orders: &str) -> Result<Vec<(OrderId, OrderLine)>, Error> {
    tx.sql(
        "select order_id, id, variant_id, product_id, title, subtitle, thumbnail, is_discountable, is_giftcard,
                requires_shipping, product_title, product_description, product_subtitle, product_handle,
                product_type, product_type_id, product_collection, variant_title, variant_sku, variant_barcode,
                quantity, unit_price_minor, compare_at_unit_price_minor, unit_cost_minor, is_tax_inclusive, bundle_id, bundle_product_id,
                discount_subtotal_minor, discount_tax_minor,
                discount_subtotal_minor + discount_tax_minor as discount_minor, subtotal_minor, tax_minor, total_minor,
                original_tax_minor, original_total_minor, fulfilled_quantity, shipped_quantity, delivered_quantity,
                return_requested_quantity, return_received_quantity, return_dismissed_quantity,
                written_off_quantity, metadata
           from order_line
          where order_id in (select value from json_each(:orders))
          order by order_id, position",
    )
    .all(named_params! { ":orders": orders }, of_order)
}

/// Reads a part of an order, with the order's id.
fn of_order<T: FromRow>(row: &Row<'_>) -> rusqlite::Result<(OrderId, T)> {
    let row = &Named::of(row);
    Ok((row.get("order_id")?, T::from_named(row)?))
}

/// A line with returned pieces.
#[derive(Debug, FromRow)]
pub(crate) struct ReturnedPieces {
    /// The amounts of the whole line.
    #[column(flatten)]
    pub(crate) amounts: Amounts,
    pub(crate) quantity: i64,
    pub(crate) return_received_quantity: i64,
}

pub(crate) fn returned(tx: &Tx<'_>, orders: &str) -> Result<Vec<(OrderId, ReturnedPieces)>, Error> {
    tx.sql(
        "select order_id, subtotal_minor, discount_subtotal_minor, discount_tax_minor,
                discount_subtotal_minor + discount_tax_minor as discount_minor, tax_minor, original_tax_minor,
                total_minor, original_total_minor, quantity, return_received_quantity
           from order_line
          where order_id in (select value from json_each(:orders)) and return_received_quantity > 0",
    )
    .all(named_params! { ":orders": orders }, of_order)
}

/// Returns the taxes of the lines or the shipping methods of orders, by their ids.
pub(crate) fn taxes(
    tx: &Tx<'_>,
    kind: &ChargeKind,
    orders: &str,
) -> Result<ById<Vec<TaxLine>>, Error> {
    by_owner(tx, kind.taxes, kind.key, orders)
}

/// Returns the adjustments of the lines or the shipping methods of orders, by their ids.
pub(crate) fn adjustments(
    tx: &Tx<'_>,
    kind: &ChargeKind,
    orders: &str,
) -> Result<ById<Vec<Adjustment>>, Error> {
    by_owner(tx, kind.adjustments, kind.key, orders)
}

/// Returns the records of orders in a table, grouped by their line or shipping method, in their order.
fn by_owner<T: Record>(
    tx: &Tx<'_>,
    table: &str,
    owner: &str,
    orders: &str,
) -> Result<ById<Vec<T>>, Error> {
    let sql = format!(
        "select t.{owner}, {} from {table} t where t.order_id in (select value from json_each(:orders))
          order by t.order_id, t.{owner}, t.position",
        T::COLUMNS
    );
    let rows: Vec<(String, T)> = tx.sql(&sql).all(named_params! { ":orders": orders }, |row| {
        let mut cells = Cells::new(row);
        Ok((cells.take()?, T::read_cells(&mut cells)?))
    })?;
    Ok(ById::grouped(rows))
}

/// Returns the shipping methods of orders, without their taxes and adjustments.
pub(crate) fn shipping_methods(
    tx: &Tx<'_>,
    orders: &str,
) -> Result<Vec<(OrderId, ShippingMethod)>, Error> {
    tx.sql(
        "select order_id, id, shipping_option_id, name, amount_minor, is_tax_inclusive, data,
                subtotal_minor, discount_subtotal_minor, discount_tax_minor,
                discount_subtotal_minor + discount_tax_minor as discount_minor, tax_minor, original_tax_minor,
                total_minor, original_total_minor, metadata
           from order_shipping_method
          where order_id in (select value from json_each(:orders))
          order by order_id, id",
    )
    .all(named_params! { ":orders": orders }, of_order)
}

pub(crate) fn credit_lines(tx: &Tx<'_>, orders: &str) -> Result<Vec<(OrderId, CreditLine)>, Error> {
    tx.sql(
        "select *
           from order_credit_line
          where order_id in (select value from json_each(:orders))
          order by order_id, id",
    )
    .all(named_params! { ":orders": orders }, of_order)
}

/// Returns the current variants that lines of orders refer to, with their products.
pub(crate) fn variants(tx: &Tx<'_>, ids: &str) -> Result<ById<VariantView>, Error> {
    tx.sql(
        "select v.id, v.title, v.sku, v.barcode, v.ean, v.upc, v.allow_backorder, v.manage_inventory, v.variant_rank,
                v.hs_code, v.origin_country, v.mid_code, v.material, v.weight, v.length, v.height, v.width, v.metadata,
                v.thumbnail, v.created_at, v.updated_at, v.deleted_at, v.product_id, p.title as product_title,
                p.handle as product_handle, p.thumbnail as product_thumbnail, p.collection_id, p.type_id
           from product_variant v join product p on p.id = v.product_id
          where v.id in (select value from json_each(:ids)) and v.deleted_at is null and p.deleted_at is null",
    )
    .all(named_params! { ":ids": ids }, |row| {
        let variant = VariantView::from_row(row)?;
        Ok((variant.id.clone(), variant))
    })
}

/// Returns the current products that lines of orders refer to.
pub(in crate::orders) fn products(tx: &Tx<'_>, ids: &str) -> Result<ById<ProductView>, Error> {
    tx.sql(
        "select id as product_id, title as product_title, handle as product_handle,
                thumbnail as product_thumbnail, collection_id, type_id
           from product
          where id in (select value from json_each(:ids)) and deleted_at is null",
    )
    .all(named_params! { ":ids": ids }, |row| {
        let product = ProductView::from_row(row)?;
        Ok((product.id.clone(), product))
    })
}
