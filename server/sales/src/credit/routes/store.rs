//! `/store/store-credit-accounts`: the accounts of the logged-in customer.

use std::sync::Arc;

use axum::extract::State;
use quotient_foundation::routes;
use utoipa_axum::router::OpenApiRouter;

use super::{AccountListResponse, AccountResponse};
use crate::auth::Shopper;
use crate::credit::account::{self, Account};
use crate::credit::view::{AccountView, StoreAccount};
use crate::credit::{CreditError, find};
use crate::database::{Db, Missing, Table as _};
use crate::http::{Answer, Fields, HttpError, Json, ListRequest, OneRequest, Text, request};
use crate::ids::CreditAccountId;
use crate::middleware::RateLimits;
use crate::resource::View as _;
use crate::state::AppState;

pub(super) fn router() -> OpenApiRouter<AppState> {
    OpenApiRouter::new()
        .routes(routes!(list_my_store_credit_accounts))
        .routes(routes!(show_my_store_credit_account))
        .routes(routes!(claim_store_credit_account))
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
/// that is unknown, already claimed or without a balance is a 404 in each case. After five such codes within an hour the
/// response is 429.
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
    let code = String::from(request.code).trim().to_ascii_uppercase();
    rates.begin_claim(customer.as_str())?;
    let claimed = db
        .write(move |tx| account::claim(tx, &code, &shopper.customer_id).map(AccountView::from))
        .await;
    if !matches!(claimed, Err(CreditError::InvalidCode)) {
        rates.end_claim(customer.as_str());
    }
    fields.answer(&claimed?)
}
