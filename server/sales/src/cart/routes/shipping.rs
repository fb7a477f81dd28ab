//! Shipping of carts: `/store/shipping-options` and `/store/carts/:id/shipping-methods`.

use axum::extract::State;
use serde::{Deserialize, Serialize};

use super::{CartRequest, CartResponse, update};
use crate::auth::Shop;
use crate::cart::CartError;
use crate::cart::view::CartView;
use crate::cart::{load, shipping};
use crate::database::Db;
use crate::http::{Answer, Fields, HttpError, Json, OneRequest, Query, ToSchema, request};
use crate::ids::{CartId, ShippingOptionId};
use crate::metadata::MetadataPatch;
use crate::shipping::{Audience, Offer, attach_prices};

/// The cart to ship.
#[derive(Debug, Deserialize, crate::http::IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(super) struct CartOptionsQuery {
    #[param(value_type = CartId)]
    cart_id: String,
    /// Whether to list the options for sending the goods back.
    #[serde(default)]
    is_return: bool,
    #[param(ignore)]
    #[expect(dead_code, reason = "read by `Fields`")]
    fields: Option<String>,
}

/// The options offered.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = StoreShippingOptionListResponse)]
pub(super) struct ShippingOptionListResponse {
    shipping_options: Vec<Offer>,
}

/// An option.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = StoreShippingOptionResponse)]
pub(super) struct ShippingOptionResponse {
    shipping_option: Offer,
}

/// The cart to compute an option's price for.
#[request]
#[schema(example = json!({ "cart_id": "cart_01JD2Q8Z5M6T3W9XKCV4B7N0RE" }))]
pub(super) struct CalculateRequest {
    cart_id: CartId,
    /// Data for the carrier.
    #[serde(default)]
    #[expect(dead_code, reason = "validated; reserved for carriers that calculate prices from it")]
    data: Option<MetadataPatch>,
}

/// The chosen option.
#[request]
#[schema(example = json!({ "option_id": "so_01JD2Q8Z5M6T3W9XKCV4B7N0RE" }))]
pub(super) struct ChooseShippingRequest {
    option_id: ShippingOptionId,
    /// Data for the carrier.
    data: Option<MetadataPatch>,
}

/// Lists the shipping options of a cart. The list is empty until the cart has a country.
#[crate::http::operation(get, path = "/store/shipping-options", tag = "Store carts",
    params(CartOptionsQuery, Fields<Offer>),
    responses((status = 200, description = "The options", body = ShippingOptionListResponse)))]
pub(super) async fn list_cart_shipping_options(
    shop: Shop,
    State(db): State<Db>,
    Query(query): Query<CartOptionsQuery>,
    fields: Fields<Offer>,
) -> Result<Answer, HttpError> {
    let id: CartId = query.cart_id.parse().map_err(|_unreadable| no_cart(&query.cart_id))?;
    let offers = db
        .read(move |tx| {
            let cart = load::load_for(tx, &id, &shop)?;
            shipping::offers(tx, &cart, Audience::Shopper, query.is_return)
        })
        .await?;
    fields.selection.answer("shipping_options", &offers)
}

fn no_cart(id: &str) -> HttpError {
    let id: String = id.chars().take(64).collect();
    HttpError::not_found(format!("Cart with id: {id} was not found"))
}

/// Returns the price of an option for a cart. The provider `manual_manual` computes no prices, so it has no options of
/// the price type `calculated`; a `flat` option returns its price for this cart and ignores `data`. An option that is
/// not offered for the cart is rejected: 400 `Shipping Options are invalid for cart.`
#[crate::http::operation(post, path = "/store/shipping-options/{id}/calculate", tag = "Store carts",
    params(("id" = ShippingOptionId, Path), Fields<Offer>), request_body = CalculateRequest,
    responses((status = 200, description = "The option", body = ShippingOptionResponse)))]
pub(super) async fn calculate_shipping_option(
    OneRequest { caller: shop, db, id, fields }: OneRequest<Shop, ShippingOptionId, Offer>,
    Json(request): Json<CalculateRequest>,
) -> Result<Answer, HttpError> {
    let offer = db
        .read(move |tx| {
            let cart = load::load_for(tx, &request.cart_id, &shop)?;
            let mut offer = shipping::offer(tx, &cart, &id)?;
            attach_prices(tx, std::slice::from_mut(&mut offer))?;
            Ok::<_, CartError>(offer)
        })
        .await?;
    fields.selection.answer("shipping_option", &offer)
}

/// Chooses a shipping method. It replaces the one for the same shipping profile.
#[crate::http::operation(post, path = "/store/carts/{id}/shipping-methods", tag = "Store carts",
    params(("id" = CartId, Path), Fields<CartView>), request_body = ChooseShippingRequest,
    responses((status = 200, description = "The cart", body = CartResponse)))]
pub(super) async fn choose_shipping_method(
    cart: CartRequest,
    Json(request): Json<ChooseShippingRequest>,
) -> Result<Answer, HttpError> {
    let ChooseShippingRequest { option_id, data } = request;
    update(cart, move |tx, cart| {
        let data = data.unwrap_or_default().apply(None)?;
        shipping::choose(tx, cart, &option_id, data)
    })
    .await
}
