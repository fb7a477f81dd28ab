//! Middleware: the layers around every request, whatever its route.
//!
//! From the outside in: client and log, the head of the request, security headers, CORS, compression, panics, rate
//! limits, credentials, body, time limit, load and, for writes, the idempotency key. Layers do not depend on routes,
//! nor routes on layers.

mod body;
mod client;
mod cors;
mod counts;
mod head;
mod headers;
pub mod idempotency;
mod load;
mod matched_route;
mod rate;
mod rate_limits;
mod record;
mod token_bucket;
mod webhooks;

use std::any::Any;
use std::sync::Arc;

use axum::Router;
use axum::http::{HeaderValue, Request};
use axum::middleware::{from_fn, from_fn_with_state};
use axum::response::{IntoResponse, Response};
use tower::ServiceBuilder;
use tower_http::catch_panic::CatchPanicLayer;
use tower_http::compression::CompressionLayer;

pub use client::{Caller, Client, FromPage, PeerAddress, network};
pub use counts::Counts;
pub use head::MAX_HEAD_BYTES;
use idempotency::Keys;
pub use rate::{LimitedClient, UserAllowance};
pub use rate_limits::{Bucket, RateLimits};
pub use token_bucket::Allowance;
pub use webhooks::CutBody;

use crate::config::Settings;
use crate::http::HttpError;
use crate::telemetry::Metrics;

/// Wraps the layers around a router with all routes; `look_up_callers` adds the layer that determines the [`Caller`],
/// `look_up_clients` the one that determines the [`LimitedClient`].
pub fn wrap(
    router: Router,
    settings: &Settings,
    metrics: &Metrics,
    (rates, keys): (Arc<RateLimits>, Arc<Keys>),
    (look_up_callers, look_up_clients): (
        impl FnOnce(Router) -> Router,
        impl FnOnce(Router) -> Router,
    ),
) -> Router {
    let proxies: Arc<[_]> = settings.http.trusted_proxies.clone().into();
    let classes = load::Classes::new(&settings.limits);
    let described = || {
        ServiceBuilder::new()
            .layer(from_fn_with_state(metrics.clone(), record::record))
            .layer(from_fn(headers::secure))
            .layer(from_fn_with_state(cors::layer(&settings.http), cors::share))
    };
    let inner = ServiceBuilder::new()
        .layer(from_fn_with_state(body::Bodies::new(&settings.http), body::receive))
        .layer(from_fn_with_state(load::TimeLimit::of(&settings.http), load::limit_time))
        .layer(from_fn_with_state(classes.clone(), load::shed))
        .layer(from_fn_with_state(keys, idempotency::replay));
    let outer = ServiceBuilder::new()
        .layer(from_fn_with_state(proxies, client::identify))
        .layer(described())
        .layer(from_fn(head::check))
        .layer(CompressionLayer::new())
        .layer(CatchPanicLayer::custom(panicked));
    let layers = look_up_callers(Router::new().fallback(matched_route::run).layer(inner));
    let layers = look_up_clients(layers.layer(from_fn_with_state(rates, rate::limit))).layer(outer);
    let router = router.method_not_allowed_fallback(method_not_allowed).fallback(not_found);
    let router = router.layer(from_fn_with_state(layers, matched_route::enter));
    let refusals = Router::new().fallback(load::refuse).layer(described());
    Router::new()
        .fallback_service(router)
        .layer(from_fn_with_state((classes, refusals), load::turn_away))
}

/// Wraps the layers of a page's own requests around the routes of the API, so that a repeated change takes effect once;
/// `look_up_callers` is the same as for [`wrap`].
pub fn wrap_for_pages(
    router: Router,
    keys: Arc<Keys>,
    look_up_callers: impl FnOnce(Router) -> Router,
) -> Router {
    let inner = from_fn_with_state(keys, idempotency::replay);
    let layers = look_up_callers(Router::new().fallback(matched_route::run).layer(inner));
    router.layer(from_fn_with_state(layers, matched_route::enter))
}

async fn not_found() -> HttpError {
    HttpError::not_found("Not found")
}

async fn method_not_allowed() -> HttpError {
    HttpError::method_not_allowed()
}

#[expect(clippy::needless_pass_by_value, reason = "required by the layer")]
fn panicked(panic: Box<dyn Any + Send + 'static>) -> Response {
    let message = panic
        .downcast_ref::<String>()
        .map(String::as_str)
        .or_else(|| panic.downcast_ref::<&str>().copied())
        .unwrap_or("no message");
    HttpError::unexpected(format!("panic: {message}")).into_response()
}

/// Returns a header of a request as text; `None` if it is absent, empty, or not ASCII.
fn header<'a, B>(request: &'a Request<B>, name: &str) -> Option<&'a str> {
    let value: &HeaderValue = request.headers().get(name)?;
    value.to_str().ok().filter(|text| !text.is_empty())
}

#[cfg(test)]
mod tests;
