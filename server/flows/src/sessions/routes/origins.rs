//! CORS of `/flow-builder`: pages on a flow's origins may read its responses, without credentials.

use axum::extract::State;
use axum::http::header::{
    ACCESS_CONTROL_ALLOW_HEADERS, ACCESS_CONTROL_ALLOW_METHODS, ACCESS_CONTROL_ALLOW_ORIGIN,
    ACCESS_CONTROL_MAX_AGE, ORIGIN, VARY,
};
use axum::http::{HeaderMap, HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};
use axum::routing::{MethodRouter, options};

use crate::database::Db;
use crate::definition::queries as flows;
use crate::ids::FlowId;
use crate::state::AppState;

const PATHS: [&str; 6] = [
    "/flow-builder/init",
    "/flow-builder/accept",
    "/flow-builder/decline",
    "/flow-builder/button/{button_id}",
    "/flow-builder/receipt",
    "/flow-builder/upsell",
];

/// Returns the preflight routes, which are not part of the OpenAPI document. They are rate limited like other routes,
/// because they read the database.
pub(super) fn preflights() -> impl Iterator<Item = (&'static str, MethodRouter<AppState>)> {
    PATHS.into_iter().map(|path| (path, options(answer_preflight)))
}

/// Answers a preflight from the allowed origins of all published flows.
async fn answer_preflight(State(db): State<Db>, request: HeaderMap) -> impl IntoResponse {
    let mut headers = HeaderMap::new();
    headers.insert(VARY, HeaderValue::from_static("origin"));
    let origin = request.get(ORIGIN).cloned();
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
    (StatusCode::NO_CONTENT, headers)
}

/// Allows a page on one of the flow's origins to read the response.
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
