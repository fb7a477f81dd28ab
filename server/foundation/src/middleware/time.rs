//! The time in which a request must be answered once its body is there.

use std::time::Duration;

use axum::extract::{Request, State};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use crate::config::HttpSettings;
use crate::http::HttpError;

/// How long an answer may take.
#[derive(Debug, Clone, Copy)]
pub(super) struct Limit(Duration);

impl Limit {
    pub(super) fn of(settings: &HttpSettings) -> Self {
        Self(Duration::from_secs(settings.request_timeout_s))
    }
}

/// Answers 503 when the time is up. What writes by then runs to its end all the same.
pub(super) async fn limit(State(limit): State<Limit>, request: Request, next: Next) -> Response {
    match tokio::time::timeout(limit.0, next.run(request)).await {
        Ok(response) => response,
        Err(_elapsed) => HttpError::unavailable(1).into_response(),
    }
}
