//! `/store/flow-builder`: the same sessions, in storefronts with a publishable key.

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use serde_json::{Value, json};

use super::public::{FlowBegunResponse, FlowButtonResponse, FlowErrorBody, in_own_shape};
use super::requests::{
    AcceptStoreRequest, BeginFlowRequest, BeginFlowWithOrderRequest, DeclineStoreRequest,
};
use super::visitor::{Address, SmallJson, Visitor};
use crate::auth::Shop;
use crate::database::Db;
use crate::http::{HttpError, Json, Path, ToSchema};
use crate::ids::FlowButtonId;
use crate::payments::PaymentGateway;
use crate::sessions::act;
use crate::sessions::begin::Surface;
use crate::sessions::button::{ButtonView, PressAnswer};
use crate::sessions::error::SessionError;
use crate::sessions::press::NewPress;
use crate::sessions::receipt::{self, Receipt};

const TAG: &str = "Store flows";

/// The result of pressing a button.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = StoreFlowPressResponse)]
pub(super) struct PressResponse {
    #[schema(value_type = ButtonView)]
    next_button: Value,
    /// Where the shopper goes at the end.
    #[schema(value_type = Option<String>)]
    redirect_url: Value,
    is_terminal: bool,
}

impl From<PressAnswer> for PressResponse {
    fn from(answer: PressAnswer) -> Self {
        Self {
            redirect_url: answer.part("redirect_url"),
            is_terminal: answer.part("is_terminal") == true,
            next_button: answer.button,
        }
    }
}

/// The results of a session.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct StoreFlowReceiptResponse {
    receipt: Receipt,
}

fn shaped(error: SessionError) -> HttpError {
    use SessionError::{
        Answers, BadToken, Invalid, NoOffer, NoToken, NotCurrent, NotEnded, NotStartable,
        OtherCart, Over, Unanswered, Unbound, UnknownButton,
    };
    let status = if matches!(error, BadToken | UnknownButton | OtherCart) {
        StatusCode::NOT_FOUND
    } else if matches!(error, NotStartable | NoOffer | NoToken | Over | NotCurrent)
        || matches!(error, Unbound | NotEnded | Invalid(_) | Answers(_))
    {
        StatusCode::BAD_REQUEST
    } else if matches!(error, Unanswered) {
        StatusCode::INTERNAL_SERVER_ERROR
    } else {
        return in_own_shape(error.into());
    };
    HttpError::shaped(status, json!({ "error": error.to_string() }))
}

/// Begin a flow in a storefront
///
/// Starts a session, or finds the one started for the same cart. Without a cart, the first `cart_id` sent with an
/// acceptance is bound to it.
#[crate::http::operation(post, path = "/store/flow-builder/init", tag = TAG, request_body = BeginFlowRequest,
    security(("publishable_key" = []), ("publishable_key" = [], "customer" = [])),
    responses((status = 201, description = "The session", body = FlowBegunResponse),
              (status = 200, description = "The session that was begun before", body = FlowBegunResponse),
              (status = 400, description = "It cannot be begun, whatever the reason", body = FlowErrorBody)))]
pub(super) async fn begin_store_flow(
    State(db): State<Db>,
    shop: Shop,
    visitor: Visitor,
    Address(source): Address,
    SmallJson(request): SmallJson<BeginFlowRequest>,
) -> Result<Response, HttpError> {
    let token = visitor.store_token(request.session_token.as_ref()).ok();
    let new = request.into_beginning((Surface::Store(shop), source), token);
    let begun = act::begin(&db, new).await.map_err(shaped)?;
    let status = if begun.is_new { StatusCode::CREATED } else { StatusCode::OK };
    Ok((status, Json(FlowBegunResponse::from(begun))).into_response())
}

/// Begin a flow after an order
///
/// The order, its cart and its payment collection must belong together.
#[crate::http::operation(post, path = "/store/flow-builder/init-with-order", tag = TAG,
    request_body = BeginFlowWithOrderRequest,
    security(("publishable_key" = []), ("publishable_key" = [], "customer" = [])),
    responses((status = 200, description = "The session", body = FlowBegunResponse),
              (status = 400, description = "It cannot be begun, whatever the reason", body = FlowErrorBody)))]
pub(super) async fn begin_flow_with_order(
    State(db): State<Db>,
    shop: Shop,
    visitor: Visitor,
    Address(source): Address,
    SmallJson(request): SmallJson<BeginFlowWithOrderRequest>,
) -> Result<Json<FlowBegunResponse>, HttpError> {
    let token = visitor.store_token(request.session_token.as_ref()).ok();
    let new = request.into_beginning((Surface::Store(shop), source), token);
    Ok(Json(act::begin(&db, new).await.map_err(shaped)?.into()))
}

/// Accept a button in a storefront
///
/// As on pages: an offer before the purchase is added to the cart, and one after it is charged and added to the order. If
/// the card is refused, the response is the same button with a notice. A repetition gets the first answer.
#[crate::http::operation(post, path = "/store/flow-builder/accept", tag = TAG, request_body = AcceptStoreRequest,
    security(("publishable_key" = []), ("publishable_key" = [], "customer" = [])),
    responses((status = 200, description = "What comes next", body = PressResponse),
              (status = 400, description = "It cannot be accepted", body = FlowErrorBody),
              (status = 404, description = "There is no such button or session", body = FlowErrorBody),
              (status = 500, description = "The payment is not confirmed yet; press again", body = FlowErrorBody)))]
pub(super) async fn accept_store_button(
    State(db): State<Db>,
    State(gateway): State<PaymentGateway>,
    shop: Shop,
    visitor: Visitor,
    SmallJson(request): SmallJson<AcceptStoreRequest>,
) -> Result<Json<PressResponse>, HttpError> {
    let token = visitor.store_token(request.session_token.as_ref()).map_err(shaped)?;
    press(db, gateway, request.into_press(token, shop)).await
}

/// Decline a button in a storefront
#[crate::http::operation(post, path = "/store/flow-builder/decline", tag = TAG, request_body = DeclineStoreRequest,
    security(("publishable_key" = []), ("publishable_key" = [], "customer" = [])),
    responses((status = 200, description = "What comes next", body = PressResponse),
              (status = 400, description = "It cannot be declined", body = FlowErrorBody),
              (status = 404, description = "There is no such button or session", body = FlowErrorBody)))]
pub(super) async fn decline_store_button(
    State(db): State<Db>,
    State(gateway): State<PaymentGateway>,
    shop: Shop,
    visitor: Visitor,
    SmallJson(request): SmallJson<DeclineStoreRequest>,
) -> Result<Json<PressResponse>, HttpError> {
    let token = visitor.store_token(request.session_token.as_ref()).map_err(shaped)?;
    press(db, gateway, request.into_press(token, shop)).await
}

async fn press(
    db: Db,
    gateway: PaymentGateway,
    new: NewPress,
) -> Result<Json<PressResponse>, HttpError> {
    let answer = act::press(db, gateway, new).await.map_err(shaped)?;
    Ok(Json(answer.into()))
}

/// Show a button in a storefront
#[crate::http::operation(get, path = "/store/flow-builder/button/{button_id}", tag = TAG,
    security(("publishable_key" = []), ("publishable_key" = [], "customer" = [])),
    params(("button_id" = FlowButtonId, Path, description = "The button"),
           ("x-flow-session" = Option<String>, Header, description = "The token of the session")),
    responses((status = 200, description = "The button", body = FlowButtonResponse),
              (status = 404, description = "There is no such button", body = FlowErrorBody)))]
pub(super) async fn show_store_button(
    State(db): State<Db>,
    _shop: Shop,
    visitor: Visitor,
    Path(id): Path<FlowButtonId>,
) -> Result<Json<FlowButtonResponse>, HttpError> {
    let token = visitor.store_token(None).ok();
    let shown = receipt::show_button(&db, id, token, false).await;
    let (button, session, _) = shown.map_err(shaped)?;
    Ok(Json(FlowButtonResponse { button, session }))
}

/// Show a receipt in a storefront
#[crate::http::operation(get, path = "/store/flow-builder/receipt", tag = TAG,
    security(("publishable_key" = []), ("publishable_key" = [], "customer" = [])),
    params(("x-flow-session" = Option<String>, Header, description = "The token of the session")),
    responses((status = 200, description = "The receipt", body = StoreFlowReceiptResponse),
              (status = 400, description = "No token, or the session has not ended", body = FlowErrorBody),
              (status = 404, description = "There is no such session", body = FlowErrorBody)))]
pub(super) async fn show_store_receipt(
    State(db): State<Db>,
    _shop: Shop,
    visitor: Visitor,
) -> Result<Json<StoreFlowReceiptResponse>, HttpError> {
    let token = visitor.store_token(None).map_err(shaped)?;
    let found = db.read(move |tx| receipt::receipt(tx, token, true)).await;
    let (receipt, _) = found.map_err(shaped)?;
    Ok(Json(StoreFlowReceiptResponse { receipt }))
}
