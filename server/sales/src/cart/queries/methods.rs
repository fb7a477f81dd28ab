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

/// Inserts or updates shipping methods.
pub(in crate::cart) fn put_methods(
    tx: &Tx<'_>,
    cart_id: &CartId,
    methods: &[&ShippingMethod],
) -> Result<(), Error> {
    tx.sql(
        "insert into cart_shipping_method (cart_id, id, shipping_option_id, shipping_profile_id, name,
                amount_minor, is_tax_inclusive, data, tax_lines, adjustments, metadata, created_at, updated_at)
         select :cart_id, value ->> 'id', value ->> 'shipping_option_id', value ->> 'shipping_profile_id',
                value ->> 'name', value ->> 'amount_minor', value ->> 'is_tax_inclusive', value ->> 'data',
                value ->> 'tax_lines', value ->> 'adjustments', value ->> 'metadata', :now, :now
           from json_each(:methods) where true
         on conflict (cart_id, id) do update
            set name = excluded.name, amount_minor = excluded.amount_minor,
                is_tax_inclusive = excluded.is_tax_inclusive, data = excluded.data,
                tax_lines = excluded.tax_lines, adjustments = excluded.adjustments,
                metadata = excluded.metadata, updated_at = excluded.updated_at",
    )
    .run(named_params! { ":cart_id": cart_id, ":methods": Stored(methods), ":now": tx.now() })
}

/// Deletes shipping methods.
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
