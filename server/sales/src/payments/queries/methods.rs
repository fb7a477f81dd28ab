//! Statements on saved payment methods.

use rusqlite::named_params;

use crate::database::{self, Record as _, Tx};
use crate::ids::{AccountHolderId, PaymentMethodId, SubscriptionId};
use crate::payments::methods::PaymentMethod;

/// Returns the saved methods of a holder, newest first.
pub fn of_holder(
    tx: &Tx<'_>,
    holder: &AccountHolderId,
) -> Result<Vec<PaymentMethod>, database::Error> {
    let rest = "where m.account_holder_id = :holder and m.deleted_at is null
                order by m.created_at desc, m.id desc";
    PaymentMethod::select(tx, rest, named_params! { ":holder": holder })
}

/// Returns a saved method by the id that its provider has given it.
pub(crate) fn by_reference(
    tx: &Tx<'_>,
    reference: &str,
) -> Result<Option<PaymentMethod>, database::Error> {
    let rest = "where m.reference = :reference and m.deleted_at is null";
    PaymentMethod::select_one(tx, rest, named_params! { ":reference": reference })
}

/// Returns a holder's method by its provider's id, including ended ones, and whether it has ended.
pub(crate) fn ever_saved(
    tx: &Tx<'_>,
    holder: &AccountHolderId,
    reference: &str,
) -> Result<Option<(PaymentMethodId, bool)>, database::Error> {
    tx.sql(
        "select id, deleted_at is not null from payment_method
          where account_holder_id = :holder and reference = :reference order by deleted_at is not null, id limit 1",
    )
    .first(named_params! { ":holder": holder, ":reference": reference }, |row| {
        Ok((row.get(0)?, row.get(1)?))
    })
}

/// Returns the methods with the active subscriptions that they pay for.
pub(crate) fn used_by(
    tx: &Tx<'_>,
    methods: &str,
) -> Result<Vec<(PaymentMethodId, SubscriptionId)>, database::Error> {
    tx.sql(
        "select payment_method_id, id from subscription
          where payment_method_id in (select value from json_each(:methods)) and ended_at is null
          order by id",
    )
    .all(named_params! { ":methods": methods }, |row| Ok((row.get(0)?, row.get(1)?)))
}
