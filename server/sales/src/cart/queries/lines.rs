//! Statements on the lines of a cart.

use rusqlite::named_params;

use crate::cart::contents::Line;
use crate::database::{Error, FromRow as _, Stored, Tx};
use crate::ids::{CartId, CartLineId};

/// Returns the lines of a cart in the order they were added, without totals.
pub(in crate::cart) fn lines(tx: &Tx<'_>, cart_id: &CartId) -> Result<Vec<Line>, Error> {
    tx.sql("select * from cart_line where cart_id = :cart_id order by position, id")
        .all(named_params! { ":cart_id": cart_id }, Line::from_row)
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
    .run(named_params! { ":cart_id": cart_id, ":lines": Stored(lines), ":now": tx.now() })
}

/// Deletes lines.
pub(in crate::cart) fn delete_lines(
    tx: &Tx<'_>,
    cart_id: &CartId,
    ids: &[CartLineId],
) -> Result<(), Error> {
    tx.sql("delete from cart_line where cart_id = :cart_id and id in (select value from json_each(:ids))")
        .run(named_params! { ":cart_id": cart_id, ":ids": Stored(&ids) })
}
