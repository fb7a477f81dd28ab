//! `/store/carts/:id/line-item-bundles`.

use axum::extract::State;

use super::{CartResponse, answer, change};
use crate::auth::Shop;
use crate::cart::changes::bundles;
use crate::cart::contents::Cart;
use crate::cart::view::CartView;
use crate::database::{Db, Tx};
use crate::http::{Answer, Fields, HttpError, Json, Path, request};
use crate::ids::{CartBundleId, CartId, CartLineId, VariantId};

/// A variant to bundle with a line.
#[request]
#[schema(example = json!({
    "item_id": "cali_01JD2Q8Z5M6T3W9XKCV4B7N0RE", "variant_id": "variant_01JD2Q8Z5M6T3W9XKCV4B7N0RE",
}))]
pub(super) struct AddToBundleRequest {
    /// A line of the cart.
    item_id: CartLineId,
    /// The variant to add.
    variant_id: VariantId,
}

/// Adds a variant to the bundle of a line, in the line's quantity.
///
/// Both lines get the same `bundle_id`. Lines of a bundle do not merge with others, and are removed together when the
/// bundle is deleted.
#[utoipa::path(post, path = "/store/carts/{id}/line-item-bundles", tag = "Store carts",
    params(("id" = CartId, Path), Fields<CartView>), request_body = AddToBundleRequest,
    responses((status = 200, description = "The cart", body = CartResponse)))]
pub(super) async fn add_to_line_item_bundle(
    shop: Shop,
    State(db): State<Db>,
    Path(id): Path<CartId>,
    fields: Fields<CartView>,
    Json(request): Json<AddToBundleRequest>,
) -> Result<Answer, HttpError> {
    let AddToBundleRequest { item_id, variant_id } = request;
    let extend =
        move |tx: &Tx<'_>, cart: &mut Cart| bundles::extend(tx, cart, &item_id, &variant_id);
    let cart = change(&db, shop, id, extend).await?;
    answer(&db, cart, &fields).await
}

/// Removes a bundle and all its lines.
#[utoipa::path(delete, path = "/store/carts/{id}/line-item-bundles/{bundle_id}", tag = "Store carts",
    params(("id" = CartId, Path), ("bundle_id" = CartBundleId, Path), Fields<CartView>),
    responses((status = 200, description = "The cart", body = CartResponse)))]
pub(super) async fn delete_line_item_bundle(
    shop: Shop,
    State(db): State<Db>,
    Path((id, bundle_id)): Path<(CartId, CartBundleId)>,
    fields: Fields<CartView>,
) -> Result<Answer, HttpError> {
    let cart = change(&db, shop, id, move |_tx, cart| bundles::remove(cart, &bundle_id)).await?;
    answer(&db, cart, &fields).await
}
