//! The statements of store credit: the only place of this domain with SQL.

use rusqlite::{Row, named_params};

use super::account::{Account, Entry};
use crate::database::{self, Stored, Tx};
use crate::ids::{CreditAccountId, CustomerId};
use crate::money::Currency;

const COLUMNS: &str = "id, code, customer_id, currency, credits_minor, debits_minor, balance_minor, metadata, created_at, updated_at";

/// Writes an account as it is.
pub(super) fn insert(tx: &Tx<'_>, account: &Account) -> Result<(), database::Error> {
    tx.prepare_cached(
        "insert into credit_account
           (id, code, customer_id, currency, credits_minor, debits_minor, balance_minor, metadata, created_at,
            updated_at)
         values (:id, :code, :customer, :currency, :credits, :debits, :balance, :metadata, :created, :updated)",
    )?
    .execute(named_params! {
        ":id": account.id,
        ":code": account.code,
        ":customer": account.customer_id,
        ":currency": account.currency,
        ":credits": account.credits_minor,
        ":debits": account.debits_minor,
        ":balance": account.balance_minor,
        ":metadata": account.metadata.as_ref().map(Stored),
        ":created": account.created_at,
        ":updated": account.updated_at,
    })?;
    Ok(())
}

/// An account.
pub(super) fn find(tx: &Tx<'_>, id: &CreditAccountId) -> Result<Option<Account>, database::Error> {
    let mut statement =
        tx.prepare_cached(&format!("select {COLUMNS} from credit_account where id = :id"))?;
    let mut rows = statement.query_map(named_params! { ":id": id }, read)?;
    Ok(rows.next().transpose()?)
}

/// The account of a customer in a currency.
pub(super) fn of_customer(
    tx: &Tx<'_>,
    customer: &CustomerId,
    currency: Currency,
) -> Result<Option<Account>, database::Error> {
    let mut statement = tx.prepare_cached(&format!(
        "select {COLUMNS} from credit_account where customer_id = :customer and currency = :currency"
    ))?;
    let mut rows = statement
        .query_map(named_params! { ":customer": customer, ":currency": currency }, read)?;
    Ok(rows.next().transpose()?)
}

/// Writes what an account holds.
pub(super) fn set_balance(tx: &Tx<'_>, account: &Account) -> Result<(), database::Error> {
    tx.prepare_cached(
        "update credit_account
            set credits_minor = :credits, debits_minor = :debits, balance_minor = :balance, updated_at = :updated
          where id = :id",
    )?
    .execute(named_params! {
        ":id": account.id,
        ":credits": account.credits_minor,
        ":debits": account.debits_minor,
        ":balance": account.balance_minor,
        ":updated": account.updated_at,
    })?;
    Ok(())
}

/// Writes an entry.
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

fn read(row: &Row<'_>) -> rusqlite::Result<Account> {
    Ok(Account {
        id: row.get("id")?,
        code: row.get("code")?,
        customer_id: row.get("customer_id")?,
        currency: row.get("currency")?,
        credits_minor: row.get("credits_minor")?,
        debits_minor: row.get("debits_minor")?,
        balance_minor: row.get("balance_minor")?,
        metadata: row.get::<_, Option<Stored<_>>>("metadata")?.map(|Stored(value)| value),
        created_at: row.get("created_at")?,
        updated_at: row.get("updated_at")?,
    })
}
