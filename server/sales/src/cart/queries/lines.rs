//! Statements on the lines of a cart.

use rusqlite::named_params;

use crate::cart::contents::Line;
use crate::database::{Error, FromRow as _, Stored, Tx};
use crate::ids::{CartId, CartLineId};

/// The columns of a line, which is stored as its JSON.
const COLUMNS: [&str; 32] = [
    "id",
    "position",
    "variant_id",
    "product_id",
    "title",
    "subtitle",
    "thumbnail",
    "quantity",
    "unit_price_minor",
    "compare_at_unit_price_minor",
    "is_custom_price",
    "is_tax_inclusive",
    "is_discountable",
    "is_giftcard",
    "requires_shipping",
    "bundle_id",
    "bundle_product_id",
    "bundle_item_id",
    "plan_id",
    "product_title",
    "product_description",
    "product_subtitle",
    "product_handle",
    "product_type",
    "product_type_id",
    "product_collection",
    "variant_title",
    "variant_sku",
    "variant_barcode",
    "tax_lines",
    "adjustments",
    "metadata",
];

/// Returns the lines of a cart in the order they were added, without totals.
pub(in crate::cart) fn lines(tx: &Tx<'_>, cart_id: &CartId) -> Result<Vec<Line>, Error> {
    tx.sql("select * from cart_line where cart_id = :cart_id order by position, id")
        .all(named_params! { ":cart_id": cart_id }, Line::from_row)
}

pub(in crate::cart) fn put_lines(
    tx: &Tx<'_>,
    cart_id: &CartId,
    lines: &[&Line],
) -> Result<(), Error> {
    let key = (&["cart_id", "id"][..], &["position", "variant_id", "product_id"][..]);
    tx.put_rows("cart_line", key, named_params! { ":cart_id": cart_id }, (&COLUMNS, Stored(lines)))
}

pub(in crate::cart) fn delete_lines(
    tx: &Tx<'_>,
    cart_id: &CartId,
    ids: &[CartLineId],
) -> Result<(), Error> {
    tx.sql("delete from cart_line where cart_id = :cart_id and id in (select value from json_each(:ids))")
        .run(named_params! { ":cart_id": cart_id, ":ids": Stored(&ids) })
}
