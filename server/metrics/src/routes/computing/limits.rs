//! How often each user may ask: `/admin/metrics/rate-limit-status`, and the headers that tell.

use axum::extract::State;
use axum::http::{HeaderMap, HeaderName, HeaderValue};
use serde::Serialize;
use utoipa::ToSchema;

use super::Desk;
use crate::Workbench;
use crate::auth::{AdminReader, AdminWriter};
use crate::http::{HttpError, Json};
use crate::workbench::{Allowance, Limited};

const LIMIT: HeaderName = HeaderName::from_static("ratelimit-limit");
const REMAINING: HeaderName = HeaderName::from_static("ratelimit-remaining");
const RESET: HeaderName = HeaderName::from_static("ratelimit-reset");

/// Lets a call through and gives the headers that tell what is left.
///
/// # Errors
/// 429 with the seconds to wait.
pub(in crate::routes) fn admit(
    workbench: &Workbench,
    limited: Limited,
    user: &str,
) -> Result<HeaderMap, HttpError> {
    match workbench.windows.take(limited, user) {
        Ok(left) => Ok(headers(left).into_iter().collect()),
        Err(left) => {
            let refusal = HttpError::rate_limited(seconds(left));
            let told = headers(left).into_iter();
            Err(told.fold(refusal, |refusal, (name, value)| refusal.with_header(name, value)))
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
pub(super) struct LimitsResponse {
    /// Always true.
    success: bool,
    /// By route.
    limits: Vec<RouteLimitView>,
}

/// Shows the limits a minute, what is left to the caller, and how they were met.
#[utoipa::path(get, path = "/admin/metrics/rate-limit-status", tag = "Admin metrics",
    responses((status = 200, description = "The limits", body = LimitsResponse)))]
pub(super) async fn show_limits(
    admin: AdminReader,
    State(desk): State<Desk>,
) -> Json<LimitsResponse> {
    let windows = &desk.workbench.windows;
    let limits = Limited::ALL.map(|limited| {
        let (left, usage) = (windows.left(limited, admin.actor_id()), windows.usage(limited));
        RouteLimitView {
            route: limited.route(),
            limit: left.limit,
            remaining: left.remaining,
            reset_s: seconds(left),
            accepted: usage.accepted,
            refused: usage.refused,
        }
    });
    Json(LimitsResponse { success: true, limits: limits.into() })
}

/// That something was done.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct DoneResponse {
    /// Always true.
    pub(super) success: bool,
    /// A sentence for people.
    pub(super) message: &'static str,
}

/// Clears the figures. Calls of the last minute count as before.
#[utoipa::path(delete, path = "/admin/metrics/rate-limit-status", tag = "Admin metrics",
    responses((status = 200, description = "They are cleared", body = DoneResponse)))]
pub(super) async fn clear_limits(
    _admin: AdminWriter,
    State(desk): State<Desk>,
) -> Json<DoneResponse> {
    desk.workbench.windows.clear_usage();
    Json(DoneResponse { success: true, message: "The figures of the rate limits were cleared" })
}
