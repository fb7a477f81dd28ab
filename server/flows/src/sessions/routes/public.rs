//! `/flow-builder`, without credentials.

use axum::extract::State;
use axum::http::header::SET_COOKIE;
use axum::http::{HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use serde_json::{Value, json};

use super::origins::readable;
use super::requests::{AcceptRequest, BeginFlowRequest, DeclineRequest};
use super::visitor::{Address, COOKIE_NAME, SmallJson, Visitor};
use crate::auth::SecretDigest;
use crate::database::Db;
use crate::http::{ErrorBody, HttpError, Json, Path, ToSchema};
use crate::ids::{FlowButtonId, FlowId};
use crate::payments::PaymentGateway;
use crate::sessions::act;
use crate::sessions::begin::{Begun, Source, Surface};
use crate::sessions::button::{ButtonView, PressAnswer};
use crate::sessions::error::SessionError;
use crate::sessions::press::NewPress;
use crate::sessions::queries;
use crate::sessions::receipt::{self, Receipt, SessionView, Upsell};

pub(super) const TAG: &str = "Flow pages";

/// An error of these routes.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = FlowErrorBody)]
pub(super) struct FlowErrorBody {
    #[schema(example = "This flow cannot be started")]
    error: String,
}

/// A session and its current button.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct FlowBegunResponse {
    session: SessionView,
    entry_button: ButtonView,
}

impl From<Begun> for FlowBegunResponse {
    fn from(begun: Begun) -> Self {
        Self { session: begun.session, entry_button: begun.button }
    }
}

/// The result of pressing a button.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = FlowPressResponse)]
pub(super) struct PressResponse {
    /// Whether the press took effect.
    success: bool,
    #[schema(value_type = String)]
    next_button_id: Value,
    #[serde(rename = "nextButtonId")]
    #[schema(value_type = String)]
    next_button_id_too: Value,
    /// Where the shopper goes at the end.
    #[serde(rename = "redirectUrl")]
    #[schema(value_type = Option<String>)]
    redirect_url: Value,
    #[serde(rename = "isTerminal")]
    is_terminal: bool,
    #[serde(rename = "nextButton")]
    #[schema(value_type = ButtonView)]
    next_button: Value,
}

impl From<PressAnswer> for PressResponse {
    fn from(answer: PressAnswer) -> Self {
        Self {
            success: answer.success,
            next_button_id_too: answer.part("id"),
            next_button_id: answer.part("id"),
            redirect_url: answer.part("redirect_url"),
            is_terminal: answer.part("is_terminal") == true,
            next_button: answer.button,
        }
    }
}

pub(super) fn in_own_shape(error: HttpError) -> HttpError {
    error.with_error_body(&[StatusCode::INTERNAL_SERVER_ERROR])
}

pub(super) fn shaped(error: SessionError) -> HttpError {
    use SessionError::{BadToken, NoOffer, NoToken, NotStartable, Over, Unanswered};
    let status = if matches!(error, NotStartable | NoOffer) {
        StatusCode::BAD_REQUEST
    } else if matches!(error, NoToken | BadToken | Over) {
        StatusCode::UNAUTHORIZED
    } else if matches!(error, Unanswered) {
        StatusCode::INTERNAL_SERVER_ERROR
    } else {
        return in_own_shape(error.into());
    };
    HttpError::shaped(status, json!({ "error": error.to_string() }))
}

/// Begin a flow
///
/// Starts a session for an open cart, or for a recently placed order with its cart that was paid with a saved method.
/// Calls for the same cart or order return the same session in its current state. Its token is shown once; send it in the
/// header `x-flow-session` or in bodies. An address can have at most 200 open sessions.
#[crate::http::operation(post, path = "/flow-builder/init", tag = TAG, request_body = BeginFlowRequest, security(()),
    responses((status = 200, description = "The session", body = FlowBegunResponse),
              (status = 400, description = "It cannot be begun, whatever the reason", body = FlowErrorBody),
              (status = 500, description = "An internal error", body = FlowErrorBody)))]
pub(super) async fn begin_flow(
    State(db): State<Db>,
    visitor: Visitor,
    Address(source): Address,
    SmallJson(request): SmallJson<BeginFlowRequest>,
) -> Response {
    let begun = begin(&db, &visitor, source, request).await;
    respond(db, visitor.origin, begun).await
}

/// Returns the response, which pages of the flow's origins may read.
async fn respond<T: IntoResponse>(
    db: Db,
    origin: Option<String>,
    outcome: Result<(T, FlowId), SessionError>,
) -> Response {
    match outcome {
        Ok((answer, flow_id)) => readable(db, (origin, Some(flow_id)), answer).await,
        Err(error) => readable(db, (origin, None), shaped(error)).await,
    }
}

async fn begin(
    db: &Db,
    visitor: &Visitor,
    source: Option<Source>,
    request: BeginFlowRequest,
) -> Result<(Response, FlowId), SessionError> {
    // An invalid token does not start another session: the cart and order decide.
    let token = visitor.token(request.session_token.as_ref()).unwrap_or(None);
    let surface = Surface::Public { origin: visitor.foreign_origin() };
    let begun = act::begin(db, request.into_beginning((surface, source), token)).await?;
    let (flow_id, cookie) =
        (begun.flow_id.clone(), begun.session.token.as_deref().and_then(cookie));
    let mut response = Json(FlowBegunResponse::from(begun)).into_response();
    if let Some(cookie) = cookie {
        response.headers_mut().append(SET_COOKIE, cookie);
    }
    Ok((response, flow_id))
}

fn cookie(token: &str) -> Option<HeaderValue> {
    let text = format!(
        "{COOKIE_NAME}={token}; HttpOnly; Secure; SameSite=Lax; Path=/flow-builder; Max-Age=86400"
    );
    HeaderValue::try_from(text).ok()
}

/// Accept a button
///
/// An offer before the purchase is added to the cart. An offer after it is charged to the method that paid for the
/// order, and becomes a line of the order. A repetition gets the first answer and has no further effect.
#[crate::http::operation(post, path = "/flow-builder/accept", tag = TAG, request_body = AcceptRequest, security(()),
    responses((status = 200, description = "What comes next", body = PressResponse),
              (status = 401, description = "No good token, or the session is over", body = FlowErrorBody),
              (status = 404, description = "There is no such button", body = ErrorBody),
              (status = 409, description = "It is not the current button", body = ErrorBody),
              (status = 422, description = "Answers are missing or not valid", body = ErrorBody),
              (status = 500, description = "The payment is not confirmed yet; press again", body = FlowErrorBody)))]
pub(super) async fn accept_button(
    State(db): State<Db>,
    State(gateway): State<PaymentGateway>,
    visitor: Visitor,
    SmallJson(request): SmallJson<AcceptRequest>,
) -> Response {
    let token = visitor.needed_token(request.session_token.as_ref());
    press(db, gateway, visitor, token.map(|token| request.into_press(token))).await
}

/// Decline a button
///
/// A repetition gets the first answer and has no further effect.
#[crate::http::operation(post, path = "/flow-builder/decline", tag = TAG, request_body = DeclineRequest, security(()),
    responses((status = 200, description = "What comes next", body = PressResponse),
              (status = 401, description = "No good token, or the session is over", body = FlowErrorBody),
              (status = 404, description = "There is no such button", body = ErrorBody),
              (status = 409, description = "It is not the current button", body = ErrorBody),
              (status = 500, description = "An internal error", body = FlowErrorBody)))]
pub(super) async fn decline_button(
    State(db): State<Db>,
    State(gateway): State<PaymentGateway>,
    visitor: Visitor,
    SmallJson(request): SmallJson<DeclineRequest>,
) -> Response {
    let token = visitor.needed_token(request.session_token.as_ref());
    press(db, gateway, visitor, token.map(|token| request.into_press(token))).await
}

async fn press(
    db: Db,
    gateway: PaymentGateway,
    visitor: Visitor,
    new: Result<NewPress, SessionError>,
) -> Response {
    let (flow_id, answer) = match new {
        Ok(new) => (flow_of(&db, new.token).await, act::press(db.clone(), gateway, new).await),
        Err(error) => (None, Err(error)),
    };
    let answer = answer.map(|answer| Json(PressResponse::from(answer))).map_err(shaped);
    readable(db, (visitor.origin, flow_id), answer).await
}

async fn flow_of(db: &Db, token: SecretDigest) -> Option<FlowId> {
    let session = db.read(move |tx| queries::of_token(tx, token)).await.ok().flatten();
    session.map(|session| session.flow_id)
}

/// A button as a session sees it.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct FlowButtonResponse {
    pub(super) button: ButtonView,
    /// Null without a token.
    pub(super) session: Option<SessionView>,
}

/// Show a button
///
/// With a session's token, the button is priced for its cart or order.
#[crate::http::operation(get, path = "/flow-builder/button/{button_id}", tag = TAG, security(()),
    params(("button_id" = FlowButtonId, Path, description = "The button"),
           ("x-flow-session" = Option<String>, Header, description = "The token of the session")),
    responses((status = 200, description = "The button", body = FlowButtonResponse),
              (status = 404, description = "There is no such button", body = ErrorBody),
              (status = 500, description = "An internal error", body = FlowErrorBody)))]
pub(super) async fn show_button(
    State(db): State<Db>,
    visitor: Visitor,
    Path(id): Path<FlowButtonId>,
) -> Response {
    // With an invalid token, the button is shown as to anybody.
    let token = visitor.token(None).unwrap_or(None);
    let shown = receipt::show_button(&db, id, token, true).await;
    let shown = shown
        .map(|(button, session, flow_id)| (Json(FlowButtonResponse { button, session }), flow_id));
    respond(db, visitor.origin, shown).await
}

/// Show a receipt
///
/// The results of a session, until a week after its end.
#[crate::http::operation(get, path = "/flow-builder/receipt", tag = TAG, security(()),
    params(("x-flow-session" = Option<String>, Header, description = "The token of the session")),
    responses((status = 200, description = "The receipt", body = Receipt),
              (status = 401, description = "No good token", body = FlowErrorBody),
              (status = 500, description = "An internal error", body = FlowErrorBody)))]
pub(super) async fn show_flow_receipt(State(db): State<Db>, visitor: Visitor) -> Response {
    let read = match visitor.needed_token(None) {
        Ok(token) => {
            receipt::called(&db, token, move |tx| receipt::receipt(tx, token, false)).await
        }
        Err(error) => Err(error),
    };
    respond(db, visitor.origin, read.map(|(receipt, flow_id)| (Json(receipt), flow_id))).await
}

/// Show the open offer
///
/// The session's current offer, priced now.
#[crate::http::operation(get, path = "/flow-builder/upsell", tag = TAG, security(()),
    params(("x-flow-session" = Option<String>, Header, description = "The token of the session")),
    responses((status = 200, description = "The offer", body = Upsell),
              (status = 400, description = "There is no open offer", body = FlowErrorBody)))]
pub(super) async fn show_upsell(State(db): State<Db>, visitor: Visitor) -> Response {
    let token = visitor.token(None).unwrap_or(None);
    let (found, flow_id) = match token {
        Some(token) => {
            let found = receipt::called(&db, token, move |tx| receipt::upsell(tx, token)).await;
            (found, flow_of(&db, token).await)
        }
        None => (Err(SessionError::NoOffer), None),
    };
    let answer: Result<Json<Upsell>, HttpError> =
        found.map(|(upsell, _)| Json(upsell)).map_err(shaped);
    readable(db, (visitor.origin, flow_id), answer).await
}
