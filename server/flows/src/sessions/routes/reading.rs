//! `/flow-builder/button/{button_id}`, `receipt` and `upsell`, without credentials.

use axum::extract::State;
use axum::response::Response;
use serde::Serialize;

use super::origins::readable;
use super::public::{FlowErrorBody, TAG, flow_of, shaped};
use super::visitor::Visitor;
use crate::database::Db;
use crate::http::{ErrorBody, HttpError, Json, Path, ToSchema};
use crate::ids::FlowButtonId;
use crate::sessions::button::ButtonView;
use crate::sessions::error::SessionError;
use crate::sessions::receipt::{self, Receipt, SessionView, Upsell};

/// A button, as a session sees it.
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
    // A token that opens nothing shows what anybody sees.
    let token = visitor.token(None).unwrap_or(None);
    let shown = db.write(move |tx| receipt::show_button(tx, &id, (token, true))).await;
    let flow_id = shown.as_ref().ok().map(|(_, _, flow_id)| flow_id.clone());
    let answer = shown
        .map(|(button, session, _)| Json(FlowButtonResponse { button, session }))
        .map_err(shaped);
    readable(db, (visitor.origin, flow_id), answer).await
}

/// Show a receipt
///
/// What a session has come to, for a week after its end.
#[crate::http::operation(get, path = "/flow-builder/receipt", tag = TAG, security(()),
    params(("x-flow-session" = Option<String>, Header, description = "The token of the session")),
    responses((status = 200, description = "The receipt", body = Receipt),
              (status = 401, description = "No good token", body = FlowErrorBody),
              (status = 500, description = "An internal error", body = FlowErrorBody)))]
pub(super) async fn show_flow_receipt(State(db): State<Db>, visitor: Visitor) -> Response {
    let token = visitor.token(None);
    let found = match token {
        Ok(Some(token)) => {
            receipt::called(&db, token, move |tx| receipt::receipt(tx, token, false)).await
        }
        Ok(None) => Err(SessionError::NoToken),
        Err(error) => Err(error),
    };
    let flow_id = found.as_ref().ok().map(|(_, flow_id)| flow_id.clone());
    let answer = found.map(|(receipt, _)| Json(receipt)).map_err(shaped);
    readable(db, (visitor.origin, flow_id), answer).await
}

/// Show the open offer
///
/// The offer that the session stands at, priced now.
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
