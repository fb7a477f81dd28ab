//! Rate limits of users: `/admin/metrics/rate-limit-status`, and the response headers.

use std::sync::Arc;

use axum::extract::State;
use axum::http::{HeaderMap, HeaderName, HeaderValue};
use quotient_foundation::routes;
use serde::Serialize;
use utoipa_axum::router::OpenApiRouter;

use super::{Allowance, LimitedRoute, UserLimits};
use crate::auth::{AdminReader, AdminWriter};
use crate::http::{HttpError, Json, ToSchema};
use crate::state::AppState;

const LIMIT: HeaderName = HeaderName::from_static("ratelimit-limit");
const REMAINING: HeaderName = HeaderName::from_static("ratelimit-remaining");
const RESET: HeaderName = HeaderName::from_static("ratelimit-reset");

pub(crate) fn router() -> OpenApiRouter<AppState> {
    OpenApiRouter::new().routes(routes!(show_limits, clear_limits))
}

/// Admits a call and returns the headers with the remaining allowance; 429 with the seconds to wait without one.
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

/// Whole seconds until the next token.
fn seconds(left: Allowance) -> u64 {
    u64::try_from(left.next_ms).unwrap_or(0).div_ceil(1_000)
}

/// A route's limit and its use by the caller.
#[derive(Debug, Serialize, ToSchema)]
struct RouteLimitView {
    #[schema(example = "GET /admin/metrics")]
    route: &'static str,
    /// Calls per minute and user. All of them may be made at once; they are refilled evenly over the minute.
    limit: u32,
    /// The caller's remaining calls.
    remaining: u32,
    /// Seconds until the caller has one more call; 0 if all remain.
    reset_s: u64,
    /// Admitted calls of all users since the statistics were cleared.
    accepted: u64,
    /// Refused calls of all users since the statistics were cleared.
    refused: u64,
}

/// The limits of all routes.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct LimitsResponse {
    /// Always true.
    success: bool,
    limits: Vec<RouteLimitView>,
}

/// Shows the limits per minute, the caller's remaining calls and the statistics.
#[crate::http::operation(get, path = "/admin/metrics/rate-limit-status", tag = "Admin metrics",
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

/// The result of an action.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct DoneResponse {
    /// Always true.
    pub(crate) success: bool,
    pub(crate) message: &'static str,
}

/// Clears the statistics, without refilling any user's calls.
#[crate::http::operation(delete, path = "/admin/metrics/rate-limit-status", tag = "Admin metrics",
    responses((status = 200, description = "The statistics are cleared", body = DoneResponse)))]
async fn clear_limits(
    _admin: AdminWriter,
    State(limits): State<Arc<UserLimits>>,
) -> Json<DoneResponse> {
    limits.clear_usage();
    Json(DoneResponse { success: true, message: "The figures of the rate limits were cleared" })
}
