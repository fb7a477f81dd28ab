//! `/admin/store-credit-accounts`.

use axum::extract::State;
use quotient_foundation::routes;
use utoipa_axum::router::OpenApiRouter;

use super::{AccountListResponse, AccountResponse};
use crate::auth::{AdminReader, AdminWriter};
use crate::credit::account::{self, NewAccount};
use crate::credit::ledger::Entry;
use crate::credit::view::{AccountView, TransactionView};
use crate::credit::{CreditError, NewEntry};
use crate::customers;
use crate::database::{Db, Tx};
use crate::http::{
    Answer, Fields, HttpError, Json, ListRequest, OneRequest, Page, Path, Text, request,
};
use crate::ids::{CreditAccountId, CustomerId};
use crate::metadata::{Metadata, MetadataPatch};
use crate::money::{Currency, Major};
use crate::regions;
use crate::resource::{AdminRoutes, View as _};
use crate::state::AppState;

pub(super) fn router() -> OpenApiRouter<AppState> {
    AdminRoutes::<AccountView, _>::at("/admin/store-credit-accounts", "Admin store credit")
        .create(CreateCreditAccountRequest::create)
        .router()
        .routes(routes!(list_store_credit_accounts))
        .routes(routes!(show_store_credit_account))
        .routes(routes!(credit_store_credit_account))
        .routes(routes!(debit_store_credit_account))
        .routes(routes!(list_store_credit_transactions))
}

type TransactionListResponse = Page<TransactionView>;

/// A new account. It starts empty.
#[request]
#[schema(example = json!({ "currency_code": "gbp", "customer_id": "cus_01JD2Q8Z5M6T3W9XKCV4B7N0RE" }))]
struct CreateCreditAccountRequest {
    /// One of the store's currencies.
    currency_code: Currency,
    /// The owner. An account without one belongs to whoever claims it with its code.
    customer_id: Option<CustomerId>,
    metadata: Option<MetadataPatch>,
}

impl CreateCreditAccountRequest {
    fn create(self, tx: &Tx<'_>, actor_id: &str) -> Result<CreditAccountId, CreditError> {
        let currency = self.currency_code;
        if !regions::accepts(tx, currency)? {
            return Err(CreditError::CurrencyNotAccepted(currency));
        }
        if let Some(customer_id) = &self.customer_id {
            customers::find(tx, customer_id)?;
        }
        let mut metadata = Metadata::default();
        metadata.merge(self.metadata)?;
        let new = NewAccount { currency, customer_id: self.customer_id, metadata };
        Ok(account::open(tx, new, actor_id)?.id)
    }
}

/// An amount to credit or debit.
#[request]
#[schema(example = json!({ "amount": 12.5, "note": "Sorry for the delay" }))]
struct EntryRequest {
    /// Greater than zero.
    amount: Major,
    /// The reason, which the ledger shows.
    note: Option<Text<500>>,
}

/// Lists store credit accounts.
///
/// `q` searches the last four characters of the code, the customer's e-mail address, name and id, the account's id and
/// the currency.
#[crate::http::operation(get, path = "/admin/store-credit-accounts", tag = "Admin store credit",
    params(ListRequest<AccountView>),
    responses((status = 200, description = "A page", body = AccountListResponse)))]
async fn list_store_credit_accounts(
    admin: AdminReader,
    State(db): State<Db>,
    list: ListRequest<AccountView>,
) -> Result<Answer, HttpError> {
    list.read(db, move |tx, query, selection| {
        let (accounts, count) = AccountView::page(tx, account::sought(query), selection)?;
        let shown = |account| visible_to(account, admin.actor().may_write());
        Ok::<_, CreditError>((accounts.into_iter().map(shown).collect(), count))
    })
    .await
}

/// Shows a store credit account with its balance.
#[crate::http::operation(get, path = "/admin/store-credit-accounts/{id}", tag = "Admin store credit",
    params(("id" = CreditAccountId, Path, description = "The account"), Fields<AccountView>),
    responses((status = 200, description = "The account", body = AccountResponse)))]
async fn show_store_credit_account(
    OneRequest { caller, db, id, fields }: OneRequest<AdminReader, CreditAccountId, AccountView>,
) -> Result<Answer, HttpError> {
    fields
        .read(db, move |tx, selection| {
            let account = AccountView::show(tx, &id, selection)?;
            Ok::<_, CreditError>(visible_to(account, caller.actor().may_write()))
        })
        .await
}

/// Credits a store credit account.
#[crate::http::operation(post, path = "/admin/store-credit-accounts/{id}/credit", tag = "Admin store credit",
    params(("id" = CreditAccountId, Path, description = "The account"), Fields<AccountView>),
    request_body = EntryRequest,
    responses((status = 200, description = "The account", body = AccountResponse)))]
async fn credit_store_credit_account(
    admin: AdminWriter,
    State(AppState { shared, .. }): State<AppState>,
    Path(id): Path<CreditAccountId>,
    fields: Fields<AccountView>,
    Json(request): Json<EntryRequest>,
) -> Result<Answer, HttpError> {
    let max = shared.settings.store.credit_max_amount;
    fields
        .write(shared.db.clone(), move |tx, selection| {
            if request.amount.decimal() > max {
                return Err(CreditError::AboveLimit { max: max.into() });
            }
            enter(tx, (&id, &request), &admin, |tx, _, new| account::credit(tx, &id, new))?;
            AccountView::show(tx, &id, selection)
        })
        .await
}

/// Debits a store credit account.
#[crate::http::operation(post, path = "/admin/store-credit-accounts/{id}/debit", tag = "Admin store credit",
    params(("id" = CreditAccountId, Path, description = "The account"), Fields<AccountView>),
    request_body = EntryRequest,
    responses((status = 200, description = "The account", body = AccountResponse)))]
async fn debit_store_credit_account(
    OneRequest { caller, db, id, fields }: OneRequest<AdminWriter, CreditAccountId, AccountView>,
    Json(request): Json<EntryRequest>,
) -> Result<Answer, HttpError> {
    fields
        .write(db, move |tx, selection| {
            enter(tx, (&id, &request), &caller, |tx, currency, new| {
                account::debit(tx, &id, currency, new)
            })?;
            AccountView::show(tx, &id, selection)
        })
        .await
}

/// Lists the transactions of a store credit account.
#[crate::http::operation(get, path = "/admin/store-credit-accounts/{id}/transactions", tag = "Admin store credit",
    params(("id" = CreditAccountId, Path, description = "The account"), ListRequest<TransactionView>),
    responses((status = 200, description = "A page", body = TransactionListResponse)))]
async fn list_store_credit_transactions(
    _admin: AdminReader,
    State(db): State<Db>,
    Path(id): Path<CreditAccountId>,
    list: ListRequest<TransactionView>,
) -> Result<Answer, HttpError> {
    list.read(db, move |tx, query, selection| {
        account::find(tx, &id)?;
        let own = query.narrow("e.account_id = ?", [id.to_string().into()]);
        TransactionView::page(tx, own, selection)
    })
    .await
}

/// Writes an entry of an admin or an API key.
fn enter(
    tx: &Tx<'_>,
    (id, request): (&CreditAccountId, &EntryRequest),
    admin: &AdminWriter,
    write: impl FnOnce(&Tx<'_>, Currency, NewEntry<'_>) -> Result<Entry, CreditError>,
) -> Result<Entry, CreditError> {
    let currency = account::find(tx, id)?.currency;
    let new = NewEntry {
        amount_minor: request.amount.minor(currency)?,
        reference: if admin.actor_type() == "user" { "user" } else { "api_key" },
        reference_id: admin.actor_id(),
        note: request.note.as_ref().map(Text::as_str),
        actor_id: admin.actor_id(),
    };
    write(tx, currency, new)
}

/// The code claims the account's money, so only those who may spend it see it whole.
fn visible_to(account: AccountView, may_write: bool) -> AccountView {
    if may_write { account } else { account.masked() }
}
