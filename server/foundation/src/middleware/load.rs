//! Load shedding: limits the number of running and waiting requests; further ones are rejected immediately. Also limits the
//! time of each once its body has arrived.
//!
//! They are rejected before the router, because every rejection takes processor time from accepted requests.
//!
//! Each class of routes has its own permits, so that neither admins nor webhooks can starve the store.

use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::extract::{Request, State};
use axum::http::header::RETRY_AFTER;
use axum::http::{HeaderValue, StatusCode, Uri};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use serde_json::json;
use tokio::sync::Semaphore;
use tower::ServiceExt as _;

use super::webhooks::is_warehouse;
use crate::config::{HttpSettings, LimitSettings};
use crate::http::HttpError;

/// Limit: how long a request waits to run. Longer queues only make every response late.
const WAIT_LIMIT: Duration = Duration::from_millis(200);

/// The number of seconds after which a rejected request may be retried.
const RETRY_AFTER_S: u64 = 1;

/// The permits of all classes.
#[derive(Debug, Clone)]
pub(super) struct Classes {
    store: Arc<Places>,
    admin: Arc<Places>,
    webhooks: Arc<Places>,
    rest: Arc<Places>,
}

#[derive(Debug)]
struct Places {
    /// For running and waiting requests.
    present: Semaphore,
    running: Semaphore,
}

impl Places {
    fn new(running: u32, waiting: u32) -> Arc<Self> {
        let places = |count: u32| Semaphore::new(usize::try_from(count).unwrap_or(usize::MAX));
        let present = places(running.saturating_add(waiting));
        Arc::new(Self { present, running: places(running) })
    }
}

impl Classes {
    pub(super) fn new(limits: &LimitSettings) -> Self {
        let quarter = |count: u32| count.div_euclid(4).max(1);
        let (running, waiting) = (limits.running_requests, limits.waiting_requests);
        let small = || Places::new(quarter(running), quarter(waiting));
        let store = Places::new(running, waiting);
        Self { store, admin: small(), webhooks: small(), rest: small() }
    }

    /// Returns the permits of a path; none if it must be served under any load.
    fn places(&self, path: &str) -> Option<&Places> {
        if is_warehouse(path) {
            return None;
        }
        match path.split('/').nth(1)? {
            // Pages with flows belong to shoppers too.
            "store" | "flow-builder" => Some(&self.store),
            "admin" => Some(&self.admin),
            "webhooks" => Some(&self.webhooks),
            "health" | "metrics" => None,
            _ => Some(&self.rest),
        }
    }
}

/// Sends a request to the rejecting router if all places are taken.
pub(super) async fn turn_away(
    State((classes, refusals)): State<(Classes, Router)>,
    request: Request,
    next: Next,
) -> Result<Response, Infallible> {
    match classes.places(request.uri().path()) {
        Some(places) if places.present.available_permits() == 0 => refusals.oneshot(request).await,
        _ => Ok(next.run(request).await),
    }
}

pub(super) async fn refuse(uri: Uri) -> HttpError {
    busy(uri.path())
}

/// Returns the rejection of a request. Routes of the metrics catalog document a body of their own for it.
fn busy(path: &str) -> HttpError {
    if !path.starts_with("/admin/metrics/catalog") {
        return HttpError::unavailable(RETRY_AFTER_S);
    }
    let body = json!({ "error": "The catalog is not available; try again" });
    HttpError::shaped(StatusCode::SERVICE_UNAVAILABLE, body)
        .with_header(RETRY_AFTER, HeaderValue::from(RETRY_AFTER_S))
}

/// Runs a request, queues it, or rejects it. A request takes a place only after its body has arrived, so that slow
/// clients hold none.
pub(super) async fn shed(State(classes): State<Classes>, request: Request, next: Next) -> Response {
    let path = request.uri().path();
    let Some(places) = classes.places(path) else {
        return next.run(request).await;
    };
    let Ok(_present) = places.present.try_acquire() else {
        return busy(path).into_response();
    };
    let running = tokio::time::timeout(WAIT_LIMIT, places.running.acquire());
    let Ok(Ok(_running)) = running.await else {
        return busy(path).into_response();
    };
    next.run(request).await
}

/// The time limit of a response.
#[derive(Debug, Clone, Copy)]
pub(super) struct TimeLimit(Duration);

impl TimeLimit {
    pub(super) fn of(settings: &HttpSettings) -> Self {
        Self(Duration::from_secs(settings.request_timeout_s))
    }
}

/// Responds with 503 after the time limit. Writes that have started still run to their end.
pub(super) async fn limit_time(
    State(limit): State<TimeLimit>,
    request: Request,
    next: Next,
) -> Response {
    if is_warehouse(request.uri().path()) {
        return next.run(request).await;
    }
    let uri = request.uri().clone();
    match tokio::time::timeout(limit.0, next.run(request)).await {
        Ok(response) => response,
        Err(_elapsed) => busy(uri.path()).into_response(),
    }
}
