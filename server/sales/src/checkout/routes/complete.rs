//! Completing a cart.

use axum::extract::State;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
use utoipa::ToSchema;

use crate::auth::Shop;
use crate::cart;
use crate::checkout::{CheckoutError, Completion, complete};
use crate::http::{Answer, Fields, HttpError, Json, Path};
use crate::ids::CartId;
use crate::orders;
use crate::orders::view::{OrderView, StoreOrder};
use crate::state::PaymentState;

/// Nothing has to be said.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct CompleteCartRequest {}

/// The result of a completion.
#[derive(Debug, Serialize, ToSchema)]
#[serde(tag = "type", rename_all = "snake_case")]
#[expect(
    dead_code,
    reason = "it describes the answer, which is written from what `fields` asks for"
)]
pub(super) enum CompleteCartResponse {
    /// The cart is an order.
    Order { order: Box<OrderView> },
    /// The cart is still a cart: it was not paid, and nothing of it was taken.
    Cart {
        #[schema(value_type = Object)]
        cart: Value,
        /// Why it was not paid.
        error: CompletionErrorBody,
    },
}

/// The reason why a cart was not paid.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = CompletionError)]
pub(super) struct CompletionErrorBody {
    /// A sentence for the shopper.
    message: String,
    /// The kind in the words of the storefront's library.
    #[schema(example = "PaymentAuthorizationError")]
    name: &'static str,
    /// `payment_authorization_error` when the payment was refused, `payment_requires_more_error` when the shopper has
    /// to do something first.
    #[serde(rename = "type")]
    #[schema(example = "payment_authorization_error")]
    kind: &'static str,
}

/// Makes a cart an order: its stock is reserved, its promotions are counted, its store credit is debited, and it is
/// paid, all of it or nothing. However often and however many times at once it is called, a cart gives one order and
/// is paid once, and every call answers the same order. A payment that is refused answers 200 with the cart and the
/// reason; after a new payment session it may be tried again.
///
/// Nothing is sold at a price of yesterday: prices, taxes, postage and promotions are worked out once more first. If
/// the cart costs another amount than before, or some of it is not offered any more, nothing is taken, and the answer
/// is 200 with the cart as it is now and a `payment_authorization_error` that names both amounts. Its payment sessions
/// are gone then, so that completing it again answers 400 `Payment sessions are required to complete cart` until the
/// shopper has agreed to the new total by a new payment session.
#[utoipa::path(post, path = "/store/carts/{id}/complete", tag = "Store checkout",
    params(("id" = CartId, Path, description = "The cart"), Fields<StoreOrder>),
    security(("publishable_key" = []), ("publishable_key" = [], "customer" = [])),
    responses(
        (status = 200, description = "The order, or the cart with the reason", body = CompleteCartResponse,
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
        (status = 409, description = "Another call runs, or the provider has not answered; try again",
            body = crate::http::ErrorBody)))]
pub(super) async fn complete_cart(
    State(PaymentState { db, gateway, .. }): State<PaymentState>,
    shop: Shop,
    Path(id): Path<CartId>,
    fields: Fields<StoreOrder>,
    Json(CompleteCartRequest {}): Json<CompleteCartRequest>,
) -> Result<Answer, HttpError> {
    let customer = shop.customer_id;
    let mut members = Map::new();
    match complete(db.clone(), gateway, id.clone(), customer).await? {
        Completion::Placed(order_id) => {
            let selection = fields.selection.clone();
            let order = db.read(move |tx| orders::show(tx, &order_id, &selection)).await?;
            members.insert("type".to_owned(), json!("order"));
            members.insert("order".to_owned(), fields.selection.value(&order)?);
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
