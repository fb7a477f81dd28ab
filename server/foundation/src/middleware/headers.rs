//! Security headers, which restrict how browsers use responses.

use axum::extract::Request;
use axum::http::HeaderValue;
use axum::http::header::{
    CACHE_CONTROL, CONTENT_SECURITY_POLICY, REFERRER_POLICY, X_CONTENT_TYPE_OPTIONS,
    X_FRAME_OPTIONS,
};
use axum::middleware::Next;
use axum::response::Response;

/// Pages with content: only resources of this server are loaded.
const PAGES: &str = "default-src 'self'; img-src 'self' data:; style-src 'self' 'unsafe-inline'; \
                     frame-ancestors 'none'; base-uri 'none'; form-action 'self'";

/// API responses have no content to display.
const ANSWERS: &str = "default-src 'none'; frame-ancestors 'none'";

/// Adds the headers, unless a route has set its own.
pub(super) async fn secure(request: Request, next: Next) -> Response {
    let is_page = request.uri().path().starts_with("/docs");
    let mut response = next.run(request).await;
    let headers = response.headers_mut();
    let policy = HeaderValue::from_static(if is_page { PAGES } else { ANSWERS });
    headers.entry(CONTENT_SECURITY_POLICY).or_insert(policy);
    headers.entry(X_CONTENT_TYPE_OPTIONS).or_insert(HeaderValue::from_static("nosniff"));
    headers.entry(X_FRAME_OPTIONS).or_insert(HeaderValue::from_static("DENY"));
    headers.entry(REFERRER_POLICY).or_insert(HeaderValue::from_static("no-referrer"));
    if !is_page {
        headers.entry(CACHE_CONTROL).or_insert(HeaderValue::from_static("no-store"));
    }
    response
}
