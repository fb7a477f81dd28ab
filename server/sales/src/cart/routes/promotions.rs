//! `/store/carts/:id/promotions`.

use super::{CartRequest, CartResponse, update};
use crate::cart::changes::codes;
use crate::cart::contents::Cart;
use crate::cart::view::CartView;
use crate::database::Tx;
use crate::http::{Answer, Fields, HttpError, Json, Text, request};
use crate::ids::CartId;

/// Promotion codes.
#[request]
#[schema(example = json!({ "promo_codes": ["TENOFF"] }))]
pub(super) struct PromoCodesRequest {
    promo_codes: Vec<Text<100>>,
}

impl PromoCodesRequest {
    fn into_codes(self) -> Vec<String> {
        self.promo_codes.into_iter().map(String::from).collect()
    }
}

/// Adds promotions to a cart by their codes.
///
/// A code without a running promotion is a 400. If the cart does not meet a promotion's rules yet, the code is stored
/// and applies as soon as the cart does.
#[crate::http::operation(post, path = "/store/carts/{id}/promotions", tag = "Store carts",
    params(("id" = CartId, Path), Fields<CartView>), request_body = PromoCodesRequest,
    responses((status = 200, description = "The cart", body = CartResponse)))]
pub(super) async fn add_cart_promotions(
    cart: CartRequest,
    Json(request): Json<PromoCodesRequest>,
) -> Result<Answer, HttpError> {
    let codes = request.into_codes();
    update(cart, move |tx, cart| codes::add(tx, cart, codes)).await
}

/// Removes promotions from a cart by their codes.
#[crate::http::operation(delete, path = "/store/carts/{id}/promotions", tag = "Store carts",
    params(("id" = CartId, Path), Fields<CartView>), request_body = PromoCodesRequest,
    responses((status = 200, description = "The cart", body = CartResponse)))]
pub(super) async fn remove_cart_promotions(
    cart: CartRequest,
    Json(request): Json<PromoCodesRequest>,
) -> Result<Answer, HttpError> {
    let codes = request.into_codes();
    let remove = move |_tx: &Tx<'_>, cart: &mut Cart| {
        codes::remove(cart, &codes);
        Ok(())
    };
    update(cart, remove).await
}
