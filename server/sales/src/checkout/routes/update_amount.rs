//! `/store/payment-intent/update-amount`.

use axum::extract::State;
use axum::http::StatusCode;
use serde::Serialize;
use serde_json::{Value, json};

use crate::auth::Shop;
use crate::checkout::update_amount::{self, AmountUpdate, UpdateError, UpdatedPayment};
use crate::http::{HttpError, Json, Text, ToSchema, request};
use crate::ids::CartId;
use crate::money::{Amount, Major};
use crate::state::PaymentState;

/// The payment to update.
#[request]
#[schema(example = json!({ "cart_id": "cart_01M7XZMS91XCBR1DAZ6SBZ5W94" }))]
pub(super) struct UpdateAmountRequest {
    #[serde(alias = "cartId")]
    cart_id: CartId,
    /// The provider's id of the payment; defaults to the cart's newest.
    #[serde(alias = "paymentIntentId")]
    payment_intent_id: Option<Text>,
    /// The amount that the shopper saw. It is only compared: the new amount is always the cart's total.
    amount: Option<Major>,
}

/// The payment with its new amount.
#[derive(Debug, Serialize, ToSchema)]
#[serde(untagged)]
#[schema(example = json!({
    "success": true, "updated": true, "previousAmount": 42.5, "newAmount": 45.9,
    "status": "requires_payment_method", "clientSecret": "pi_1_secret_2",
}))]
pub(super) enum UpdateAmountResponse {
    /// The amount was changed.
    #[serde(rename_all = "camelCase")]
    Updated {
        /// Always true.
        success: bool,
        /// Always true.
        updated: bool,
        previous_amount: Amount,
        new_amount: Amount,
        status: &'static str,
        /// The same as before, so that the card form need not be mounted again.
        client_secret: Option<String>,
    },
    /// The amount already was the cart's total.
    Unchanged {
        /// Always true.
        success: bool,
        /// Always false.
        updated: bool,
        amount: Amount,
        message: &'static str,
    },
}

/// Why a payment is not updated.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct UpdateAmountErrorBody {
    error: String,
    /// The status that prevents the update.
    #[schema(nullable = false)]
    current_status: Option<String>,
    /// `amount_mismatch`, `amount_too_small`, `currency_changed` or `not_supported`.
    #[serde(rename = "type")]
    #[schema(nullable = false)]
    kind: Option<String>,
    #[schema(nullable = false)]
    message: Option<String>,
}

/// Updates the amount of a payment to the cart's total.
///
/// For wallets, where the tax changes with the address: the client secret stays the same, so that the card form need not
/// be mounted again. A payment started for an earlier total of the cart can be resumed for an hour.
#[crate::http::operation(post, path = "/store/payment-intent/update-amount", tag = "Store payments",
    request_body = UpdateAmountRequest,
    security(("publishable_key" = []), ("publishable_key" = [], "customer" = [])),
    responses((status = 200, description = "The payment", body = UpdateAmountResponse),
              (status = 400, description = "The amount cannot be updated", body = UpdateAmountErrorBody),
              (status = 404, description = "There is no such payment of this cart", body = UpdateAmountErrorBody),
              (status = 500, description = "The provider does not answer", body = UpdateAmountErrorBody)))]
pub(super) async fn update_payment_amount(
    State(PaymentState { db, gateway, .. }): State<PaymentState>,
    shop: Shop,
    request: Result<Json<UpdateAmountRequest>, HttpError>,
) -> Result<Json<UpdateAmountResponse>, HttpError> {
    let Json(request) = request.map_err(in_own_shape)?;
    let update = AmountUpdate {
        cart_id: request.cart_id,
        payment_intent_id: request.payment_intent_id.map(Into::into),
        amount: request.amount,
    };
    let updated = update_amount::update(&db, &gateway, &shop, update).await.map_err(refusal)?;
    let UpdatedPayment { before, amount, is_changed, status, client_secret } = updated;
    Ok(Json(if is_changed {
        UpdateAmountResponse::Updated {
            success: true,
            updated: true,
            previous_amount: before,
            new_amount: amount,
            status,
            client_secret,
        }
    } else {
        let message = "The payment has this amount already";
        UpdateAmountResponse::Unchanged { success: true, updated: false, amount, message }
    }))
}

fn refusal(error: UpdateError) -> HttpError {
    let bad = |body: Value| HttpError::shaped(StatusCode::BAD_REQUEST, body);
    let broken = |body: Value| HttpError::shaped(StatusCode::INTERNAL_SERVER_ERROR, body);
    match error {
        UpdateError::Unknown => {
            let body = json!({ "error": "There is no such payment of this cart" });
            HttpError::shaped(StatusCode::NOT_FOUND, body)
        }
        UpdateError::Empty => bad(json!({ "error": "The cart has no items" })),
        UpdateError::Status(status) => bad(json!({
            "error": "The amount of the payment cannot be changed any more", "currentStatus": status,
        })),
        UpdateError::Refused(kind, message) => bad(json!({ "error": message, "type": kind })),
        UpdateError::NoProvider(message) => broken(json!({ "error": message })),
        UpdateError::Silent(message) => {
            broken(json!({ "error": "The amount was not updated", "message": message }))
        }
        UpdateError::Other(error) => in_own_shape(error.into()),
    }
}

/// Converts a 400 and a 500 to this route's body.
fn in_own_shape(error: HttpError) -> HttpError {
    let statuses = [StatusCode::BAD_REQUEST, StatusCode::INTERNAL_SERVER_ERROR];
    error.reshaped(&statuses, |error| json!({ "error": error.message() }))
}
