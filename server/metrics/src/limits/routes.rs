//! How often each user may ask: `/admin/metrics/rate-limit-status`, and the headers that tell.

use std::sync::Arc;

use axum::extract::State;
use axum::http::{HeaderMap, HeaderName, HeaderValue};
use serde::Serialize;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::{Allowance, LimitedRoute, UserLimits};
use crate::auth::{AdminReader, AdminWriter};
use crate::http::{HttpError, Json};
use crate::state::AppState;

const LIMIT: HeaderName = HeaderName::from_static("ratelimit-limit");
const REMAINING: HeaderName = HeaderName::from_static("ratelimit-remaining");
const RESET: HeaderName = HeaderName::from_static("ratelimit-reset");

pub(crate) fn router() -> OpenApiRouter<AppState> {
    OpenApiRouter::new().routes(routes!(show_limits, clear_limits))
}

/// Lets a call through and gives the headers that tell what is left.
///
/// # Errors
/// 429 with the seconds to wait.
pub(crate) fn admit(
    limits: &UserLimits,
    limited: LimitedRoute,
    user: &str,
) -> Result<HeaderMap, HttpError> {
    match limits.take(limited, user) {
        Ok(left) => Ok(headers(left).into_iter().collect()),
        Err(left) => {
            let refusal = HttpError::rate_limited(seconds(left));
            let headers = headers(left).into_iter();
            Err(headers.fold(refusal, |refusal, (name, value)| refusal.with_header(name, value)))
        }
    }
}

fn headers(left: Allowance) -> [(HeaderName, HeaderValue); 3] {
    [(LIMIT, left.limit.into()), (REMAINING, left.remaining.into()), (RESET, seconds(left).into())]
}

/// Whole seconds until the oldest call counts no more.
fn seconds(left: Allowance) -> u64 {
    u64::try_from(left.reset_ms).unwrap_or(0).div_ceil(1_000)
}

/// A route's limit, as the caller meets it.
#[derive(Debug, Serialize, ToSchema)]
struct RouteLimitView {
    /// The route.
    #[schema(example = "GET /admin/metrics")]
    route: &'static str,
    /// Calls a minute and user.
    limit: u32,
    /// Calls that are left to the caller.
    remaining: u32,
    /// Seconds until the caller's oldest call counts no more.
    reset_s: u64,
    /// Calls of all users that were let through since the figures were cleared.
    accepted: u64,
    /// Calls of all users that were refused since then.
    refused: u64,
}

/// The limits.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct LimitsResponse {
    /// Always true.
    success: bool,
    /// By route.
    limits: Vec<RouteLimitView>,
}

/// Shows the limits a minute, what is left to the caller, and how they were met.
#[utoipa::path(get, path = "/admin/metrics/rate-limit-status", tag = "Admin metrics",
    responses((status = 200, description = "The limits", body = LimitsResponse)))]
async fn show_limits(
    admin: AdminReader,
    State(limits): State<Arc<UserLimits>>,
) -> Json<LimitsResponse> {
    let views = LimitedRoute::ALL.map(|limited| {
        let (left, usage) = (limits.left(limited, admin.actor_id()), limits.usage(limited));
        RouteLimitView {
            route: limited.route(),
            limit: left.limit,
            remaining: left.remaining,
            reset_s: seconds(left),
            accepted: usage.accepted,
            refused: usage.refused,
        }
    });
    Json(LimitsResponse { success: true, limits: views.into() })
}

/// That something was done.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct DoneResponse {
    /// Always true.
    pub(crate) success: bool,
    /// A sentence for people.
    pub(crate) message: &'static str,
}

/// Clears the figures. Calls of the last minute count as before.
#[utoipa::path(delete, path = "/admin/metrics/rate-limit-status", tag = "Admin metrics",
    responses((status = 200, description = "They are cleared", body = DoneResponse)))]
async fn clear_limits(
    _admin: AdminWriter,
    State(limits): State<Arc<UserLimits>>,
) -> Json<DoneResponse> {
    limits.clear_usage();
    Json(DoneResponse { success: true, message: "The figures of the rate limits were cleared" })
}
