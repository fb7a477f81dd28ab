//! The routes of the server itself: health, metrics, description.

use std::io::Read as _;
use std::sync::OnceLock;

use axum::Extension;
use axum::extract::{FromRequestParts as _, State};
use axum::http::header::{ACCEPT_ENCODING, CONTENT_ENCODING, CONTENT_TYPE, VARY};
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderValue};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use bytes::Bytes;
use flate2::read::GzDecoder;
use quotient_foundation::routes;
use serde::Serialize;
use utoipa_axum::router::OpenApiRouter;
use utoipa_swagger_ui::{Config, SwaggerUi};

use crate::auth::AdminReader;
use crate::database::Db;
use crate::http::{HttpError, Json, ToSchema, json_bytes};
use crate::middleware::Client;
use quotient_foundation::state::Shared;

/// Returns the routes of health and metrics.
pub(super) fn router() -> OpenApiRouter<Shared> {
    OpenApiRouter::new()
        .routes(routes!(show_live))
        .routes(routes!(show_ready))
        .routes(routes!(show_metrics))
}

/// Returns the routes of the API description as JSON and as pages.
pub(super) fn described() -> axum::Router {
    let pages = SwaggerUi::new("/docs").config(Config::from("/openapi.json"));
    axum::Router::new().route("/openapi.json", get(show_description)).merge(pages)
}

/// The description of the API, which a test writes from the code.
static GZIPPED: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/openapi.json.gz"));

/// Returns the description of the API as JSON, unpacked once.
pub fn description() -> std::io::Result<Bytes> {
    static PLAIN: OnceLock<Bytes> = OnceLock::new();
    if let Some(plain) = PLAIN.get() {
        return Ok(plain.clone());
    }
    let mut plain = Vec::new();
    GzDecoder::new(GZIPPED).read_to_end(&mut plain)?;
    Ok(PLAIN.get_or_init(|| plain.into()).clone())
}

async fn show_description(headers: HeaderMap) -> Result<Response, HttpError> {
    let mut response = if takes_gzip(&headers) {
        let mut response = json_bytes(Bytes::from_static(GZIPPED));
        response.headers_mut().insert(CONTENT_ENCODING, HeaderValue::from_static("gzip"));
        response
    } else {
        json_bytes(description().map_err(HttpError::unexpected)?)
    };
    response.headers_mut().insert(VARY, HeaderValue::from_static("accept-encoding"));
    Ok(response)
}

/// Returns whether a client accepts gzip.
fn takes_gzip(headers: &HeaderMap) -> bool {
    let named = headers.get(ACCEPT_ENCODING).and_then(|value| value.to_str().ok());
    named.is_some_and(|named| {
        named.split(',').map(str::trim).any(|name| name.eq_ignore_ascii_case("gzip"))
    })
}

/// Seconds after which a server that is not ready may be checked again.
const RETRY_AFTER_S: u64 = 1;

/// The health of the server.
#[derive(Debug, Serialize, ToSchema)]
struct HealthResponse {
    /// Always `ok`; otherwise the response is 503.
    #[schema(example = "ok")]
    status: &'static str,
}

/// Check that the process is running
#[crate::http::operation(get, path = "/health/live", tag = "Server",
    responses((status = 200, description = "The process is running", body = HealthResponse)))]
async fn show_live() -> Json<HealthResponse> {
    Json(HealthResponse { status: "ok" })
}

/// Check that the database can be read and written
#[crate::http::operation(get, path = "/health/ready", tag = "Server",
    responses((status = 200, description = "The server is ready", body = HealthResponse)))]
async fn show_ready(State(db): State<Db>) -> Result<Json<HealthResponse>, HttpError> {
    db.check_ready().await.map_err(|error| {
        tracing::warn!(%error, "the database is not ready");
        HttpError::unavailable(RETRY_AFTER_S)
    })?;
    Ok(Json(HealthResponse { status: "ok" }))
}

/// Show Prometheus metrics
///
/// Only for callers on this machine, and for admins.
#[crate::http::operation(get, path = "/metrics", tag = "Server",
    responses((status = 200, description = "The metrics", body = String, content_type = "application/openmetrics-text"),
              (status = 401, description = "Neither local nor an admin", body = crate::http::ErrorBody)))]
async fn show_metrics(
    State(state): State<Shared>,
    Extension(client): Extension<Client>,
    mut parts: Parts,
) -> Result<Response, HttpError> {
    if !client.is_local {
        AdminReader::from_request_parts(&mut parts, &state).await?;
    }
    let text = state.metrics.text().map_err(HttpError::unexpected)?;
    let content_type = "application/openmetrics-text; version=1.0.0; charset=utf-8";
    Ok(([(CONTENT_TYPE, content_type)], text).into_response())
}
