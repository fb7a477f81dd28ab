//! Statements on the parts of a cart: its lines, shipping methods and credit lines, each stored as its JSON.

use rusqlite::named_params;
use serde::Serialize;

use crate::cart::contents::{CreditLine, Line, ShippingMethod};
use crate::database::{Error, FromRow as _, Stored, Tx};
use crate::ids::CartId;

/// The table of one kind of part.
#[derive(Debug)]
pub(in crate::cart) struct PartTable {
    name: &'static str,
    /// The columns that never change, beside the key.
    fixed: &'static [&'static str],
    columns: &'static [&'static str],
}

pub(in crate::cart) const LINES: PartTable = PartTable {
    name: "cart_line",
    fixed: &["position", "variant_id", "product_id"],
    columns: &[
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
    ],
};

pub(in crate::cart) const SHIPPING_METHODS: PartTable = PartTable {
    name: "cart_shipping_method",
    fixed: &["shipping_option_id", "shipping_profile_id"],
    columns: &[
        "id",
        "shipping_option_id",
        "shipping_profile_id",
        "name",
        "amount_minor",
        "is_tax_inclusive",
        "data",
        "tax_lines",
        "adjustments",
        "metadata",
    ],
};

pub(in crate::cart) const CREDIT_LINES: PartTable = PartTable {
    name: "cart_credit_line",
    fixed: &["reference", "reference_id"],
    columns: &["id", "amount_minor", "reference", "reference_id", "metadata"],
};

/// Returns the lines of a cart in the order they were added, without totals.
pub(in crate::cart) fn lines(tx: &Tx<'_>, cart_id: &CartId) -> Result<Vec<Line>, Error> {
    tx.sql("select * from cart_line where cart_id = :cart_id order by position, id")
        .all(named_params! { ":cart_id": cart_id }, Line::from_row)
}

/// Returns the shipping methods of a cart, without totals.
pub(in crate::cart) fn shipping_methods(
    tx: &Tx<'_>,
    cart_id: &CartId,
) -> Result<Vec<ShippingMethod>, Error> {
    tx.sql("select * from cart_shipping_method where cart_id = :cart_id order by created_at, id")
        .all(named_params! { ":cart_id": cart_id }, ShippingMethod::from_row)
}

/// Returns the credit lines of a cart.
pub(in crate::cart) fn credit_lines(
    tx: &Tx<'_>,
    cart_id: &CartId,
) -> Result<Vec<CreditLine>, Error> {
    tx.sql("select * from cart_credit_line where cart_id = :cart_id order by created_at, id")
        .all(named_params! { ":cart_id": cart_id }, CreditLine::from_row)
}

/// Deletes the parts that are gone, by their ids, and writes those that are new or changed.
pub(in crate::cart) fn write_parts(
    tx: &Tx<'_>,
    cart_id: &CartId,
    table: &PartTable,
    (gone, changed): (Vec<impl Serialize>, Vec<&impl Serialize>),
) -> Result<(), Error> {
    let PartTable { name, fixed, columns } = table;
    if !gone.is_empty() {
        let sql = format!(
            "delete from {name} where cart_id = :cart_id and id in (select value from json_each(:ids))"
        );
        tx.sql(&sql).run(named_params! { ":cart_id": cart_id, ":ids": Stored(gone) })?;
    }
    if !changed.is_empty() {
        let cart = named_params! { ":cart_id": cart_id };
        tx.put_rows(name, (&["cart_id", "id"], fixed), cart, (columns, Stored(changed)))?;
    }
    Ok(())
}
