//! The time limit of request bodies.
//!
//! Invariant: a slow sender takes no permit of [`super::load`], because the body is read before.

use std::time::Duration;

use axum::body::{Body, HttpBody};
use axum::extract::{Request, State};
use axum::http::HeaderValue;
use axum::http::header::CONNECTION;
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use crate::config::HttpSettings;
use crate::http::{HttpError, read_body};

/// The time limit of a body.
#[derive(Debug, Clone, Copy)]
pub(super) struct BodyTimeout(Duration);

impl BodyTimeout {
    pub(super) fn of(settings: &HttpSettings) -> Self {
        Self(Duration::from_secs(settings.body_timeout_s))
    }
}

/// Reads the body; responds with 408 after the time limit.
pub(super) async fn receive(
    State(timeout): State<BodyTimeout>,
    request: Request,
    next: Next,
) -> Response {
    if request.body().is_end_stream() {
        return next.run(request).await;
    }
    let (parts, body) = request.into_parts();
    let refused = match tokio::time::timeout(timeout.0, read_body(body)).await {
        Ok(Ok(bytes)) => return next.run(Request::from_parts(parts, Body::from(bytes))).await,
        Ok(Err(refused)) => refused,
        Err(_elapsed) => HttpError::timed_out(),
    };
    // The rest of the body must not be read as the next request.
    refused.with_header(CONNECTION, HeaderValue::from_static("close")).into_response()
}
