//! Statements on the shipping methods of a cart.

use rusqlite::named_params;

use crate::cart::contents::ShippingMethod;
use crate::database::{Error, FromRow as _, Stored, Tx};
use crate::ids::{CartId, CartShippingMethodId};

/// Returns the shipping methods of a cart, without totals.
pub(in crate::cart) fn shipping_methods(
    tx: &Tx<'_>,
    cart_id: &CartId,
) -> Result<Vec<ShippingMethod>, Error> {
    tx.sql("select * from cart_shipping_method where cart_id = :cart_id order by created_at, id")
        .all(named_params! { ":cart_id": cart_id }, ShippingMethod::from_row)
}

pub(in crate::cart) fn put_methods(
    tx: &Tx<'_>,
    cart_id: &CartId,
    methods: &[&ShippingMethod],
) -> Result<(), Error> {
    let key = (&["cart_id", "id"][..], &["shipping_option_id", "shipping_profile_id"][..]);
    let columns = [
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
    ];
    let cart = named_params! { ":cart_id": cart_id };
    tx.put_rows("cart_shipping_method", key, cart, (&columns, Stored(methods)))
}

pub(in crate::cart) fn delete_methods(
    tx: &Tx<'_>,
    cart_id: &CartId,
    ids: &[CartShippingMethodId],
) -> Result<(), Error> {
    tx.sql(
        "delete from cart_shipping_method
          where cart_id = :cart_id and id in (select value from json_each(:ids))",
    )
    .run(named_params! { ":cart_id": cart_id, ":ids": Stored(&ids) })
}
