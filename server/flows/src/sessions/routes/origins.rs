//! CORS of `/flow-builder`: the origins of a flow's pages may read its answers, without credentials.

use axum::extract::{Request, State};
use axum::http::header::{
    ACCESS_CONTROL_ALLOW_CREDENTIALS, ACCESS_CONTROL_ALLOW_HEADERS, ACCESS_CONTROL_ALLOW_METHODS,
    ACCESS_CONTROL_ALLOW_ORIGIN, ACCESS_CONTROL_MAX_AGE, ACCESS_CONTROL_REQUEST_METHOD, ORIGIN,
    VARY,
};
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use crate::database::Db;
use crate::definition::queries as flows;
use crate::ids::FlowId;

/// The paths without credentials.
const PATHS: &str = "/flow-builder/";

/// Answers preflights of pages from the lists of all published flows, before the layer that knows only the store's own
/// pages.
pub async fn answer_preflight(State(db): State<Db>, request: Request, next: Next) -> Response {
    let is_preflight = request.method() == Method::OPTIONS
        && request.headers().contains_key(ACCESS_CONTROL_REQUEST_METHOD);
    if !is_preflight || !request.uri().path().starts_with(PATHS) {
        return next.run(request).await;
    }
    let mut headers = HeaderMap::new();
    headers.insert(VARY, HeaderValue::from_static("origin"));
    let origin = request.headers().get(ORIGIN).cloned();
    let allowed = db.read(flows::origins).await;
    let is_allowed = |origin: &HeaderValue| {
        allowed.as_ref().is_ok_and(|all| all.iter().any(|own| own.as_bytes() == origin.as_bytes()))
    };
    if let Some(origin) = origin.filter(is_allowed) {
        headers.insert(ACCESS_CONTROL_ALLOW_ORIGIN, origin);
        let known = [
            (ACCESS_CONTROL_ALLOW_METHODS, "GET, POST"),
            (ACCESS_CONTROL_ALLOW_HEADERS, "content-type, x-flow-session"),
            (ACCESS_CONTROL_MAX_AGE, "600"),
        ];
        headers.extend(known.map(|(name, value)| (name, HeaderValue::from_static(value))));
    }
    (StatusCode::NO_CONTENT, headers).into_response()
}

/// Removes the permission to send credentials, which the layer of the store's own pages adds.
pub async fn without_credentials(request: Request, next: Next) -> Response {
    let is_public = request.uri().path().starts_with(PATHS);
    let mut response = next.run(request).await;
    if is_public {
        response.headers_mut().remove(ACCESS_CONTROL_ALLOW_CREDENTIALS);
    }
    response
}

/// Lets a page of a flow's origins read an answer.
pub(super) async fn readable(
    db: Db,
    (origin, flow_id): (Option<String>, Option<FlowId>),
    answer: impl IntoResponse,
) -> Response {
    let mut response = answer.into_response();
    response.headers_mut().append(VARY, HeaderValue::from_static("origin"));
    let (Some(origin), Some(flow_id)) = (origin, flow_id) else { return response };
    let flow = db.read(move |tx| flows::any(tx, &flow_id)).await;
    let is_listed =
        flow.is_ok_and(|flow| flow.is_some_and(|flow| flow.allowed_origins.contains(&origin)));
    if is_listed && let Ok(origin) = HeaderValue::try_from(origin) {
        response.headers_mut().insert(ACCESS_CONTROL_ALLOW_ORIGIN, origin);
    }
    response
}
