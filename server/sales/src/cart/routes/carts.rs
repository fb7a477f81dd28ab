//! `/store/carts`, with their promotions, store credit and subscriber.

use axum::extract::State;
use axum::http::StatusCode;
use serde::Serialize;
use serde_json::{Value, json};

use super::requests::{BatchUpdateRequest, UpdateCartRequest};
use super::{CartRequest, CartResponse, answer, change, update, view};
use crate::auth::{Email, Shop, Shopper};
use crate::cart::changes::address::address_change;
use crate::cart::changes::create::{self, CreateCartRequest};
use crate::cart::changes::{buyer, codes, credit};
use crate::cart::contents::Cart;
use crate::cart::error::CartError;
use crate::cart::load;
use crate::cart::refresh::{self, Taxes};
use crate::cart::view::CartView;
use crate::database::{Db, Tx};
use crate::http::{
    Answer, Fields, HttpError, Json, OneRequest, Patch, Path, Text, ToSchema, request,
};
use crate::ids::{CartId, CustomerId, SalesChannelId};
use crate::money::Major;

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
    Json(new): Json<CreateCartRequest>,
) -> Result<Answer, HttpError> {
    shop.check_channel()?;
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
        buyer::move_to(tx, cart, &region_id)?;
    }
    if let Some(id) = request.sales_channel_id {
        if !channels.contains(&id) {
            return Err(CartError::ForeignChannel { id });
        }
        cart.sales_channel_id = Some(id);
    }
    match request.email {
        Patch::Absent => {}
        Patch::Null => buyer::clear_email(cart),
        Patch::Value(email) => buyer::set_email(tx, cart, &email)?,
    }
    if let Some(address) = address_change(request.shipping_address)? {
        buyer::ship_to(tx, cart, address)?;
    }
    if let Some(address) = address_change(request.billing_address)? {
        buyer::bill_to(tx, cart, address)?;
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
    let request = OneRequest { caller: shop, db, id, fields };
    update(request, move |tx, cart| buyer::set_customer(tx, cart, &customer_id)).await
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

/// Store credit to apply.
#[request]
#[schema(example = json!({ "amount": 10 }))]
pub(super) struct ApplyStoreCreditRequest {
    /// Defaults to the whole balance; zero removes the credit.
    amount: Option<Major>,
}

/// Pays a part of a cart with the store credit of its customer.
///
/// The credit line pays the amount, as far as the balance and the cart's total allow; it follows both as they change.
/// Nothing is debited until the cart is completed. The customer must be logged in: the e-mail address of a guest may be
/// anybody's.
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
    buyer::set_email(tx, cart, &email)
}

/// The updated cart.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct BatchUpdateResponse {
    /// Always true.
    success: bool,
    cart: CartView,
}

/// Why a cart is not updated.
#[derive(Debug, Serialize, ToSchema)]
#[schema(example = json!({
    "error": "Country with code de is not within the cart's region",
    "details": [{ "path": "country_code", "message": "Country with code de is not within the cart's region" }],
}))]
pub(super) struct BatchUpdateErrorBody {
    /// The message.
    error: String,
    /// The invalid fields and why, if fields are invalid.
    details: Vec<crate::http::ErrorDetail>,
}

/// Changes the given fields of a cart's shipping address in one step.
#[crate::http::operation(post, path = "/store/carts/{id}/batch-update", tag = "Store carts",
    params(("id" = CartId, Path), Fields<CartView>), request_body = BatchUpdateRequest,
    responses((status = 200, description = "The cart is updated", body = BatchUpdateResponse),
              (status = 400, description = "The cart is not updated", body = BatchUpdateErrorBody)))]
pub(super) async fn batch_update_cart(
    OneRequest { caller: shop, db, id, fields }: CartRequest,
    request: Result<Json<BatchUpdateRequest>, HttpError>,
) -> Result<Json<Value>, HttpError> {
    let Json(request) = request.map_err(in_own_shape)?;
    let amend = move |tx: &Tx<'_>, cart: &mut Cart| {
        buyer::amend(tx, cart, |address| request.apply(address))
    };
    let cart = change(&db, shop, id, amend).await.map_err(batch_refusal)?;
    let cart = view(&db, cart, &fields.selection).await?;
    Ok(Json(json!({ "success": true, "cart": fields.selection.value(&cart)? })))
}

/// Names what a refusal is about, for this route's body.
fn batch_refusal(error: CartError) -> HttpError {
    let is_country =
        matches!(error, CartError::CountryOutside { .. } | CartError::UnknownCountry { .. });
    let is_completed = matches!(error, CartError::Completed { .. });
    let error = HttpError::from(error);
    let message = error.message().to_owned();
    in_own_shape(if is_country {
        error.with_details("country_code", message)
    } else if is_completed {
        error.with_details("id", message)
    } else {
        error
    })
}

/// Converts a 400 to this route's body.
fn in_own_shape(error: HttpError) -> HttpError {
    error.reshaped(
        &[StatusCode::BAD_REQUEST],
        |error| json!({ "error": error.message(), "details": error.details() }),
    )
}
