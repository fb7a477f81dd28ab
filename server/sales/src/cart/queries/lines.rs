//! Statements on the lines of a cart.

use rusqlite::{Row, named_params};

use super::columns::{json, json_or_null, text};
use crate::cart::contents::{Item, Line};
use crate::cart::totals::ChargeTotals;
use crate::database::{Error, Named, Tx};
use crate::ids::{CartId, CartLineId};

/// Returns the lines of a cart in the order they were added, without totals.
pub(in crate::cart) fn lines(tx: &Tx<'_>, cart_id: &CartId) -> Result<Vec<Line>, Error> {
    tx.sql("select * from cart_line where cart_id = :cart_id order by position, id")
        .all(named_params! { ":cart_id": cart_id }, read)
}

fn read(row: &Row<'_>) -> rusqlite::Result<Line> {
    let row = &Named::of(row);
    Ok(Line {
        id: row.get("id")?,
        position: row.get("position")?,
        item: read_item(row)?,
        quantity: row.get("quantity")?,
        unit_price_minor: row.get("unit_price_minor")?,
        compare_at_unit_price_minor: row.get("compare_at_unit_price_minor")?,
        is_custom_price: row.get("is_custom_price")?,
        is_tax_inclusive: row.get("is_tax_inclusive")?,
        bundle_id: row.get("bundle_id")?,
        tax_lines: json(row, "tax_lines")?,
        adjustments: json(row, "adjustments")?,
        metadata: json_or_null(row, "metadata")?,
        created_at: row.get("created_at")?,
        updated_at: row.get("updated_at")?,
        totals: ChargeTotals::default(),
    })
}

/// Reads the product and variant columns of a line; order lines have the same columns.
pub(crate) fn read_item(row: &Named<'_, '_>) -> rusqlite::Result<Item> {
    Ok(Item {
        variant_id: row.get("variant_id")?,
        product_id: row.get("product_id")?,
        title: row.get("title")?,
        subtitle: row.get("subtitle")?,
        thumbnail: row.get("thumbnail")?,
        is_discountable: row.get("is_discountable")?,
        is_giftcard: row.get("is_giftcard")?,
        requires_shipping: row.get("requires_shipping")?,
        product_title: row.get("product_title")?,
        product_description: row.get("product_description")?,
        product_subtitle: row.get("product_subtitle")?,
        product_handle: row.get("product_handle")?,
        product_type: row.get("product_type")?,
        product_type_id: row.get("product_type_id")?,
        product_collection: row.get("product_collection")?,
        variant_title: row.get("variant_title")?,
        variant_sku: row.get("variant_sku")?,
        variant_barcode: row.get("variant_barcode")?,
    })
}

/// Inserts or updates lines.
pub(in crate::cart) fn put_lines(
    tx: &Tx<'_>,
    cart_id: &CartId,
    lines: &[&Line],
) -> Result<(), Error> {
    tx.sql(
        "insert into cart_line (cart_id, id, position, variant_id, product_id, title, subtitle, thumbnail,
                quantity, unit_price_minor, compare_at_unit_price_minor, is_custom_price, is_tax_inclusive,
                is_discountable, is_giftcard, requires_shipping, bundle_id, product_title, product_description,
                product_subtitle, product_handle, product_type, product_type_id, product_collection,
                variant_title, variant_sku, variant_barcode, tax_lines, adjustments, metadata,
                created_at, updated_at)
         select :cart_id, line ->> 'id', line ->> 'position', item ->> 'variant_id', item ->> 'product_id',
                item ->> 'title', item ->> 'subtitle', item ->> 'thumbnail', line ->> 'quantity',
                line ->> 'unit_price_minor', line ->> 'compare_at_unit_price_minor',
                line ->> 'is_custom_price', line ->> 'is_tax_inclusive', item ->> 'is_discountable',
                item ->> 'is_giftcard', item ->> 'requires_shipping', line ->> 'bundle_id',
                item ->> 'product_title', item ->> 'product_description', item ->> 'product_subtitle',
                item ->> 'product_handle', item ->> 'product_type', item ->> 'product_type_id',
                item ->> 'product_collection', item ->> 'variant_title', item ->> 'variant_sku',
                item ->> 'variant_barcode', line ->> 'tax_lines', line ->> 'adjustments',
                line ->> 'metadata', :now, :now
           from (select value as line, value -> 'item' as item from json_each(:lines)) where true
         on conflict (cart_id, id) do update
            set title = excluded.title, subtitle = excluded.subtitle, thumbnail = excluded.thumbnail,
                quantity = excluded.quantity, unit_price_minor = excluded.unit_price_minor,
                compare_at_unit_price_minor = excluded.compare_at_unit_price_minor,
                is_custom_price = excluded.is_custom_price, is_tax_inclusive = excluded.is_tax_inclusive,
                is_discountable = excluded.is_discountable, is_giftcard = excluded.is_giftcard,
                requires_shipping = excluded.requires_shipping, bundle_id = excluded.bundle_id,
                product_title = excluded.product_title, product_description = excluded.product_description,
                product_subtitle = excluded.product_subtitle, product_handle = excluded.product_handle,
                product_type = excluded.product_type, product_type_id = excluded.product_type_id,
                product_collection = excluded.product_collection, variant_title = excluded.variant_title,
                variant_sku = excluded.variant_sku, variant_barcode = excluded.variant_barcode,
                tax_lines = excluded.tax_lines, adjustments = excluded.adjustments,
                metadata = excluded.metadata, updated_at = excluded.updated_at",
    )
    .run(named_params! { ":cart_id": cart_id, ":lines": text(lines)?, ":now": tx.now() })
}

/// Deletes lines.
pub(in crate::cart) fn delete_lines(
    tx: &Tx<'_>,
    cart_id: &CartId,
    ids: &[CartLineId],
) -> Result<(), Error> {
    tx.sql("delete from cart_line where cart_id = :cart_id and id in (select value from json_each(:ids))")
        .run(named_params! { ":cart_id": cart_id, ":ids": text(&ids)? })
}
