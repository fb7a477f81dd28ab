//! CORS: only pages of the configured origins may call the API, with credentials.

use std::convert::Infallible;
use std::time::Duration;

use axum::extract::{Request, State};
use axum::http::header::{ACCEPT, AUTHORIZATION, CONTENT_TYPE, ETAG, IF_MATCH, RETRY_AFTER};
use axum::http::{HeaderName, HeaderValue, Method};
use axum::middleware::Next;
use axum::response::Response;
use tower::{Layer as _, ServiceExt as _};
use tower_http::cors::{AllowOrigin, CorsLayer};

use crate::config::HttpSettings;

/// The paths whose routes answer preflights themselves, because each flow has its own origins.
const FLOW_PAGES: &str = "/flow-builder/";

/// How long browsers may cache a preflight, in seconds.
const PREFLIGHT_S: u64 = 600;

/// Returns the layer for the configured origins. Without any, no page is allowed.
pub(super) fn layer(settings: &HttpSettings) -> CorsLayer {
    let origins = settings.allowed_origins.iter();
    let origins: Vec<HeaderValue> = origins.filter_map(|origin| origin.parse().ok()).collect();
    CorsLayer::new()
        .allow_origin(AllowOrigin::list(origins))
        .allow_credentials(true)
        .allow_methods([Method::GET, Method::POST, Method::PUT, Method::PATCH, Method::DELETE])
        .allow_headers([
            ACCEPT,
            AUTHORIZATION,
            CONTENT_TYPE,
            IF_MATCH,
            super::idempotency::IDEMPOTENCY_KEY,
            HeaderName::from_static("x-flow-session"),
            HeaderName::from_static("x-medusa-locale"),
            HeaderName::from_static("x-order-email"),
            HeaderName::from_static("x-order-token"),
            HeaderName::from_static("x-publishable-api-key"),
            HeaderName::from_static("x-session-id"),
        ])
        .expose_headers([
            ETAG,
            RETRY_AFTER,
            super::token_bucket::LIMIT,
            super::token_bucket::REMAINING,
            super::token_bucket::RESET,
            HeaderName::from_static("idempotent-replayed"),
            HeaderName::from_static("x-request-id"),
        ])
        .max_age(Duration::from_secs(PREFLIGHT_S))
}

/// Applies the layer, except to the pages of flows.
pub(super) async fn share(
    State(layer): State<CorsLayer>,
    request: Request,
    next: Next,
) -> Result<Response, Infallible> {
    if request.uri().path().starts_with(FLOW_PAGES) {
        return Ok(next.run(request).await);
    }
    layer.layer(next).oneshot(request).await
}
