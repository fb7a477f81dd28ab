//! `/admin/metrics…`, `/admin/metrics-registry…` and `/admin/reports…`.

mod alert_requests;
mod alerts;
mod audit;
mod books;
mod catalog;
mod checks;
mod computing;
mod dashboards;
mod definition;
mod definitions;
mod failures;
mod parts;
mod placeholders;
mod ranged;
mod registry;
mod reports;
mod templates;

use utoipa_axum::router::OpenApiRouter;

use crate::state::AppState;

/// Everything about metrics, for admins.
pub(super) fn router() -> OpenApiRouter<AppState> {
    OpenApiRouter::new()
        .merge(alerts::router())
        .merge(audit::router())
        .merge(books::router())
        .merge(catalog::router())
        .merge(computing::router())
        .merge(dashboards::router())
        .merge(definitions::router())
        .merge(placeholders::router())
        .merge(registry::router())
        .merge(reports::router())
        .merge(templates::router())
}
