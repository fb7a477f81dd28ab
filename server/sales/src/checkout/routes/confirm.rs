//! `/store/payment/confirm-with-token` and `/store/payment-intent/update-amount`.

use std::sync::Arc;

use axum::Extension;
use axum::extract::State;
use axum::http::StatusCode;
use reqwest::Url;
use serde::Serialize;
use serde_json::{Value, json};

use super::pay::FutureUsage;
use crate::auth::Shop;
use crate::checkout::confirm::{self, ConfirmError, ConfirmRequest, Confirmed};
use crate::checkout::queries;
use crate::checkout::update_amount::{
    self, UpdateAmountRequest, UpdateAmountResponse, UpdateError,
};
use crate::database::{Db, Error};
use crate::http::{HttpError, Json, Text, ToSchema, request};
use crate::ids::{CartId, PaymentSessionId};
use crate::middleware::{Client, RateLimits};
use crate::money::{Amount, Currency, Major};
use crate::payments::provider::Data;
use crate::state::PaymentState;

/// Seconds after which an address with too many refused cards may try again.
const RETRY_AFTER_S: u64 = 3_600;

/// The payment to confirm.
#[request]
#[schema(example = json!({
    "cart_id": "cart_01M7XZMS91XCBR1DAZ6SBZ5W94", "confirmation_token_id": "ctoken_card_visa", "expected_amount": 45.9,
}))]
pub(super) struct ConfirmWithTokenRequest {
    cart_id: CartId,
    /// The token that the card form created.
    confirmation_token_id: Text<200>,
    /// The amount that the shopper saw. It is only compared: the amount charged is always the present price of the
    /// cart.
    expected_amount: Option<Major>,
    /// Defaults to the first provider of the cart's region.
    payment_provider_id: Option<Text<100>>,
    /// When the payment method will be used again.
    setup_future_usage: Option<FutureUsage>,
    /// Where the shopper returns to after an authentication elsewhere: an https URL of a site of the key's sales channels,
    /// or an http one if that site is on `localhost`.
    return_url: Option<Text<2000>>,
}

/// The confirmed payment.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = json!({ "success": true, "paymentIntent": {
    "id": "pi_1", "status": "succeeded", "amount": 45.9, "currency_code": "gbp", "clientSecret": null, "nextAction": null,
    "payment_session_id": "payses_01M7XZN0PXVSPWHT29XXBS5NHJ",
} }))]
pub(super) struct ConfirmWithTokenResponse {
    /// False if the shopper has to act first.
    success: bool,
    payment_intent: PaymentIntentView,
}

/// A payment at the provider.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = ConfirmedPaymentIntent)]
pub(super) struct PaymentIntentView {
    /// The provider's id.
    id: Option<String>,
    /// `succeeded`, `requires_capture`, `processing` or `requires_action`.
    #[schema(example = "succeeded")]
    status: &'static str,
    amount: Amount,
    currency_code: Currency,
    #[serde(rename = "clientSecret")]
    client_secret: Option<String>,
    /// What the shopper has to do.
    #[serde(rename = "nextAction")]
    #[schema(value_type = Option<Object>)]
    next_action: Option<Value>,
    payment_session_id: PaymentSessionId,
}

/// Why a payment is not confirmed.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct ConfirmErrorBody {
    error: String,
    /// `card_error`, `invalid_request_error` or `amount_changed`.
    #[serde(rename = "type")]
    #[schema(nullable = false)]
    kind: Option<String>,
    /// The provider's code for a declined card.
    #[schema(nullable = false)]
    code: Option<String>,
    #[schema(nullable = false)]
    message: Option<String>,
}

/// Pays a cart with a confirmation token.
///
/// The client creates the token from the payment method and the billing details; the server creates the payment with the
/// final amount after tax and confirms it with the token. The cart must then be completed; otherwise, the server completes
/// it after three minutes, or refunds the payment if it cannot become an order. What begins after a trial is not due now;
/// if the cart contains nothing else, the method is only saved, and the amount is 0.
#[crate::http::operation(post, path = "/store/payment/confirm-with-token", tag = "Store payments",
    request_body = ConfirmWithTokenRequest,
    security(("publishable_key" = []), ("publishable_key" = [], "customer" = [])),
    responses((status = 200, description = "The payment", body = ConfirmWithTokenResponse),
              (status = 400, description = "The payment is refused", body = ConfirmErrorBody),
              (status = 404, description = "There is no such cart", body = ConfirmErrorBody),
              (status = 409, description = "The cart is being paid with another token", body = crate::http::ErrorBody),
              (status = 429, description = "Too many cards were refused", body = crate::http::ErrorBody),
              (status = 500, description = "The provider does not answer", body = ConfirmErrorBody)))]
pub(super) async fn confirm_with_token(
    State(PaymentState { db, gateway, clock }): State<PaymentState>,
    State(rates): State<Arc<RateLimits>>,
    Extension(client): Extension<Client>,
    shop: Shop,
    request: Result<Json<ConfirmWithTokenRequest>, HttpError>,
) -> Result<Json<ConfirmWithTokenResponse>, HttpError> {
    let Json(request) = request.map_err(in_own_shape)?;
    let mut data = Data::new();
    if let Some(usage) = request.setup_future_usage {
        data.insert("setup_future_usage".to_owned(), json!(usage));
    }
    if let Some(url) = request.return_url {
        let url = site_url(&db, &shop, url.as_str()).await?;
        data.insert("return_url".to_owned(), url.into());
    }
    let request = ConfirmRequest {
        cart_id: request.cart_id,
        token: request.confirmation_token_id.into(),
        expected: request.expected_amount,
        provider_id: request.payment_provider_id.map(Into::into),
        data,
    };
    rates.begin_card(client.address)?;
    let confirmed = confirm::confirm(db, gateway, clock, shop, request).await;
    if !matches!(confirmed, Err(ConfirmError::Declined(_) | ConfirmError::Token(_))) {
        rates.end_card(client.address);
    }
    let Confirmed { session_id, currency, amount, status, data } = confirmed.map_err(refusal)?;
    let text = |name: &str| data.get(name).and_then(Value::as_str).map(str::to_owned);
    Ok(Json(ConfirmWithTokenResponse {
        success: status != "requires_action",
        payment_intent: PaymentIntentView {
            id: text("id"),
            status,
            amount,
            currency_code: currency,
            client_secret: text("client_secret"),
            next_action: data.get("next_action").cloned(),
            payment_session_id: session_id,
        },
    }))
}

/// Returns the URL in a browser's form if it leads to a site of the shop, so that no shopper is sent elsewhere.
async fn site_url(db: &Db, shop: &Shop, text: &str) -> Result<String, HttpError> {
    let url = Url::parse(text).ok();
    let domain = url.as_ref().and_then(Url::domain).unwrap_or_default();
    let domain = domain.trim_end_matches('.').to_owned();
    let is_safe =
        |url: &Url| url.scheme() == "https" || (url.scheme() == "http" && domain == "localhost");
    let url = url.filter(is_safe);
    let channels = shop.sales_channel_ids.clone();
    let is_site = db.read::<_, Error>(move |tx| queries::is_site(tx, &domain, &channels)).await?;
    url.filter(|_| is_site).map(String::from).ok_or_else(|| {
        let body = json!({ "error": "`return_url` is not an https URL of a site of this shop" });
        HttpError::shaped(StatusCode::BAD_REQUEST, body)
    })
}

fn refusal(error: ConfirmError) -> HttpError {
    let bad = |body: Value| HttpError::shaped(StatusCode::BAD_REQUEST, body);
    let broken = |body: Value| HttpError::shaped(StatusCode::INTERNAL_SERVER_ERROR, body);
    match error {
        ConfirmError::Unknown => {
            HttpError::shaped(StatusCode::NOT_FOUND, json!({ "error": "There is no such cart" }))
        }
        ConfirmError::AmountChanged(amount) => bad(json!({
            "error": format!("The cart costs {} now", amount.text()), "type": "amount_changed",
        })),
        ConfirmError::Declined(code) => bad(json!({
            "error": "The card was declined", "type": "card_error", "code": code,
        })),
        ConfirmError::Token(message) => {
            bad(json!({ "error": message, "type": "invalid_request_error" }))
        }
        ConfirmError::OtherToken => {
            HttpError::conflict("The cart is being paid with another token")
        }
        ConfirmError::TooMany => HttpError::rate_limited(RETRY_AFTER_S),
        ConfirmError::NoProvider(message) => broken(json!({ "error": message })),
        ConfirmError::Silent(message) => {
            broken(json!({ "error": "The payment is not confirmed yet", "message": message }))
        }
        ConfirmError::Other(error) => in_own_shape(error.into()),
    }
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
    Ok(Json(update_amount::update(&db, &gateway, &shop, request).await.map_err(update_refusal)?))
}

fn update_refusal(error: UpdateError) -> HttpError {
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

/// Converts a 400 and a 500 to the body of these routes.
fn in_own_shape(error: HttpError) -> HttpError {
    error.with_error_body(&[StatusCode::BAD_REQUEST, StatusCode::INTERNAL_SERVER_ERROR])
}
