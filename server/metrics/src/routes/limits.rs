//! Rate limits of users: `/admin/metrics/rate-limit-status`, and the response headers.

use std::sync::Arc;

use axum::extract::State;
use quotient_foundation::routes;
use serde::Serialize;
use utoipa_axum::router::OpenApiRouter;

use crate::auth::{AdminReader, AdminWriter};
use crate::http::{Json, ToSchema};
use crate::middleware::{Bucket, RateLimits};
use crate::state::AppState;

/// The routes with a limit of calls per user and minute.
const LIMITED: [(&str, Bucket); 4] = [
    ("GET /admin/metrics", Bucket::Values),
    ("POST /admin/metrics", Bucket::Snapshots),
    ("POST /admin/metrics/batch", Bucket::Batches),
    ("POST /admin/metrics/catalog/validate", Bucket::CatalogValidate),
];

pub(crate) fn router() -> OpenApiRouter<AppState> {
    OpenApiRouter::new().routes(routes!(show_limits, clear_limits))
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
    State(rates): State<Arc<RateLimits>>,
) -> Json<LimitsResponse> {
    let views = LIMITED.map(|(route, bucket)| {
        let (left, usage) = (rates.left(bucket, admin.actor_id()), rates.usage(bucket));
        RouteLimitView {
            route,
            limit: left.limit,
            remaining: left.remaining,
            reset_s: left.reset_s(),
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
    State(rates): State<Arc<RateLimits>>,
) -> Json<DoneResponse> {
    rates.clear_usage();
    Json(DoneResponse { success: true, message: "The figures of the rate limits were cleared" })
}
