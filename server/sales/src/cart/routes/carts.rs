//! `/store/carts`.

use axum::extract::State;

use super::requests::{CreateCartRequest, UpdateCartRequest, address_change};
use super::{CartRequest, CartResponse, answer, change, update};
use crate::auth::{Shop, Shopper};
use crate::cart::changes::{addresses, buyer, codes, create};
use crate::cart::contents::Cart;
use crate::cart::error::CartError;
use crate::cart::load;
use crate::cart::refresh::{self, Taxes};
use crate::cart::view::CartView;
use crate::database::{Db, Tx};
use crate::http::{Answer, Fields, HttpError, Json, OneRequest, Patch};
use crate::ids::{CartId, SalesChannelId};

/// Creates a cart.
///
/// An empty body creates one in the default region. If the region has only one country, the address gets it, so that
/// tax is computed at once. A logged-in customer owns the cart; an e-mail address alone links a guest.
#[crate::http::operation(post, path = "/store/carts", tag = "Store carts", params(Fields<CartView>),
    request_body = CreateCartRequest,
    responses((status = 200, description = "The cart", body = CartResponse)))]
pub(super) async fn create_cart(
    shop: Shop,
    State(db): State<Db>,
    fields: Fields<CartView>,
    Json(request): Json<CreateCartRequest>,
) -> Result<Answer, HttpError> {
    shop.check_channel()?;
    let new = request.into_cart()?;
    let cart = db.write(move |tx| create::create(tx, &shop, new)).await?;
    answer(&db, cart, &fields).await
}

/// Returns a cart. The cart of an account is visible to that account only, and that of a guest for 24 hours after it became
/// an order. A guest's cart that was not changed for 90 days is emptied.
#[crate::http::operation(get, path = "/store/carts/{id}", tag = "Store carts",
    params(("id" = CartId, Path), Fields<CartView>),
    responses((status = 200, description = "The cart", body = CartResponse)))]
pub(super) async fn show_cart(
    OneRequest { caller: shop, db, id, fields }: CartRequest,
) -> Result<Answer, HttpError> {
    let cart = db.read(move |tx| load::load_for(tx, &id, &shop)).await?;
    answer(&db, cart, &fields).await
}

/// Updates a cart. A change of region also changes the currency and the prices, and drops addresses outside the region.
#[crate::http::operation(post, path = "/store/carts/{id}", tag = "Store carts",
    params(("id" = CartId, Path), Fields<CartView>), request_body = UpdateCartRequest,
    responses((status = 200, description = "The cart", body = CartResponse)))]
pub(super) async fn update_cart(
    cart: CartRequest,
    Json(request): Json<UpdateCartRequest>,
) -> Result<Answer, HttpError> {
    let channels = cart.caller.sales_channel_ids.clone();
    update(cart, move |tx, cart| apply(tx, cart, &channels, request)).await
}

fn apply(
    tx: &Tx<'_>,
    cart: &mut Cart,
    channels: &[SalesChannelId],
    request: UpdateCartRequest,
) -> Result<(), CartError> {
    if let Some(region_id) = request.region_id.filter(|id| Some(id) != cart.region_id.as_ref()) {
        addresses::move_to(tx, cart, &region_id)?;
    }
    if let Some(id) = request.sales_channel_id {
        if !channels.contains(&id) {
            return Err(CartError::ForeignChannel { id });
        }
        cart.sales_channel_id = Some(id);
    }
    match request.email {
        Patch::Absent => {}
        Patch::Null => buyer::forget(cart),
        Patch::Value(email) => buyer::write_to(tx, cart, &email)?,
    }
    if let Some(address) = address_change(request.shipping_address)? {
        addresses::ship_to(tx, cart, address)?;
    }
    if let Some(address) = address_change(request.billing_address)? {
        addresses::bill_to(tx, cart, address)?;
    }
    if let Some(promo_codes) = request.promo_codes {
        codes::replace(tx, cart, promo_codes.into_iter().map(String::from).collect())?;
    }
    if let Some(locale) = request.locale.sent() {
        cart.locale = locale.map(String::from);
    }
    if let Some(metadata) = request.metadata {
        cart.metadata = metadata.apply(cart.metadata.take())?;
    }
    Ok(())
}

/// Assigns a cart to the logged-in customer. The cart of another account is not found.
#[crate::http::operation(post, path = "/store/carts/{id}/customer", tag = "Store carts",
    params(("id" = CartId, Path), Fields<CartView>),
    responses((status = 200, description = "The cart", body = CartResponse)))]
pub(super) async fn give_cart_to_customer(
    OneRequest { caller: shopper, db, id, fields }: OneRequest<Shopper, CartId, CartView>,
) -> Result<Answer, HttpError> {
    let Shopper { customer_id, shop } = shopper;
    let give = move |tx: &Tx<'_>, cart: &mut Cart| buyer::give_to(tx, cart, &customer_id);
    let cart = change(&db, shop, id, give).await?;
    answer(&db, cart, &fields).await
}

/// Computes a cart's taxes if its region does not compute them at each change.
#[crate::http::operation(post, path = "/store/carts/{id}/taxes", tag = "Store carts",
    params(("id" = CartId, Path), Fields<CartView>),
    responses((status = 200, description = "The cart", body = CartResponse)))]
pub(super) async fn compute_cart_taxes(
    OneRequest { caller: shop, db, id, fields }: CartRequest,
) -> Result<Answer, HttpError> {
    let cart = db
        .write(move |tx| {
            let before = load::load_to_change(tx, &id, &shop)?;
            refresh::save(tx, &before, before.clone(), Taxes::Now)
        })
        .await?;
    answer(&db, cart, &fields).await
}
