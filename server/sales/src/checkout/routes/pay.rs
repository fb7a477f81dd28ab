//! Routes that start the payment of a cart.

use axum::extract::State;
use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::auth::Shop;
use crate::cart;
use crate::checkout::CheckoutError;
use crate::checkout::pay::{self, SessionDraft};
use crate::clock::Timestamp;
use crate::database::Db;
use crate::http::{Answer, Fields, HttpError, Json, One, Path, Text, ToSchema, request};
use crate::ids::{CartId, PaymentCollectionId};
use crate::payments;
use crate::payments::provider::Data;
use crate::payments::view::{CollectionView, StoreCollection};
use crate::state::PaymentState;

/// The cart to pay.
#[request]
pub(super) struct CreatePaymentCollectionRequest {
    cart_id: CartId,
}

/// A payment session to start.
#[request]
#[schema(example = json!({"provider_id": "pp_sandbox", "data": {"payment_method": "pm_card_visa"}}))]
pub(super) struct CreatePaymentSessionRequest {
    /// One of the providers of the cart's region.
    provider_id: Text<100>,
    /// Data from the provider's part of the storefront; never card data.
    #[serde(default)]
    #[schema(value_type = Object)]
    data: Data,
}

/// When the payment method will be used again.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub(super) enum FutureUsage {
    /// Without the shopper, for example for renewals.
    #[default]
    OffSession,
    /// While the shopper is present, for example for an offer after the purchase.
    OnSession,
}

/// A payment session whose payment method will be reused.
#[request]
#[schema(example = json!({"setup_future_usage": "off_session"}))]
pub(super) struct CreateSubscriptionPaymentSessionRequest {
    /// When the payment method will be used again; defaults to `off_session`.
    #[serde(default)]
    setup_future_usage: FutureUsage,
    /// When the subscription begins, if in the future: its lines are then not due now.
    start_at: Option<Timestamp>,
    /// Defaults to the first provider of the cart's region.
    provider_id: Option<Text<100>>,
    /// Data from the provider's part of the storefront; never card data.
    #[serde(default)]
    #[schema(value_type = Object)]
    data: Data,
}

type PaymentCollectionResponse = One<CollectionView>;

/// Creates the payment collection of a cart, or returns the existing one. Its amount follows the cart's total, without
/// what begins after a trial.
#[crate::http::operation(post, path = "/store/payment-collections", tag = "Store checkout",
    params(Fields<StoreCollection>), request_body = CreatePaymentCollectionRequest,
    security(("publishable_key" = []), ("publishable_key" = [], "customer" = [])),
    responses((status = 200, description = "The collection", body = PaymentCollectionResponse,
        example = json!({"payment_collection": {
            "id": "pay_col_01M7XZN0GD2TQGCX4BHR1XSD9H", "currency_code": "gbp", "amount": 35.75,
            "payment_sessions": [],
        }}))))]
pub(super) async fn create_payment_collection(
    State(db): State<Db>,
    shop: Shop,
    fields: Fields<StoreCollection>,
    Json(request): Json<CreatePaymentCollectionRequest>,
) -> Result<Answer, HttpError> {
    fields
        .write(db, move |tx, _| {
            let cart = cart::load_to_change(tx, &request.cart_id, &shop)?;
            let id = pay::collect(tx, &cart)?;
            Ok::<_, CheckoutError>(payments::view::collection(tx, &id)?)
        })
        .await
}

/// Starts a payment session, which replaces earlier ones. A provider that the region does not have is rejected. The amount is
/// the cart's current total, without what begins after a trial; if nothing is due now, the session only saves its method.
/// When the cart changes, the session is deleted.
#[crate::http::operation(post, path = "/store/payment-collections/{id}/payment-sessions", tag = "Store checkout",
    params(("id" = PaymentCollectionId, Path, description = "The payment collection"), Fields<StoreCollection>),
    request_body = CreatePaymentSessionRequest,
    security(("publishable_key" = []), ("publishable_key" = [], "customer" = [])),
    responses((status = 200, description = "The collection with its session", body = PaymentCollectionResponse,
        example = json!({"payment_collection": {
            "id": "pay_col_01M7XZN0GD2TQGCX4BHR1XSD9H", "currency_code": "gbp", "amount": 35.75,
            "payment_sessions": [{
                "id": "payses_01M7XZN0PXVSPWHT29XXBS5NHJ", "provider_id": "pp_sandbox", "status": "pending",
                "amount": 35.75, "data": {"payment_method": "pm_card_visa"},
            }],
        }}))))]
pub(super) async fn create_payment_session(
    State(state): State<PaymentState>,
    shop: Shop,
    Path(id): Path<PaymentCollectionId>,
    fields: Fields<StoreCollection>,
    Json(request): Json<CreatePaymentSessionRequest>,
) -> Result<Answer, HttpError> {
    let collection_id = id.clone();
    let begun = state.db.write(move |tx| pay::begin(tx, &collection_id, &shop)).await?;
    let begun = begun.with(Some(request.provider_id.into()), request.data)?;
    let collection = initiate(state, begun).await?;
    fields.answer(&collection)
}

/// Starts a payment session whose method will be reused, for a subscription or for offers after the purchase. The
/// customer is the cart's, not the caller; a cart without one is rejected.
#[crate::http::operation(post, path = "/store/carts/{id}/subscription-payment-session", tag = "Store checkout",
    params(("id" = CartId, Path, description = "The cart"), Fields<StoreCollection>),
    request_body = CreateSubscriptionPaymentSessionRequest,
    security(("publishable_key" = []), ("publishable_key" = [], "customer" = [])),
    responses((status = 200, description = "The collection with its session", body = PaymentCollectionResponse,
        example = json!({"payment_collection": {
            "id": "pay_col_01M7XZN0GD2TQGCX4BHR1XSD9H", "currency_code": "gbp", "amount": 35.75,
            "payment_sessions": [{
                "id": "payses_01M7XZN0PXVSPWHT29XXBS5NHJ", "provider_id": "pp_sandbox", "status": "pending",
                "amount": 35.75, "data": {"setup_future_usage": "off_session"},
            }],
        }}))))]
pub(super) async fn create_subscription_payment_session(
    State(state): State<PaymentState>,
    shop: Shop,
    Path(id): Path<CartId>,
    fields: Fields<StoreCollection>,
    Json(request): Json<CreateSubscriptionPaymentSessionRequest>,
) -> Result<Answer, HttpError> {
    let mut data = request.data;
    data.insert("setup_future_usage".to_owned(), json!(request.setup_future_usage));
    let start_at = request.start_at;
    let begun = state.db.write(move |tx| pay::begin_for_customer(tx, &id, &shop, start_at)).await?;
    let begun = begun.with(request.provider_id.map(Into::into), data)?;
    let collection = initiate(state, begun).await?;
    fields.answer(&collection)
}

async fn initiate(state: PaymentState, begun: SessionDraft) -> Result<CollectionView, HttpError> {
    let PaymentState { db, gateway, clock } = state;
    Ok(pay::initiate(db, gateway, clock.now(), begun).await?)
}
