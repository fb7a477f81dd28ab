//! `/store/carts/:id/subscription-customer`.

use axum::extract::State;
use serde::Serialize;

use super::change;
use crate::auth::{Email, Shop};
use crate::cart::changes::buyer;
use crate::cart::contents::Cart;
use crate::cart::error::CartError;
use crate::database::{Db, Tx};
use crate::http::{HttpError, Json, Path, ToSchema, request};
use crate::ids::{CartId, CustomerId};

/// The subscriber.
#[request]
#[schema(example = json!({ "email": "ada@example.com" }))]
pub(super) struct SubscriptionCustomerRequest {
    /// Defaults to the cart's address.
    email: Option<Email>,
}

/// The customer of the cart.
#[derive(Debug, Serialize, ToSchema)]
#[schema(example = json!({ "customer_id": "cus_01JD2Q8Z5M6T3W9XKCV4B7N0RE" }))]
pub(super) struct SubscriptionCustomerResponse {
    /// A guest, unless the cart belongs to an account.
    customer_id: CustomerId,
}

/// Links a guest to a cart so that it can be subscribed.
///
/// The address matches guests only. The response does not reveal whether an account has it.
#[crate::http::operation(post, path = "/store/carts/{id}/subscription-customer", tag = "Store carts",
    params(("id" = CartId, Path)), request_body = SubscriptionCustomerRequest,
    responses((status = 200, description = "The customer", body = SubscriptionCustomerResponse)))]
pub(super) async fn link_subscription_customer(
    shop: Shop,
    State(db): State<Db>,
    Path(id): Path<CartId>,
    Json(request): Json<SubscriptionCustomerRequest>,
) -> Result<Json<SubscriptionCustomerResponse>, HttpError> {
    let cart = change(&db, shop, id, move |tx, cart| link(tx, cart, request.email)).await?;
    let customer_id = cart.customer_id.ok_or(CartError::EmailNeeded)?;
    Ok(Json(SubscriptionCustomerResponse { customer_id }))
}

fn link(tx: &Tx<'_>, cart: &mut Cart, email: Option<Email>) -> Result<(), CartError> {
    let own = || cart.email.as_ref().and_then(|email| email.parse().ok());
    let email: Email = email.or_else(own).ok_or(CartError::EmailNeeded)?;
    buyer::write_to(tx, cart, &email)
}
