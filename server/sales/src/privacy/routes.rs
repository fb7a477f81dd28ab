//! `/admin/customers/{id}/export`, `…/erase`, and the customer's own.

use std::time::Duration;

use axum::Extension;
use axum::extract::State;
use axum::response::Response;
use quotient_foundation::privacy::{self, Export};
use quotient_foundation::routes;
use serde::Serialize;
use serde_json::{Map, Value};
use utoipa_axum::router::OpenApiRouter;

use super::erase::{self, Cause, ErasureRequest};
use super::error::PrivacyError;
use crate::auth::{ActorType, AdminWriter, Password, Shopper};
use crate::clock::Timestamp;
use crate::database::{Db, Missing, Table as _, Tx};
use crate::http::{HttpError, Json, Path, Text, ToSchema, json_bytes, request, streaming};
use crate::ids::CustomerId;
use crate::middleware::Client;
use crate::state::AppState;

pub fn router() -> OpenApiRouter<AppState> {
    OpenApiRouter::new()
        .routes(routes!(export_customer))
        .routes(routes!(erase_customer))
        .routes(routes!(export_me))
        .routes(routes!(request_my_erasure, take_back_my_erasure))
}

/// The data that the store has about a customer.
#[derive(Debug, ToSchema)]
#[expect(dead_code, reason = "only its schema is used; the response is streamed")]
struct CustomerExport {
    customer_id: CustomerId,
    exported_at: Timestamp,
    /// The rows about the customer by table, without empty tables. Amounts are in minor units.
    #[schema(value_type = Object)]
    tables: Map<String, Value>,
}

/// Confirms that a customer is erased.
#[derive(Debug, Serialize, ToSchema)]
struct CustomerErasedResponse {
    id: CustomerId,
    /// Always `customer`.
    object: &'static str,
    /// Always true.
    erased: bool,
}

/// An erasure requested by a customer.
#[derive(Debug, Serialize, ToSchema)]
struct ErasureResponse {
    erasure: ErasureRequest,
}

/// Confirms that an erasure has been revoked.
#[derive(Debug, Serialize, ToSchema)]
struct ErasureDeletedResponse {
    id: CustomerId,
    /// Always `erasure`.
    object: &'static str,
    /// Always true.
    deleted: bool,
}

/// Why a customer is erased.
#[request]
#[schema(example = json!({ "reason": "Asked for it by letter of 3 November." }))]
struct EraseCustomerRequest {
    /// Stored in the audit log, which never changes: must not identify the person.
    reason: Text<500>,
    /// Whether a balance of store credit may be lost. Defaults to false.
    confirm_forfeit: Option<bool>,
}

/// The password of the customer, once more.
#[request]
struct RequestErasureRequest {
    password: Password,
    /// Whether a balance of store credit may be lost. Defaults to false.
    confirm_forfeit: Option<bool>,
}

/// Limit: the time of a part of an export.
const EXPORT_TIMEOUT: Duration = Duration::from_secs(20);

/// Streams a customer's data, on connections for long reads: it reads whole tables.
async fn export(db: Db, id: CustomerId, is_own: bool) -> Result<Response, HttpError> {
    let begin = db.read(move |tx| {
        erase::known(tx, &id)?;
        Ok::<_, PrivacyError>(Export::new(id, is_own, tx.now()))
    });
    let begin = begin.await?;
    Ok(json_bytes(streaming::body(db, begin, privacy::export, Some(EXPORT_TIMEOUT)).await?))
}

/// Export all that is known of a customer
///
/// Every row about the customer, who may already be deleted, from every table. Passwords, tokens and data of payment
/// providers are left out.
#[crate::http::operation(get, path = "/admin/customers/{id}/export", tag = "Admin customers",
    params(("id" = CustomerId, Path, description = "The customer")),
    responses((status = 200, description = "The rows", body = CustomerExport)))]
async fn export_customer(
    _admin: AdminWriter,
    State(db): State<Db>,
    Path(id): Path<CustomerId>,
) -> Result<Response, HttpError> {
    export(db, id, false).await
}

/// Erase a customer
///
/// The customer's identity is removed from every table, and saved payment methods also at the provider. Orders, payments and
/// store credit entries are kept for accounting and identify nobody. The request is rejected while a subscription is running
/// or an order is neither delivered nor closed, and without `confirm_forfeit` while there is store credit. Deleted customers
/// can be erased too. An erasure cannot be undone.
#[crate::http::operation(post, path = "/admin/customers/{id}/erase", tag = "Admin customers",
    params(("id" = CustomerId, Path, description = "The customer")), request_body = EraseCustomerRequest,
    responses((status = 200, description = "Erased", body = CustomerErasedResponse)))]
async fn erase_customer(
    admin: AdminWriter,
    State(AppState { shared, gateway, .. }): State<AppState>,
    Path(id): Path<CustomerId>,
    Json(request): Json<EraseCustomerRequest>,
) -> Result<Json<CustomerErasedResponse>, HttpError> {
    let cause = Cause {
        reason: request.reason.into(),
        actor_id: admin.actor_id().to_owned(),
        confirm_forfeit: Some(request.confirm_forfeit.unwrap_or(false)),
    };
    let credentials = shared.credentials.clone();
    erase::erase(shared.db.clone(), gateway, credentials, id.clone(), cause).await?;
    Ok(Json(CustomerErasedResponse { id, object: "customer", erased: true }))
}

/// Export all that is known of the customer
///
/// Every row about the customer, from every table. Passwords, tokens, data of payment providers, and what only the store's
/// staff sees, such as costs, are left out. After five exports within an hour the response is 429.
#[crate::http::operation(get, path = "/store/customers/me/export", tag = "Store customers",
    responses((status = 200, description = "The rows", body = CustomerExport)))]
async fn export_me(
    shopper: Shopper,
    State(AppState { shared, .. }): State<AppState>,
    Extension(client): Extension<Client>,
) -> Result<Response, HttpError> {
    shared.rates.begin_export(shopper.customer_id.as_str(), client.address)?;
    export(shared.db.clone(), shopper.customer_id, true).await
}

/// Ask to be erased
///
/// The customer is erased after thirty days, and can revoke this until then. The password is required again. The request is
/// rejected while a subscription is running or an order is neither delivered nor closed, and without `confirm_forfeit` while
/// there is store credit. Repeating it changes only `confirm_forfeit`.
#[crate::http::operation(post, path = "/store/customers/me/erasure", tag = "Store customers",
    request_body = RequestErasureRequest,
    responses((status = 200, description = "The erasure", body = ErasureResponse)))]
async fn request_my_erasure(
    shopper: Shopper,
    State(AppState { shared, .. }): State<AppState>,
    Extension(client): Extension<Client>,
    Json(request): Json<RequestErasureRequest>,
) -> Result<Json<ErasureResponse>, HttpError> {
    let id = shopper.customer_id;
    let account = (id.as_str(), client.address);
    shared.rates.begin_login(account, shared.rates.max_failures())?;
    let password = request.password;
    if !shared.credentials.is_password_of(ActorType::Customer, id.as_str(), password).await? {
        return Err(PrivacyError::WrongPassword.into());
    }
    shared.rates.remove_failure(id.as_str(), client.address);
    let may_forfeit = request.confirm_forfeit.unwrap_or(false);
    let erasure = shared.db.write(move |tx| ask(tx, id, may_forfeit)).await?;
    Ok(Json(ErasureResponse { erasure }))
}

fn ask(tx: &Tx<'_>, id: CustomerId, may_forfeit: bool) -> Result<ErasureRequest, PrivacyError> {
    erase::check(tx, &id, may_forfeit)?;
    let before = ErasureRequest::find(tx, &id)?;
    let request = before.unwrap_or_else(|| ErasureRequest::new(id, may_forfeit, tx.now()));
    let request = ErasureRequest { confirm_forfeit: may_forfeit, ..request };
    request.put(tx)?;
    Ok(request)
}

/// Take back the wish to be erased
#[crate::http::operation(delete, path = "/store/customers/me/erasure", tag = "Store customers",
    responses((status = 200, description = "Taken back", body = ErasureDeletedResponse),
              (status = 404, description = "There is no erasure", body = crate::http::ErrorBody)))]
async fn take_back_my_erasure(
    shopper: Shopper,
    State(db): State<Db>,
) -> Result<Json<ErasureDeletedResponse>, HttpError> {
    let (id, customer) = (shopper.customer_id.clone(), shopper.customer_id);
    let is_deleted = db.write(move |tx| ErasureRequest::delete(tx, &customer)).await?;
    if !is_deleted {
        return Err(PrivacyError::from(Missing::new(ErasureRequest::TITLE, &id)).into());
    }
    Ok(Json(ErasureDeletedResponse { id, object: "erasure", deleted: true }))
}
