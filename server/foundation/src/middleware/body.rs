//! The time in which a request's body must have come.
//!
//! Invariant: who sends slowly takes no place of those that [`super::load`] gives away, for a body is read before.

use std::time::Duration;

use axum::body::{Body, HttpBody};
use axum::extract::{Request, State};
use axum::http::HeaderValue;
use axum::http::header::CONNECTION;
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use crate::config::HttpSettings;
use crate::http::{HttpError, read_body};

/// How long a body may take.
#[derive(Debug, Clone, Copy)]
pub(super) struct Patience(Duration);

impl Patience {
    pub(super) fn of(settings: &HttpSettings) -> Self {
        Self(Duration::from_secs(settings.body_timeout_s))
    }
}

/// Reads the body; answers 408 when the time is up.
pub(super) async fn receive(
    State(patience): State<Patience>,
    request: Request,
    next: Next,
) -> Response {
    if request.body().is_end_stream() {
        return next.run(request).await;
    }
    let (parts, body) = request.into_parts();
    let refused = match tokio::time::timeout(patience.0, read_body(body)).await {
        Ok(Ok(bytes)) => return next.run(Request::from_parts(parts, Body::from(bytes))).await,
        Ok(Err(refused)) => refused,
        Err(_elapsed) => HttpError::timed_out(),
    };
    // What is left of the body must not be read as the next request.
    refused.with_header(CONNECTION, HeaderValue::from_static("close")).into_response()
}
