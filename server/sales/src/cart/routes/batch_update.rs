//! `/store/carts/:id/batch-update`.

use axum::http::StatusCode;
use serde::Serialize;
use serde_json::{Value, json};

use super::requests::BatchUpdateRequest;
use super::{CartRequest, change, view};
use crate::cart::changes::addresses;
use crate::cart::contents::Cart;
use crate::cart::view::CartView;
use crate::database::Tx;
use crate::http::{Fields, HttpError, Json, OneRequest, ToSchema};
use crate::ids::CartId;

/// The updated cart.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct BatchUpdateResponse {
    /// Always true.
    success: bool,
    cart: CartView,
}

/// Why a cart is not updated.
#[derive(Debug, Serialize, ToSchema)]
#[schema(example = json!({ "error": "Country with code de is not within the cart's region", "details": [] }))]
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
    let address = request.into_address();
    let amend = move |tx: &Tx<'_>, cart: &mut Cart| addresses::amend(tx, cart, address);
    let cart = change(&db, shop, id, amend).await.map_err(|error| in_own_shape(error.into()))?;
    let cart = view(&db, cart, &fields.selection).await?;
    Ok(Json(json!({ "success": true, "cart": fields.selection.value(&cart)? })))
}

/// Converts a 400 to this route's body.
fn in_own_shape(error: HttpError) -> HttpError {
    error.reshaped(
        &[StatusCode::BAD_REQUEST],
        |error| json!({ "error": error.message(), "details": error.details() }),
    )
}
