//! The SQL of store credit.

use rusqlite::named_params;

use super::account::{Account, Entry};
use crate::database::{self, Record as _, Tx};
use crate::ids::CustomerId;
use crate::money::Currency;

/// Returns the account of a customer in a currency.
pub(super) fn of_customer(
    tx: &Tx<'_>,
    customer: &CustomerId,
    currency: Currency,
) -> Result<Option<Account>, database::Error> {
    let rest = "where a.customer_id = :customer and a.currency = :currency";
    Account::select_one(tx, rest, named_params! { ":customer": customer, ":currency": currency })
}

/// Inserts an entry.
pub(super) fn append(tx: &Tx<'_>, entry: &Entry<'_>) -> Result<(), database::Error> {
    tx.prepare_cached(
        "insert into credit_entry (id, account_id, kind, amount_minor, reference, reference_id, note, created_at)
         values (:id, :account, :kind, :amount, :reference, :reference_id, :note, :at)",
    )?
    .execute(named_params! {
        ":id": entry.id,
        ":account": entry.account_id,
        ":kind": entry.kind.as_str(),
        ":amount": entry.new.amount_minor,
        ":reference": entry.new.reference,
        ":reference_id": entry.new.reference_id,
        ":note": entry.new.note,
        ":at": entry.at,
    })?;
    Ok(())
}
