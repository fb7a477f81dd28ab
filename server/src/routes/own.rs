//! The routes of the server itself: health, figures, description.

use std::sync::Arc;

use axum::Extension;
use axum::extract::{FromRequestParts as _, State};
use axum::http::header::CONTENT_TYPE;
use axum::http::request::Parts;
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use bytes::Bytes;
use serde::Serialize;
use tokio::sync::OnceCell;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;
use utoipa_swagger_ui::{Config, SwaggerUi};

use crate::auth::AdminReader;
use crate::database::Db;
use crate::database::listing::ping;
use crate::http::{HttpError, Json, json_bytes};
use crate::middleware::Client;
use quotient_foundation::state::Shared;

/// Health and figures.
pub(super) fn router() -> OpenApiRouter<Shared> {
    OpenApiRouter::new()
        .routes(routes!(show_live))
        .routes(routes!(show_ready))
        .routes(routes!(show_metrics))
}

/// The description of the API as JSON and as pages.
pub(super) fn described() -> axum::Router {
    let text = Arc::new(OnceCell::new());
    let pages = SwaggerUi::new("/docs").config(Config::from("/openapi.json"));
    axum::Router::new()
        .route("/openapi.json", get(async move || show_description(&text).await))
        .merge(pages)
}

/// The description, made by the first who asks and remembered.
async fn show_description(text: &OnceCell<Bytes>) -> Result<Response, HttpError> {
    let text = text.get_or_try_init(async || {
        let made = tokio::task::spawn_blocking(|| {
            let api = super::description().map_err(HttpError::unexpected)?;
            serde_json::to_vec(&api).map(Bytes::from).map_err(HttpError::unexpected)
        });
        made.await.map_err(HttpError::unexpected)?
    });
    text.await.map(|text| json_bytes(text.clone()))
}

/// Whether the server is well.
#[derive(Debug, Serialize, ToSchema)]
struct HealthResponse {
    /// Always `ok`; what is not answers 503.
    #[schema(example = "ok")]
    status: &'static str,
}

/// The process runs.
#[utoipa::path(get, path = "/health/live", tag = "Server",
    responses((status = 200, description = "It runs", body = HealthResponse)))]
async fn show_live() -> Json<HealthResponse> {
    Json(HealthResponse { status: "ok" })
}

/// The database answers too.
#[utoipa::path(get, path = "/health/ready", tag = "Server",
    responses((status = 200, description = "It serves", body = HealthResponse)))]
async fn show_ready(State(db): State<Db>) -> Result<Json<HealthResponse>, HttpError> {
    db.read(|tx| ping(tx)).await?;
    Ok(Json(HealthResponse { status: "ok" }))
}

/// Figures for Prometheus. Answered to this machine, and to admins wherever they are.
#[utoipa::path(get, path = "/metrics", tag = "Server",
    responses((status = 200, description = "The figures", body = String, content_type = "application/openmetrics-text"),
              (status = 401, description = "Neither from this machine nor an admin", body = crate::http::ErrorBody)))]
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
