//! Customers themselves: `/store/customers`, `/store/customers/me`.

use axum::extract::State;

use super::requests::{CreateAccountRequest, UpdateMeRequest};
use super::responses::CustomerResponse;
use super::shape::StoreCustomer;
use super::with;
use crate::auth::{Credentials, Registered, Shopper};
use crate::customers::{self, Customer, CustomerError, With};
use crate::database::{Db, Tx};
use crate::http::{Answer, Fields, HttpError, Json};
use crate::ids::CustomerId;

/// Make the customer of a registered address
///
/// With the token of `POST /auth/customer/emailpass/register`, which is the customer's token afterwards.
#[utoipa::path(post, path = "/store/customers", tag = "Store customers", params(Fields<StoreCustomer>),
    request_body = CreateAccountRequest,
    responses((status = 200, description = "The customer", body = CustomerResponse),
              (status = 422, description = "The address has a customer", body = crate::http::ErrorBody)),
    security(("publishable_key" = [], "customer" = []), ("publishable_key" = [], "session" = [])))]
pub(in crate::customers) async fn create_account(
    State(credentials): State<Credentials>,
    registered: Registered,
    fields: Fields<StoreCustomer>,
    Json(request): Json<CreateAccountRequest>,
) -> Result<Answer, HttpError> {
    let customer = credentials
        .change(move |tx| customers::create_account(tx, &registered.identity_id, request.into()))
        .await?;
    fields.selection.answer("customer", &customer)
}

/// Show the customer who is logged in
#[utoipa::path(get, path = "/store/customers/me", tag = "Store customers", params(Fields<StoreCustomer>),
    responses((status = 200, description = "The customer", body = CustomerResponse)),
    security(("publishable_key" = [], "customer" = []), ("publishable_key" = [], "session" = [])))]
pub(in crate::customers) async fn show_me(
    State(db): State<Db>,
    shopper: Shopper,
    fields: Fields<StoreCustomer>,
) -> Result<Answer, HttpError> {
    let wanted = with(&fields.selection);
    let customer = db.read(move |tx| view(tx, &shopper.customer_id, wanted)).await?;
    fields.selection.answer("customer", &customer)
}

/// Change the customer who is logged in
#[utoipa::path(post, path = "/store/customers/me", tag = "Store customers", params(Fields<StoreCustomer>),
    request_body = UpdateMeRequest,
    responses((status = 200, description = "The customer", body = CustomerResponse)),
    security(("publishable_key" = [], "customer" = []), ("publishable_key" = [], "session" = [])))]
pub(in crate::customers) async fn update_me(
    State(db): State<Db>,
    shopper: Shopper,
    fields: Fields<StoreCustomer>,
    Json(request): Json<UpdateMeRequest>,
) -> Result<Answer, HttpError> {
    let wanted = with(&fields.selection);
    let customer = db
        .write(move |tx| {
            customers::update(tx, &shopper.customer_id, request.into())?;
            view(tx, &shopper.customer_id, wanted)
        })
        .await?;
    fields.selection.answer("customer", &customer)
}

/// A customer with what is asked for beside them.
pub(super) fn view(tx: &Tx<'_>, id: &CustomerId, with: With) -> Result<Customer, CustomerError> {
    let mut customer = customers::find(tx, id)?;
    customers::load(tx, std::slice::from_mut(&mut customer), with)?;
    Ok(customer)
}
