//! Statements on the parts of a cart: its lines, shipping methods and credit lines, each stored as its JSON.

use rusqlite::named_params;
use serde::Serialize;

use crate::cart::contents::{CreditLine, Line, ShippingMethod};
use crate::database::{Error, FromRow, Stored, Tx};
use crate::ids::CartId;

/// The table of one kind of part, and its columns that never change, beside the key.
#[derive(Debug)]
pub(crate) struct PartTable {
    name: &'static str,
    fixed: &'static [&'static str],
}

pub(crate) const LINES: PartTable =
    PartTable { name: "cart_line", fixed: &["position", "variant_id", "product_id"] };

pub(crate) const SHIPPING_METHODS: PartTable = PartTable {
    name: "cart_shipping_method",
    fixed: &["shipping_option_id", "shipping_profile_id"],
};

pub(crate) const CREDIT_LINES: PartTable =
    PartTable { name: "cart_credit_line", fixed: &["reference", "reference_id"] };

/// Returns the lines of a cart in the order they were added, without totals.
pub(crate) fn lines(tx: &Tx<'_>, cart_id: &CartId) -> Result<Vec<Line>, Error> {
    tx.sql("select * from cart_line where cart_id = :cart_id order by position, id")
        .all(named_params! { ":cart_id": cart_id }, Line::from_row)
}

/// Returns the shipping methods of a cart, without totals.
pub(crate) fn shipping_methods(
    tx: &Tx<'_>,
    cart_id: &CartId,
) -> Result<Vec<ShippingMethod>, Error> {
    tx.sql("select * from cart_shipping_method where cart_id = :cart_id order by created_at, id")
        .all(named_params! { ":cart_id": cart_id }, ShippingMethod::from_row)
}

pub(crate) fn credit_lines(tx: &Tx<'_>, cart_id: &CartId) -> Result<Vec<CreditLine>, Error> {
    tx.sql("select * from cart_credit_line where cart_id = :cart_id order by created_at, id")
        .all(named_params! { ":cart_id": cart_id }, CreditLine::from_row)
}

/// Deletes the parts that are gone, by their ids, and writes those that are new or changed.
pub(crate) fn write_parts<T: FromRow + Serialize>(
    tx: &Tx<'_>,
    cart_id: &CartId,
    PartTable { name, fixed }: &PartTable,
    (gone, changed): (Vec<impl Serialize>, Vec<&T>),
) -> Result<(), Error> {
    if !gone.is_empty() {
        let sql = format!(
            "delete from {name} where cart_id = :cart_id and id in (select value from json_each(:ids))"
        );
        tx.sql(&sql).run(named_params! { ":cart_id": cart_id, ":ids": Stored(gone) })?;
    }
    if !changed.is_empty() {
        let cart = named_params! { ":cart_id": cart_id };
        let mut columns = T::columns();
        columns.retain(|column| !matches!(*column, "created_at" | "updated_at"));
        tx.put_rows(name, (&["cart_id", "id"], fixed), cart, (&columns, Stored(changed)))?;
    }
    Ok(())
}
