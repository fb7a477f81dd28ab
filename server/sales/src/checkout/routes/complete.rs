//! The route that completes a cart.

use axum::extract::State;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use crate::auth::{Secret, Shop};
use crate::cart;
use crate::checkout::complete::{self, CompleteRequest};
use crate::checkout::{CheckoutError, Completion};
use crate::clock::Timestamp;
use crate::database::Tx;
use crate::http::{Answer, Fields, HttpError, Json, Path, Text, ToSchema, request, to_value};
use crate::ids::CartId;
use crate::metadata::MetadataPatch;
use crate::orders;
use crate::orders::view::{OrderView, StoreOrder};
use crate::state::PaymentState;
use crate::subscriptions;
use crate::subscriptions::create::NewSubscribe;

/// An empty body.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct CompleteCartRequest {}

/// How a cart is subscribed.
#[request]
#[schema(example = json!({ "payment_context": { "payment_method_reference": "pm_1PgafmB7WZ01zgkW6dKueIc5" } }))]
pub(super) struct SubscribeCartRequest {
    #[serde(default)]
    payment_context: PaymentContextRequest,
    /// When the first period begins, at most 365 days ahead; nothing is charged before. Defaults to now.
    start_at: Option<Timestamp>,
    /// The time zone of its dates, an IANA name. Defaults to the store's.
    #[schema(example = "Europe/London")]
    timezone: Option<Text<64>>,
    /// The client's own data on the subscriptions.
    metadata: Option<MetadataPatch>,
}

/// What pays for a subscription.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct PaymentContextRequest {
    /// A saved payment method of the cart's customer. Defaults to the method of the cart's payment session.
    payment_method_reference: Option<Text<255>>,
    /// The provider of the method; any other is rejected.
    payment_provider_id: Option<Text<100>>,
}

impl SubscribeCartRequest {
    fn into_subscribe(self) -> Result<NewSubscribe, HttpError> {
        let metadata = self.metadata.map(|metadata| metadata.apply(None)).transpose();
        let metadata = metadata.map_err(|error| HttpError::invalid_data(error.to_string()))?;
        let PaymentContextRequest { payment_method_reference, payment_provider_id } =
            self.payment_context;
        Ok(NewSubscribe {
            method_reference: payment_method_reference.map(String::from),
            provider_id: payment_provider_id.map(String::from),
            saved_method_id: None,
            start_at: self.start_at,
            time_zone: self.timezone.map(String::from),
            metadata: metadata.flatten(),
        })
    }
}

/// The result of a completion.
#[derive(Debug, Serialize, ToSchema)]
#[serde(tag = "type", rename_all = "snake_case")]
#[expect(dead_code, reason = "it documents the response, which is built from the selected fields")]
pub(super) enum CartCompletionResponse {
    /// The cart became an order.
    Order {
        order: Box<OrderView>,
        /// One for the lines of one frequency and start; only if lines had plans.
        #[schema(value_type = Option<Vec<Object>>, nullable = false)]
        subscriptions: Option<Value>,
        /// The token that shows a guest's order, as the header `x-order-token` of `GET /store/orders/{id}`. A repeated
        /// completion does not return it again.
        order_token: Option<String>,
    },
    /// The cart has not become an order: it is not paid, and nothing was charged or reserved.
    Cart {
        #[schema(value_type = Object)]
        cart: Value,
        /// Why it is not paid.
        error: CompletionErrorBody,
    },
}

/// Why a cart is not paid.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = CompletionError)]
pub(super) struct CompletionErrorBody {
    /// A message for the shopper.
    message: String,
    /// The error class in the storefront's library.
    #[schema(example = "PaymentAuthorizationError")]
    name: &'static str,
    /// `payment_authorization_error` if the payment is refused, `payment_requires_more_error` if the shopper has to act
    /// first.
    #[serde(rename = "type")]
    #[schema(example = "payment_authorization_error")]
    kind: &'static str,
}

/// Turns a cart into an order: its stock is reserved, its promotions are counted, its store credit is debited, and it
/// is paid, all or nothing. Under any number of concurrent and repeated requests, a cart becomes one order, is paid
/// once, and every response has the same order. A refused payment returns 200 with the cart and the reason; a new
/// payment session allows another attempt.
///
/// Prices, taxes, shipping prices and promotions are refreshed first. If the cart's total changes, or an item is no
/// longer sold, nothing is charged or reserved, and the response is 200 with the refreshed cart and a
/// `payment_authorization_error` that names both amounts. Its payment sessions are then deleted, so that completing it
/// again returns 400 `Payment sessions are required to complete cart` until the shopper agrees to the new total by a
/// new payment session.
#[crate::http::operation(post, path = "/store/carts/{id}/complete", tag = "Store checkout",
    params(("id" = CartId, Path, description = "The cart"), Fields<StoreOrder>),
    security(("publishable_key" = []), ("publishable_key" = [], "customer" = [])),
    responses(
        (status = 200, description = "The order, or the cart with the reason", body = CartCompletionResponse,
            examples(
                ("order" = (value = json!({"type": "order", "order": {
                    "id": "order_01M7XZN1R5ET565WMXF2N6TJHK", "status": "pending", "display_id": 57, "total": 35.75,
                }}))),
                ("refused" = (value = json!({"type": "cart",
                    "cart": {"id": "cart_01M7XZMS91XCBR1DAZ6SBZ5W94", "total": 35.75},
                    "error": {"message": "Payment authorization failed: card_declined",
                        "name": "PaymentAuthorizationError", "type": "payment_authorization_error"},
                }))),
                ("dearer" = (value = json!({"type": "cart",
                    "cart": {"id": "cart_01M7XZMS91XCBR1DAZ6SBZ5W94", "total": 37.75},
                    "error": {"message": "The cart costs 37.75 now, not 35.75: begin a new payment session",
                        "name": "PaymentAuthorizationError", "type": "payment_authorization_error"},
                }))),
            )),
        (status = 409, description = "Another request is in progress, or the provider has not answered; try again",
            body = crate::http::ErrorBody)))]
pub(super) async fn complete_cart(
    State(state): State<PaymentState>,
    shop: Shop,
    Path(id): Path<CartId>,
    fields: Fields<StoreOrder>,
    Json(CompleteCartRequest {}): Json<CompleteCartRequest>,
) -> Result<Answer, HttpError> {
    run(state, shop, id, fields, NewSubscribe::default()).await
}

/// Completes a cart and begins the subscriptions of its lines with plans, in one transaction.
///
/// It is the same completion as that of `complete`, which subscribes with the defaults of this request: under any number of
/// requests of both, a cart becomes one order and one set of subscriptions. Lines with the same frequency and start become
/// one subscription. What begins later, after a trial or at `start_at`, costs nothing now. The payment session must save
/// its method (`setup_future_usage` `off_session`), unless a saved one is named.
#[crate::http::operation(post, path = "/store/carts/{id}/subscribe", tag = "Store checkout",
    params(("id" = CartId, Path, description = "The cart"), Fields<StoreOrder>),
    request_body = SubscribeCartRequest,
    security(("publishable_key" = []), ("publishable_key" = [], "customer" = [])),
    responses(
        (status = 200, description = "The order with its subscriptions, or the cart with the reason",
            body = CartCompletionResponse),
        (status = 409, description = "Another request is in progress, or the provider has not answered; try again",
            body = crate::http::ErrorBody)))]
pub(super) async fn subscribe_cart(
    State(state): State<PaymentState>,
    shop: Shop,
    Path(id): Path<CartId>,
    fields: Fields<StoreOrder>,
    Json(request): Json<SubscribeCartRequest>,
) -> Result<Answer, HttpError> {
    run(state, shop, id, fields, request.into_subscribe()?).await
}

/// Completes a cart and returns its order, or the cart with the reason.
async fn run(
    PaymentState { db, gateway, .. }: PaymentState,
    shop: Shop,
    id: CartId,
    fields: Fields<StoreOrder>,
    new: NewSubscribe,
) -> Result<Answer, HttpError> {
    let mut members = Map::new();
    let token = Secret::generate("ot_").map_err(HttpError::unexpected)?;
    let digest = token.digest();
    let request =
        CompleteRequest { cart_id: id.clone(), shop: Some(shop), token: digest, subscribe: new };
    match complete::complete(db.clone(), gateway, request).await? {
        Completion::Placed(order_id) => {
            let selection = fields.selection.clone();
            let work = move |tx: &Tx<'_>| {
                let order = orders::show(tx, &order_id, &selection)?.for_storefront();
                let subscriptions = to_value(&subscriptions::of_order(tx, &order_id)?);
                let is_granted = orders::access::is_granted(tx, &order_id, digest)?;
                Ok::<_, CheckoutError>((order, subscriptions, is_granted))
            };
            let (order, subscriptions, is_granted) = db.read(work).await?;
            members.insert("type".to_owned(), json!("order"));
            members.insert("order".to_owned(), fields.selection.value(&order)?);
            let subscriptions = subscriptions.map_err(HttpError::unexpected)?;
            if subscriptions.as_array().is_some_and(|found| !found.is_empty()) {
                members.insert("subscriptions".to_owned(), subscriptions);
            }
            if is_granted {
                // The token is not stored with the response of an idempotency key.
                let again = Answer::of(&members)?;
                members.insert("order_token".to_owned(), json!(token.reveal()));
                return Ok(Answer::of(&members)?.once(again));
            }
        }
        Completion::Refused { requires_more, message } => {
            let cart = db
                .read(move |tx| {
                    let cart = cart::load(tx, &id)?;
                    Ok::<_, CheckoutError>(cart::view(tx, &cart)?)
                })
                .await?;
            let (name, kind) = if requires_more {
                ("PaymentRequiresMoreError", "payment_requires_more_error")
            } else {
                ("PaymentAuthorizationError", "payment_authorization_error")
            };
            members.insert("type".to_owned(), json!("cart"));
            members.insert("cart".to_owned(), cart);
            members.insert("error".to_owned(), json!(CompletionErrorBody { message, name, kind }));
        }
    }
    Answer::of(&members)
}
