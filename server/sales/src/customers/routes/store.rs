//! The store routes of customers: `/store/customers`, `/store/customers/me`.

use axum::extract::State;
use quotient_foundation::routes;
use utoipa_axum::router::OpenApiRouter;

use super::CustomerResponse;
use super::requests::{CreateAccountRequest, UpdateMeRequest};
use crate::auth::{Credentials, Registered, Shopper};
use crate::customers::{self, Customer, CustomerError, StoreCustomer, customer};
use crate::database::{Db, Tx};
use crate::http::{Answer, Fields, HttpError, Json, Selection};
use crate::state::AppState;

pub(super) fn router() -> OpenApiRouter<AppState> {
    OpenApiRouter::new().routes(routes!(create_account)).routes(routes!(show_me, update_me))
}

/// Create the customer of a registered address
///
/// Requires the token of `POST /auth/customer/emailpass/register`, which then becomes the customer's token.
#[crate::http::operation(post, path = "/store/customers", tag = "Store customers", params(Fields<StoreCustomer>),
    request_body = CreateAccountRequest,
    responses((status = 200, description = "The customer", body = CustomerResponse),
              (status = 422, description = "The address already has a customer", body = crate::http::ErrorBody)))]
async fn create_account(
    State(credentials): State<Credentials>,
    registered: Registered,
    fields: Fields<StoreCustomer>,
    Json(request): Json<CreateAccountRequest>,
) -> Result<Answer, HttpError> {
    let customer = credentials
        .change(move |tx| customers::create_account(tx, &registered.identity_id, request.into()))
        .await?;
    fields.answer(&customer)
}

/// Show the logged-in customer
///
/// `orders` are the newest 50 in the sales channels of the key.
#[crate::http::operation(get, path = "/store/customers/me", tag = "Store customers", params(Fields<StoreCustomer>),
    responses((status = 200, description = "The customer", body = CustomerResponse)))]
async fn show_me(
    State(db): State<Db>,
    shopper: Shopper,
    fields: Fields<StoreCustomer>,
) -> Result<Answer, HttpError> {
    fields.read(db, move |tx, selection| own(tx, &shopper, selection)).await
}

/// Change the logged-in customer
#[crate::http::operation(post, path = "/store/customers/me", tag = "Store customers", params(Fields<StoreCustomer>),
    request_body = UpdateMeRequest,
    responses((status = 200, description = "The customer", body = CustomerResponse)))]
async fn update_me(
    State(db): State<Db>,
    shopper: Shopper,
    fields: Fields<StoreCustomer>,
    Json(request): Json<UpdateMeRequest>,
) -> Result<Answer, HttpError> {
    fields
        .write(db, move |tx, selection| {
            customers::update(tx, &shopper.customer_id, request.into())?;
            own(tx, &shopper, selection)
        })
        .await
}

/// Returns a customer as they see themselves in the storefront.
pub(super) fn own(
    tx: &Tx<'_>,
    shopper: &Shopper,
    selection: &Selection,
) -> Result<Customer, CustomerError> {
    customer::show_own(tx, &shopper.customer_id, &shopper.shop.sales_channel_ids, selection)
}
