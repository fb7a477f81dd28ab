//! The time limit of requests once their bodies have arrived.

use std::time::Duration;

use axum::extract::{Request, State};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use super::webhooks::is_warehouse;
use crate::config::HttpSettings;
use crate::http::HttpError;

/// The time limit of a response.
#[derive(Debug, Clone, Copy)]
pub(super) struct Limit(Duration);

impl Limit {
    pub(super) fn of(settings: &HttpSettings) -> Self {
        Self(Duration::from_secs(settings.request_timeout_s))
    }
}

/// Responds with 503 after the time limit. Writes that have started still run to their end.
pub(super) async fn limit(State(limit): State<Limit>, request: Request, next: Next) -> Response {
    if is_warehouse(request.uri().path()) {
        return next.run(request).await;
    }
    match tokio::time::timeout(limit.0, next.run(request)).await {
        Ok(response) => response,
        Err(_elapsed) => HttpError::unavailable(1).into_response(),
    }
}
