//! `/store/carts/:id/line-items`.

use super::requests::UpdateLineItemRequest;
use super::{CartRequest, CartResponse, answer, change, update, view};
use crate::auth::Shop;
use crate::cart::changes::items::{self, AddLineItemRequest};
use crate::cart::view::CartView;
use crate::http::{Answer, Fields, HttpError, Json, OneRequest, PartDeleted};
use crate::ids::{CartId, CartLineId};

type LineItemDeletedResponse = PartDeleted<CartView>;
type LineRequest = OneRequest<Shop, (CartId, CartLineId), CartView>;

/// Adds a variant to a cart: to the line with the same variant and metadata, or as a new line.
///
/// If the stock is too low, the response is 400 with the code `insufficient_inventory`. Stock is not reserved yet.
#[crate::http::operation(post, path = "/store/carts/{id}/line-items", tag = "Store carts",
    params(("id" = CartId, Path), Fields<CartView>), request_body = AddLineItemRequest,
    responses((status = 200, description = "The cart", body = CartResponse)))]
pub(super) async fn add_line_item(
    cart: CartRequest,
    Json(item): Json<AddLineItemRequest>,
) -> Result<Answer, HttpError> {
    update(cart, move |tx, cart| items::add(tx, cart, vec![item])).await
}

/// Changes the quantity or the metadata of a line. A quantity of zero removes it.
#[crate::http::operation(post, path = "/store/carts/{id}/line-items/{line_id}", tag = "Store carts",
    params(("id" = CartId, Path), ("line_id" = CartLineId, Path), Fields<CartView>),
    request_body = UpdateLineItemRequest,
    responses((status = 200, description = "The cart", body = CartResponse)))]
pub(super) async fn update_line_item(
    OneRequest { caller: shop, db, id: (id, line_id), fields }: LineRequest,
    Json(request): Json<UpdateLineItemRequest>,
) -> Result<Answer, HttpError> {
    let UpdateLineItemRequest { quantity, metadata } = request;
    let cart = change(&db, shop, id, move |tx, cart| {
        items::change(tx, cart, &line_id, quantity, metadata)
    })
    .await?;
    answer(&db, cart, &fields).await
}

/// Removes a line from a cart.
#[crate::http::operation(delete, path = "/store/carts/{id}/line-items/{line_id}", tag = "Store carts",
    params(("id" = CartId, Path), ("line_id" = CartLineId, Path), Fields<CartView>),
    responses((status = 200, description = "Removed", body = LineItemDeletedResponse)))]
pub(super) async fn delete_line_item(
    OneRequest { caller: shop, db, id: (id, line_id), fields }: LineRequest,
) -> Result<Answer, HttpError> {
    let removed = line_id.clone();
    let cart = change(&db, shop, id, move |_tx, cart| items::remove(cart, &removed)).await?;
    let parent = view(&db, cart, &fields.selection).await?;
    fields.part_deleted("line-item", &line_id, &parent)
}
