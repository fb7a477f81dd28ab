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

/// Inserts or updates credit lines.
pub(in crate::cart) fn put_credit_lines(
    tx: &Tx<'_>,
    cart_id: &CartId,
    lines: &[&CreditLine],
) -> Result<(), Error> {
    tx.sql(
        "insert into cart_credit_line (cart_id, id, amount_minor, reference, reference_id, metadata,
                                       created_at, updated_at)
         select :cart_id, value ->> 'id', value ->> 'amount_minor', value ->> 'reference',
                value ->> 'reference_id', value ->> 'metadata', :now, :now
           from json_each(:lines) where true
         on conflict (cart_id, id) do update
            set amount_minor = excluded.amount_minor, metadata = excluded.metadata,
                updated_at = excluded.updated_at",
    )
    .run(named_params! { ":cart_id": cart_id, ":lines": Stored(lines), ":now": tx.now() })
}

/// Deletes credit lines.
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
