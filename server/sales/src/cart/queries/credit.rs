//! Statements on the credit lines of a cart.

use rusqlite::named_params;

use crate::cart::contents::CreditLine;
use crate::database::{Error, FromRow as _, Stored, Tx};
use crate::ids::{CartCreditLineId, CartId};

/// Returns the credit lines of a cart.
pub(in crate::cart) fn credit_lines(
    tx: &Tx<'_>,
    cart_id: &CartId,
) -> Result<Vec<CreditLine>, Error> {
    tx.sql("select * from cart_credit_line where cart_id = :cart_id order by created_at, id")
        .all(named_params! { ":cart_id": cart_id }, CreditLine::from_row)
}

pub(in crate::cart) fn put_credit_lines(
    tx: &Tx<'_>,
    cart_id: &CartId,
    lines: &[&CreditLine],
) -> Result<(), Error> {
    let key = (&["cart_id", "id"][..], &["reference", "reference_id"][..]);
    let columns = ["id", "amount_minor", "reference", "reference_id", "metadata"];
    let cart = named_params! { ":cart_id": cart_id };
    tx.put_rows("cart_credit_line", key, cart, (&columns, Stored(lines)))
}

pub(in crate::cart) fn delete_credit_lines(
    tx: &Tx<'_>,
    cart_id: &CartId,
    ids: &[CartCreditLineId],
) -> Result<(), Error> {
    tx.sql(
        "delete from cart_credit_line
          where cart_id = :cart_id and id in (select value from json_each(:ids))",
    )
    .run(named_params! { ":cart_id": cart_id, ":ids": Stored(&ids) })
}
