//! What happens to every request on its way in and out, whatever its route.
//!
//! From outside: identity and log, security headers, CORS, compression, panics, rate, the body, time limit, load, and for
//! writes the idempotency key. A layer never knows what a route means; a route never knows of the layers.

mod body;
mod client;
mod cors;
mod headers;
pub mod idempotency;
mod load;
mod rate;
mod record;
mod time;

use std::any::Any;
use std::sync::Arc;

use axum::Router;
use axum::http::{HeaderValue, Request};
use axum::middleware::{from_fn, from_fn_with_state};
use axum::response::{IntoResponse, Response};
use tower_http::catch_panic::CatchPanicLayer;
use tower_http::compression::CompressionLayer;

pub use client::{Client, PeerAddress};
use idempotency::Keys;
pub use rate::{Allowance, Bucket, RateLimits};

use crate::config::Settings;
use crate::http::HttpError;
use crate::telemetry::Metrics;

/// Puts the layers around a router whose routes are all there.
pub fn wrap(
    router: Router,
    settings: &Settings,
    metrics: Metrics,
    rates: Arc<RateLimits>,
    keys: Keys,
) -> Router {
    let proxies: Arc<[_]> = settings.http.trusted_proxies.clone().into();
    router
        .method_not_allowed_fallback(method_not_allowed)
        .fallback(not_found)
        .layer(from_fn_with_state(keys, idempotency::replay))
        .layer(from_fn_with_state(load::Classes::new(&settings.limits), load::shed))
        .layer(from_fn_with_state(time::Limit::of(&settings.http), time::limit))
        .layer(from_fn_with_state(body::Patience::of(&settings.http), body::receive))
        .layer(from_fn_with_state(rates, rate::limit))
        .layer(CatchPanicLayer::custom(panicked))
        .layer(CompressionLayer::new())
        .layer(cors::layer(&settings.http))
        .layer(from_fn(headers::secure))
        .layer(from_fn_with_state(metrics, record::record))
        .layer(from_fn_with_state(proxies, client::identify))
}

async fn not_found() -> HttpError {
    HttpError::not_found("Not found")
}

/// The router adds the header `allow`.
async fn method_not_allowed() -> HttpError {
    HttpError::method_not_allowed(None)
}

#[expect(clippy::needless_pass_by_value, reason = "the layer hands it over")]
fn panicked(panic: Box<dyn Any + Send + 'static>) -> Response {
    let said = panic
        .downcast_ref::<String>()
        .map(String::as_str)
        .or_else(|| panic.downcast_ref::<&str>().copied())
        .unwrap_or("no message");
    HttpError::unexpected(format!("panic: {said}")).into_response()
}

/// A header of a request as text; `None` when it is not there, empty, or not ASCII.
fn header<'a, B>(request: &'a Request<B>, name: &str) -> Option<&'a str> {
    let value: &HeaderValue = request.headers().get(name)?;
    value.to_str().ok().filter(|text| !text.is_empty())
}

#[cfg(test)]
mod tests;
