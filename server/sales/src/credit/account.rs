//! Accounts and their entries. Amounts are minor units of the account's currency.

use serde_json::Value;

use super::error::CreditError;
use super::queries;
use crate::audit_log::{self, EntityType};
use crate::clock::Timestamp;
use crate::database::{Record, Table as _, Tx};
use crate::ids::{CreditAccountId, CreditEntryId, CustomerId};
use crate::money::Currency;
use crate::proportion::{add, subtract};

/// An account.
#[derive(Debug, Clone, PartialEq, Record)]
#[record(table = "credit_account a", title = "Store credit account")]
pub struct Account {
    pub id: CreditAccountId,
    /// The code to claim it with, such as `SC-9XKC-V4B7-N0RE-5M6T`.
    pub code: String,
    /// The owner; none until it is claimed.
    pub customer_id: Option<CustomerId>,
    pub currency: Currency,
    /// The sum of all credits.
    pub(crate) credits_minor: i64,
    /// The sum of all debits.
    pub(crate) debits_minor: i64,
    /// The current balance.
    pub(crate) balance_minor: i64,
    pub created_at: Timestamp,
    pub updated_at: Timestamp,
}

/// An account to create.
#[derive(Debug, Clone)]
pub struct NewAccount {
    pub currency: Currency,
    pub customer_id: Option<CustomerId>,
}

/// The direction of a credit entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// Money in.
    Credit,
    /// Money out.
    Debit,
}

stored_words!(Kind { Credit = "CREDIT", Debit = "DEBIT" });

/// An entry to write.
#[derive(Debug, Clone, Copy)]
pub struct NewEntry<'a> {
    /// The amount, greater than zero.
    pub amount_minor: i64,
    /// The kind of the cause, such as `cart`.
    pub reference: &'a str,
    pub reference_id: &'a str,
    pub note: Option<&'a str>,
    /// The user who causes it; empty for the server itself.
    pub actor_id: &'a str,
}

/// A stored entry.
#[derive(Debug, Clone)]
pub struct Entry<'a> {
    pub id: CreditEntryId,
    pub(crate) account_id: &'a CreditAccountId,
    pub kind: Kind,
    pub new: NewEntry<'a>,
    pub at: Timestamp,
}

/// Creates an empty account with a random code.
///
/// # Errors
/// [`CreditError::Exists`] if the customer already has one in this currency.
pub fn open(tx: &Tx<'_>, new: NewAccount, actor_id: &str) -> Result<Account, CreditError> {
    if let Some(customer) = &new.customer_id
        && queries::of_customer(tx, customer, new.currency)?.is_some()
    {
        return Err(CreditError::Exists { customer: customer.clone(), currency: new.currency });
    }
    let account = Account {
        id: CreditAccountId::new(),
        code: code(),
        customer_id: new.customer_id,
        currency: new.currency,
        credits_minor: 0,
        debits_minor: 0,
        balance_minor: 0,
        created_at: tx.now(),
        updated_at: tx.now(),
    };
    account.insert(tx)?;
    record(tx, "create", (Value::Null, &account), actor_id)?;
    Ok(account)
}

/// Writes a change to the audit log, without the code, because the code is enough to claim the account.
fn record(
    tx: &Tx<'_>,
    action: &str,
    (before, account): (Value, &Account),
    actor_id: &str,
) -> Result<(), CreditError> {
    let entry = audit_log::Entry {
        entity_type: EntityType::CreditAccount,
        entity_id: account.id.as_str(),
        action,
        actor_id,
        before,
        after: snapshot(account),
    };
    Ok(audit_log::record(tx, &entry)?)
}

/// Returns the account as the audit log records it.
fn snapshot(account: &Account) -> Value {
    serde_json::json!({
        "customer_id": account.customer_id,
        "currency": account.currency,
        "credits_minor": account.credits_minor,
        "debits_minor": account.debits_minor,
        "balance_minor": account.balance_minor,
    })
}

/// Returns an account.
pub fn find(tx: &Tx<'_>, id: &CreditAccountId) -> Result<Account, CreditError> {
    Account::require(tx, id)
}

/// Credits an account and returns its new state.
pub fn credit(
    tx: &Tx<'_>,
    id: &CreditAccountId,
    new: NewEntry<'_>,
) -> Result<Account, CreditError> {
    let mut account = find(tx, id)?;
    let before = snapshot(&account);
    let amount_minor = positive(new.amount_minor)?;
    account.credits_minor = add(account.credits_minor, amount_minor).map_err(range)?;
    account.balance_minor = add(account.balance_minor, amount_minor).map_err(range)?;
    write(tx, (before, account), Kind::Credit, new)
}

/// Debits an account in `currency` and returns its new state.
pub fn debit(
    tx: &Tx<'_>,
    id: &CreditAccountId,
    currency: Currency,
    new: NewEntry<'_>,
) -> Result<Account, CreditError> {
    let mut account = find(tx, id)?;
    let before = snapshot(&account);
    if account.currency != currency {
        return Err(CreditError::AnotherCurrency {
            account: account.currency,
            requested: currency,
        });
    }
    let amount_minor = positive(new.amount_minor)?;
    if amount_minor > account.balance_minor {
        let (requested, balance) =
            (currency.amount(amount_minor), currency.amount(account.balance_minor));
        return Err(CreditError::InsufficientBalance { requested, balance });
    }
    account.debits_minor = add(account.debits_minor, amount_minor).map_err(range)?;
    account.balance_minor = subtract(account.balance_minor, amount_minor).map_err(range)?;
    write(tx, (before, account), Kind::Debit, new)
}

fn write(
    tx: &Tx<'_>,
    (before, mut account): (Value, Account),
    kind: Kind,
    new: NewEntry<'_>,
) -> Result<Account, CreditError> {
    let (id, at) = (CreditEntryId::new(), tx.now());
    queries::append(tx, &Entry { id, account_id: &account.id, kind, new, at })?;
    account.updated_at = at;
    account.update(tx)?;
    let action = match kind {
        Kind::Credit => "credit",
        Kind::Debit => "debit",
    };
    record(tx, action, (before, &account), new.actor_id)?;
    Ok(account)
}

fn positive(amount_minor: i64) -> Result<i64, CreditError> {
    if amount_minor > 0 { Ok(amount_minor) } else { Err(CreditError::NotPositive) }
}

fn range(_too_large: crate::proportion::OutOfRange) -> CreditError {
    CreditError::OutOfRange
}

/// Returns a code of 80 random bits in four groups, of letters and digits that cannot be confused.
fn code() -> String {
    // The last sixteen characters of an id are random.
    let random: Vec<char> = CreditAccountId::new().as_str().chars().rev().take(16).collect();
    let groups: Vec<String> = random.chunks(4).map(|group| group.iter().collect()).collect();
    format!("SC-{}", groups.join("-"))
}
