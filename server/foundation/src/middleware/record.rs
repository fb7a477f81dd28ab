//! The id of a request, its log line, and its count in the metrics.

use std::time::Instant;

use axum::extract::{MatchedPath, Request, State};
use axum::http::{HeaderValue, Method};
use axum::middleware::Next;
use axum::response::Response;
use tracing::Instrument;

use crate::context::Context;
use crate::telemetry::Metrics;

/// Assigns an id to a request, logs it and counts it.
pub(super) async fn record(
    State(metrics): State<Metrics>,
    request: Request,
    next: Next,
) -> Response {
    let id = fresh_id();
    let method = known_method(request.method()).unwrap_or("other");
    let route = request.extensions().get::<MatchedPath>().map(|path| path.as_str().to_owned());
    let route = route.unwrap_or_else(|| "unmatched".to_owned());
    let context = Context::new(&id);
    let context = if is_of_staff(request.uri().path()) { context.patient() } else { context };
    let span = tracing::info_span!("request", request_id = %id, method, route);
    let started = Instant::now();
    let answer = next.run(request).instrument(span.clone());
    let mut response = context.run(answer).await;
    let (elapsed, status) = (started.elapsed(), response.status().as_u16());
    span.in_scope(|| tracing::info!(status, taken_us = elapsed.as_micros(), "answered"));
    metrics.count(method, &route, status, elapsed);
    if let Ok(value) = HeaderValue::try_from(id) {
        response.headers_mut().insert("x-request-id", value);
    }
    response
}

/// Returns whether a path is for staff: lists and exports that may be large.
fn is_of_staff(path: &str) -> bool {
    matches!(path.split('/').nth(1), Some("admin" | "app"))
}

/// Returns the name of an HTTP method; `None` for an unknown one.
fn known_method(method: &Method) -> Option<&'static str> {
    ["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS", "TRACE", "CONNECT"]
        .into_iter()
        .find(|known| *known == method.as_str())
}

/// Returns 64 random bits. The id is generated here and never taken from the request, so that the log can be trusted.
fn fresh_id() -> String {
    let mut bytes = [0_u8; 8];
    match getrandom::fill(&mut bytes) {
        Ok(()) => hex::encode(bytes),
        // Without a random source the request is still served; only its log line is harder to find.
        Err(_no_source) => "unknown".to_owned(),
    }
}
