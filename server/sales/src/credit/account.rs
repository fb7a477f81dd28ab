//! Accounts and what changes their balances. Amounts are minor units of the account's currency.

use rusqlite::types::Value as Cell;
use serde_json::{Value, json};

use super::error::CreditError;
use super::ledger::{Entry, Kind, NewEntry};
use super::queries;
use crate::audit_log::{self, EntityType};
use crate::clock::Timestamp;
use crate::database::listing::{Column, Kind as Filter, ListQuery};
use crate::database::{Filtered as _, Record, Table as _, Tx};
use crate::ids::{CreditAccountId, CreditEntryId, CustomerId};
use crate::metadata::Metadata;
use crate::money::Currency;
use crate::proportion::{add, subtract};
use crate::{comparable_amount, events};

/// A balance that compares with balances in other currencies.
const BALANCE: &str = comparable_amount!("a.balance_minor", "a.currency");

#[derive(Debug, Clone, Record)]
#[record(table = "credit_account a", title = "Store credit account")]
#[record(list(
    plural = "store_credit_accounts",
    usual,
    // Of the code only the last group, which everybody sees: searching the whole code would reveal it piece by piece.
    // The complete code is found by [`sought`].
    search = [
        "substr(a.code, -4)",
        "a.customer_id",
        "a.id",
        "a.currency",
        "exists (select 1 from customer c where c.id = a.customer_id and
                  c.email || ' ' || coalesce(c.first_name, '') || ' ' || coalesce(c.last_name, '') {})",
    ],
    order = "-created_at",
    limit = 15,
    columns = [
        Column::filter("code", "a.code", Filter::Code),
        Column::filter("currency_code", "a.currency", Currency::KIND),
        Column::filter("balance", BALANCE, Filter::Money { digits: comparable_amount::DIGITS }),
    ],
))]
pub struct Account {
    pub id: CreditAccountId,
    /// The code to claim it with, such as `SC-9XKC-V4B7-N0RE-5M6T`.
    #[column(once)]
    pub code: String,
    /// The owner; none until it is claimed.
    #[column(once, filter)]
    pub customer_id: Option<CustomerId>,
    #[column(once)]
    pub currency: Currency,
    /// The sum of all credits.
    pub(crate) credits_minor: i64,
    /// The sum of all debits.
    pub(crate) debits_minor: i64,
    /// The current balance.
    pub(crate) balance_minor: i64,
    pub metadata: Metadata,
    pub created_at: Timestamp,
    pub updated_at: Timestamp,
}

#[derive(Debug, Clone)]
pub struct NewAccount {
    pub currency: Currency,
    pub customer_id: Option<CustomerId>,
    pub metadata: Metadata,
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
        metadata: new.metadata,
        created_at: tx.now(),
        updated_at: tx.now(),
    };
    account.insert(tx)?;
    record(tx, "create", None, &account, actor_id)?;
    Ok(account)
}

/// Returns the account of a customer in a currency, creating it if necessary.
pub fn open_for(
    tx: &Tx<'_>,
    customer_id: &CustomerId,
    currency: Currency,
    actor_id: &str,
) -> Result<Account, CreditError> {
    if let Some(account) = queries::of_customer(tx, customer_id, currency)? {
        return Ok(account);
    }
    let customer_id = Some(customer_id.clone());
    open(tx, NewAccount { currency, customer_id, metadata: Metadata::default() }, actor_id)
}

/// Writes a change to the audit log, without the code, because the code is enough to claim the account.
fn record(
    tx: &Tx<'_>,
    action: &str,
    before: Option<Value>,
    account: &Account,
    actor_id: &str,
) -> Result<(), CreditError> {
    let entity = (EntityType::CreditAccount, account.id.as_str());
    let states = (before, Some(snapshot(account)));
    Ok(audit_log::record_change(tx, entity, action, states, actor_id)?)
}

/// Returns the account as the audit log records it.
fn snapshot(account: &Account) -> Value {
    json!({
        "customer_id": account.customer_id,
        "currency": account.currency,
        "credits_minor": account.credits_minor,
        "debits_minor": account.debits_minor,
        "balance_minor": account.balance_minor,
    })
}

pub fn find(tx: &Tx<'_>, id: &CreditAccountId) -> Result<Account, CreditError> {
    Account::require(tx, id)
}

pub fn credit(tx: &Tx<'_>, id: &CreditAccountId, new: NewEntry<'_>) -> Result<Entry, CreditError> {
    let mut account = find(tx, id)?;
    let before = snapshot(&account);
    let amount_minor = positive(new.amount_minor)?;
    account.credits_minor = add(account.credits_minor, amount_minor).map_err(range)?;
    account.balance_minor = add(account.balance_minor, amount_minor).map_err(range)?;
    write(tx, before, &account, Kind::Credit, new)
}

/// Debits an account in `currency` and returns the entry.
pub fn debit(
    tx: &Tx<'_>,
    id: &CreditAccountId,
    currency: Currency,
    new: NewEntry<'_>,
) -> Result<Entry, CreditError> {
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
    write(tx, before, &account, Kind::Debit, new)
}

/// Moves the balance of an unowned account, identified by its code, to the customer's own account.
///
/// # Errors
/// [`CreditError::InvalidCode`], for a code that is unknown, already claimed or without a balance.
pub fn claim(tx: &Tx<'_>, code: &str, customer: &CustomerId) -> Result<Account, CreditError> {
    let found = queries::by_code(tx, code)?
        .filter(|account| account.customer_id.is_none() && account.balance_minor > 0);
    let source = found.ok_or(CreditError::InvalidCode)?;
    let target = open_for(tx, customer, source.currency, customer.as_str())?;
    let entry = |reference_id| NewEntry {
        amount_minor: source.balance_minor,
        reference: "claim",
        reference_id,
        note: None,
        actor_id: customer.as_str(),
    };
    debit(tx, &source.id, source.currency, entry(target.id.as_str()))?;
    credit(tx, &target.id, entry(source.id.as_str()))?;
    let account = find(tx, &target.id)?;
    record_event(tx, "store_credit.claimed", &account, source.balance_minor)?;
    Ok(account)
}

fn write(
    tx: &Tx<'_>,
    before: Value,
    account: &Account,
    kind: Kind,
    new: NewEntry<'_>,
) -> Result<Entry, CreditError> {
    let entry = Entry {
        id: CreditEntryId::new(),
        account_id: account.id.clone(),
        currency: account.currency,
        kind,
        amount_minor: new.amount_minor,
        balance_after_minor: account.balance_minor,
        reference: new.reference.to_owned(),
        reference_id: new.reference_id.to_owned(),
        note: new.note.map(str::to_owned),
        actor_id: Some(new.actor_id.to_owned()).filter(|actor| !actor.is_empty()),
        order_id: None,
        metadata: Metadata::default(),
        created_at: tx.now(),
    };
    entry.insert(tx)?;
    account.update(tx)?;
    record(tx, kind.lower(), Some(before), account, new.actor_id)?;
    let name = match kind {
        Kind::Credit => "store_credit.credited",
        Kind::Debit => "store_credit.debited",
    };
    record_event(tx, name, account, new.amount_minor)?;
    Ok(entry)
}

fn record_event(
    tx: &Tx<'_>,
    name: &'static str,
    account: &Account,
    amount_minor: i64,
) -> Result<(), CreditError> {
    let currency = account.currency;
    let payload = json!({
        "id": account.id,
        "customer_id": account.customer_id,
        "currency_code": currency,
        "amount": currency.amount(amount_minor),
        "balance": currency.amount(account.balance_minor),
    });
    Ok(events::record(tx, name, &payload)?)
}

fn positive(amount_minor: i64) -> Result<i64, CreditError> {
    if amount_minor > 0 { Ok(amount_minor) } else { Err(CreditError::NotPositive) }
}

fn range(_too_large: crate::proportion::OutOfRange) -> CreditError {
    CreditError::OutOfRange
}

/// Returns a query that finds the account of a whole code, where it searches for one.
pub(super) fn sought(mut query: ListQuery) -> ListQuery {
    let code = query.search.as_deref().map(spelled);
    match code.filter(|code| code.len() == CODE_LEN && code.starts_with("SC-")) {
        Some(code) => {
            query.search = None;
            query.narrow("a.code = ?", [Cell::Text(code)])
        }
        None => query,
    }
}

/// Returns a code as it is stored, however somebody typed it.
pub(super) fn spelled(code: &str) -> String {
    code.trim().to_ascii_uppercase()
}

/// The characters of a code.
const CODE_LEN: usize = 22;

/// Returns a code of 80 random bits in four groups, of letters and digits that cannot be confused.
fn code() -> String {
    // The last sixteen characters of an id are random.
    let random: Vec<char> = CreditAccountId::new().as_str().chars().rev().take(16).collect();
    let groups: Vec<String> = random.chunks(4).map(|group| group.iter().collect()).collect();
    format!("SC-{}", groups.join("-"))
}
