//! `/store/carts/:id/store-credits`.

use super::{CartRequest, CartResponse, update};
use crate::cart::changes::credit;
use crate::cart::contents::Cart;
use crate::cart::view::CartView;
use crate::database::Tx;
use crate::http::{Answer, Fields, HttpError, Json, request};
use crate::ids::CartId;
use crate::money::Major;

/// Store credit to apply.
#[request]
#[schema(example = json!({ "amount": 10 }))]
pub(super) struct ApplyStoreCreditRequest {
    /// Defaults to the whole balance; zero removes the credit.
    amount: Option<Major>,
}

/// Pays a part of a cart with the store credit of its customer.
///
/// The credit line is the amount, or the cart's total if that is less. Nothing is debited until the cart is completed.
/// The customer must be logged in: the e-mail address of a guest may be anybody's.
#[crate::http::operation(post, path = "/store/carts/{id}/store-credits", tag = "Store carts",
    params(("id" = CartId, Path), Fields<CartView>), request_body = ApplyStoreCreditRequest,
    security(("publishable_key" = [], "customer" = []), ("publishable_key" = [], "session" = [])),
    responses((status = 200, description = "The cart", body = CartResponse)))]
pub(super) async fn apply_store_credit(
    cart: CartRequest,
    Json(ApplyStoreCreditRequest { amount }): Json<ApplyStoreCreditRequest>,
) -> Result<Answer, HttpError> {
    update(cart, move |tx, cart| credit::apply(tx, cart, amount)).await
}

/// Removes store credit from a cart.
#[crate::http::operation(delete, path = "/store/carts/{id}/store-credits", tag = "Store carts",
    params(("id" = CartId, Path), Fields<CartView>),
    responses((status = 200, description = "The cart", body = CartResponse)))]
pub(super) async fn remove_store_credit(cart: CartRequest) -> Result<Answer, HttpError> {
    let remove = |_tx: &Tx<'_>, cart: &mut Cart| {
        credit::remove(cart);
        Ok(())
    };
    update(cart, remove).await
}
