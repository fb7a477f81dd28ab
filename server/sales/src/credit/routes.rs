//! The routes of store credit: `/admin/store-credit-accounts`, and `/store/store-credit-accounts` of the logged-in
//! customer.

use std::sync::Arc;

use axum::extract::State;
use quotient_foundation::routes;
use utoipa_axum::router::OpenApiRouter;

use super::account::{self, Account, NewAccount};
use super::view::{AccountView, StoreAccount, TransactionView};
use super::{CreditError, NewEntry, find};
use crate::auth::{AdminReader, AdminWriter, Shopper};
use crate::database::{Db, Missing, Table as _, Tx};
use crate::http::{
    Answer, Fields, HttpError, Json, ListRequest, One, OneRequest, Page, Path, Text, request,
};
use crate::ids::{CreditAccountId, CustomerId};
use crate::metadata::{Metadata, MetadataPatch};
use crate::middleware::RateLimits;
use crate::money::{Currency, Major};
use crate::resource::{AdminRoutes, View as _};
use crate::state::AppState;
use crate::{customers, regions};

pub fn router() -> OpenApiRouter<AppState> {
    AdminRoutes::<AccountView, _>::at("/admin/store-credit-accounts", "Admin store credit")
        .create(CreateCreditAccountRequest::create)
        .router()
        .routes(routes!(list_store_credit_accounts))
        .routes(routes!(show_store_credit_account))
        .routes(routes!(credit_store_credit_account))
        .routes(routes!(debit_store_credit_account))
        .routes(routes!(list_store_credit_transactions))
        .routes(routes!(list_my_store_credit_accounts))
        .routes(routes!(show_my_store_credit_account))
        .routes(routes!(claim_store_credit_account))
}

type AccountResponse = One<AccountView>;
type AccountListResponse = Page<AccountView>;
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
            let (_, new) = entry(tx, &id, &request, &admin)?;
            account::credit(tx, &id, new)?;
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
            let (currency, new) = entry(tx, &id, &request, &caller)?;
            account::debit(tx, &id, currency, new)?;
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
        find(tx, &id)?;
        let own = query.narrow("e.account_id = ?", [id.to_string().into()]);
        TransactionView::page(tx, own, selection)
    })
    .await
}

/// Returns the entry of an admin or an API key, and the currency of the account.
fn entry<'a>(
    tx: &Tx<'_>,
    id: &CreditAccountId,
    request: &'a EntryRequest,
    admin: &'a AdminWriter,
) -> Result<(Currency, NewEntry<'a>), CreditError> {
    let currency = find(tx, id)?.currency;
    let new = NewEntry {
        amount_minor: request.amount.minor(currency)?,
        reference: if admin.actor_type() == "user" { "user" } else { "api_key" },
        reference_id: admin.actor_id(),
        note: request.note.as_ref().map(Text::as_str),
        actor_id: admin.actor_id(),
    };
    Ok((currency, new))
}

/// The code gives access to the account's money, so only those who may spend it see all of it.
fn visible_to(account: AccountView, may_write: bool) -> AccountView {
    if may_write { account } else { account.masked() }
}

/// A code to claim.
#[request]
#[schema(example = json!({ "code": "SC-9XKC-V4B7-N0RE-5M6T" }))]
struct ClaimRequest {
    code: Text<64>,
}

/// Lists the store credit accounts of the logged-in customer, one per currency.
#[crate::http::operation(get, path = "/store/store-credit-accounts", tag = "Store credit",
    params(ListRequest<StoreAccount>),
    responses((status = 200, description = "A page", body = AccountListResponse)))]
async fn list_my_store_credit_accounts(
    shopper: Shopper,
    State(db): State<Db>,
    list: ListRequest<StoreAccount>,
) -> Result<Answer, HttpError> {
    list.read(db, move |tx, query, selection| {
        let own = query.narrow("a.customer_id = ?", [shopper.customer_id.to_string().into()]);
        AccountView::page(tx, own, selection)
    })
    .await
}

/// Shows a store credit account of the logged-in customer.
#[crate::http::operation(get, path = "/store/store-credit-accounts/{id}", tag = "Store credit",
    params(("id" = CreditAccountId, Path, description = "The account"), Fields<StoreAccount>),
    responses((status = 200, description = "The account", body = AccountResponse)))]
async fn show_my_store_credit_account(
    OneRequest { caller, db, id, fields }: OneRequest<Shopper, CreditAccountId, StoreAccount>,
) -> Result<Answer, HttpError> {
    fields
        .read(db, move |tx, _| {
            let account = find(tx, &id)?;
            if account.customer_id.as_ref() != Some(&caller.customer_id) {
                return Err(CreditError::from(Missing::new(Account::TITLE, &id)));
            }
            Ok(AccountView::from(account))
        })
        .await
}

/// Claims store credit by its code.
///
/// Moves the balance of an account without a customer to the logged-in customer's own account in that currency. A code
/// that is unknown, already claimed or without a balance is a 404. After five such codes within an hour the response is
/// 429.
#[crate::http::operation(post, path = "/store/store-credit-accounts/claim", tag = "Store credit",
    params(Fields<StoreAccount>), request_body = ClaimRequest,
    responses((status = 200, description = "The customer's account", body = AccountResponse)))]
async fn claim_store_credit_account(
    shopper: Shopper,
    State(db): State<Db>,
    State(rates): State<Arc<RateLimits>>,
    fields: Fields<StoreAccount>,
    Json(request): Json<ClaimRequest>,
) -> Result<Answer, HttpError> {
    let customer = shopper.customer_id.clone();
    let code = account::spelled(&String::from(request.code));
    rates.begin_claim(customer.as_str())?;
    let claimed = db
        .write(move |tx| account::claim(tx, &code, &shopper.customer_id).map(AccountView::from))
        .await;
    if !matches!(claimed, Err(CreditError::InvalidCode)) {
        rates.end_claim(customer.as_str());
    }
    fields.answer(&claimed?)
}
