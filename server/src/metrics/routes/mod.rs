//! `/admin/metrics…`, `/admin/metrics-registry…` and `/admin/reports…`.

mod audit;
mod catalog;
mod checks;
mod dashboards;
mod definition;
mod definitions;
mod placeholders;
mod registry;
mod templates;
mod computing;

use utoipa_axum::router::OpenApiRouter;

use crate::state::AppState;

/// Everything about metrics, for admins.
pub(super) fn router() -> OpenApiRouter<AppState> {
    OpenApiRouter::new()
        .merge(audit::router())
        .merge(catalog::router())
        .merge(dashboards::router())
        .merge(definitions::router())
        .merge(placeholders::router())
        .merge(registry::router())
        .merge(templates::router())
    OpenApiRouter::new().merge(computing::router())
}
