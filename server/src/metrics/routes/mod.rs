//! `/admin/metrics…`, `/admin/metrics-registry…` and `/admin/reports…`.

mod books;
mod dashboards;
mod ranged;
mod reports;

use utoipa_axum::router::OpenApiRouter;

use crate::state::AppState;

/// Everything about metrics, for admins.
pub(super) fn router() -> OpenApiRouter<AppState> {
    OpenApiRouter::new().merge(dashboards::router()).merge(reports::router()).merge(books::router())
}
