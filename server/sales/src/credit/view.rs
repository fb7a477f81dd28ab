//! The views of accounts and transactions.

use serde::Serialize;

use super::account::Account;
use super::error::CreditError;
use super::ledger::Entry;
use crate::clock::Timestamp;
use crate::customers::Customer;
use crate::database::{Table as _, Tx, Word as _};
use crate::http::{Resource, Selection, ToSchema};
use crate::ids::{ById, CreditAccountId, CreditEntryId, CustomerId, OrderId};
use crate::metadata::Metadata;
use crate::money::{Amount, Currency};
use crate::resource::View;

/// A store credit account.
#[derive(Debug, Clone, Serialize, ToSchema, Resource)]
#[schema(as = StoreCreditAccount)]
#[resource(name = "store credit account", key = "store_credit_account", rows = Account, store = StoreAccount)]
pub(super) struct AccountView {
    pub(super) id: CreditAccountId,
    /// Anybody who has the code of an account without a customer can claim its balance, so only the role `admin` and
    /// the account's customer see more than its last four characters.
    #[schema(example = "SC-9XKC-V4B7-N0RE-5M6T")]
    pub(super) code: String,
    currency_code: Currency,
    pub(super) customer_id: Option<CustomerId>,
    /// The sum of all credits.
    credits: Amount,
    /// The sum of all debits.
    debits: Amount,
    /// Credits less debits.
    balance: Amount,
    metadata: Metadata,
    created_at: Timestamp,
    updated_at: Timestamp,
    /// The customer; null for an account without one. Admins only.
    #[field(relation, store(hidden))]
    customer: Option<Customer>,
}

impl AccountView {
    /// Hides all of the code except its last group.
    pub(super) fn masked(self) -> Self {
        let group = self.code.rsplit('-').next().unwrap_or_default();
        Self { code: format!("SC-****-****-****-{group}"), ..self }
    }
}

impl From<Account> for AccountView {
    fn from(account: Account) -> Self {
        let currency = account.currency;
        Self {
            id: account.id,
            code: account.code,
            currency_code: currency,
            customer_id: account.customer_id,
            credits: currency.amount(account.credits_minor),
            debits: currency.amount(account.debits_minor),
            balance: currency.amount(account.balance_minor),
            metadata: account.metadata,
            created_at: account.created_at,
            updated_at: account.updated_at,
            customer: None,
        }
    }
}

impl View for AccountView {
    type Row = Account;
    type Error = CreditError;

    fn attach(
        tx: &Tx<'_>,
        accounts: &mut [Self],
        selection: &Selection,
    ) -> Result<(), CreditError> {
        if !selection.wants("customer") {
            return Ok(());
        }
        let ids: Vec<CustomerId> =
            accounts.iter().filter_map(|account| account.customer_id.clone()).collect();
        let customers: ById<Customer> = Customer::find_all(tx, &ids)?
            .into_iter()
            .map(|customer| (customer.id.clone(), customer))
            .collect();
        for account in accounts {
            account.customer =
                account.customer_id.as_ref().and_then(|id| customers.get(id).cloned());
        }
        Ok(())
    }
}

/// A transaction of a store credit account.
#[derive(Debug, Clone, Serialize, ToSchema, Resource)]
#[schema(as = StoreCreditTransaction)]
#[resource(name = "transaction", rows = Entry, error = CreditError)]
pub(super) struct TransactionView {
    id: CreditEntryId,
    account_id: CreditAccountId,
    /// `CREDIT` or `DEBIT`.
    #[schema(example = "CREDIT")]
    kind: &'static str,
    /// The same in lower case.
    #[serde(rename = "type")]
    #[schema(example = "credit")]
    lower_kind: &'static str,
    /// The amount, greater than zero.
    amount: Amount,
    /// The balance after the transaction.
    balance_after: Amount,
    /// The kind of the cause: `user`, `api_key`, `cart`, `order_refund`, `claim`, `subscription` or `erasure`.
    #[schema(example = "user")]
    reference: String,
    /// The id of the cause.
    reference_id: String,
    /// The reason for the change.
    note: Option<String>,
    /// The user, API key or customer; null for the server itself.
    actor_id: Option<String>,
    /// The order that was paid or refunded.
    order_id: Option<OrderId>,
    metadata: Metadata,
    created_at: Timestamp,
    /// The same as `created_at`: transactions never change.
    updated_at: Timestamp,
}

impl From<Entry> for TransactionView {
    fn from(entry: Entry) -> Self {
        Self {
            id: entry.id,
            account_id: entry.account_id,
            kind: entry.kind.as_str(),
            lower_kind: entry.kind.lower(),
            amount: entry.currency.amount(entry.amount_minor),
            balance_after: entry.currency.amount(entry.balance_after_minor),
            reference: entry.reference,
            reference_id: entry.reference_id,
            note: entry.note,
            actor_id: entry.actor_id,
            order_id: entry.order_id,
            metadata: entry.metadata,
            created_at: entry.created_at,
            updated_at: entry.created_at,
        }
    }
}
