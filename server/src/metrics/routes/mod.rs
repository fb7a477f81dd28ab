//! `/admin/metrics…`, `/admin/metrics-registry…` and `/admin/reports…`.

mod alert_requests;
mod alerts;
mod audit;

use utoipa_axum::router::OpenApiRouter;

use crate::state::AppState;

/// Everything about metrics, for admins.
pub(super) fn router() -> OpenApiRouter<AppState> {
    OpenApiRouter::new().merge(alerts::router()).merge(audit::router())
}
