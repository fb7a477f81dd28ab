//! Statements on saved payment methods.

use rusqlite::named_params;

use crate::database::{self, Record as _, Tx};
use crate::ids::AccountHolderId;
use crate::payments::methods::PaymentMethod;

/// Returns the saved methods of a holder, newest first.
pub(in crate::payments) fn of_holder(
    tx: &Tx<'_>,
    holder: &AccountHolderId,
) -> Result<Vec<PaymentMethod>, database::Error> {
    let rest = "where m.account_holder_id = :holder and m.deleted_at is null
                order by m.created_at desc, m.id desc";
    PaymentMethod::select(tx, rest, named_params! { ":holder": holder })
}
