//! `/admin/metrics…`, `/admin/metrics-registry…` and `/admin/reports…`.

mod catalog;
mod checks;
mod definition;
mod definitions;
mod placeholders;
mod registry;
mod templates;
mod audit;

use utoipa_axum::router::OpenApiRouter;

use crate::state::AppState;

/// Everything about metrics, for admins.
pub(super) fn router() -> OpenApiRouter<AppState> {
    OpenApiRouter::new()
        .merge(registry::router())
        .merge(catalog::router())
        .merge(definitions::router())
        .merge(placeholders::router())
        .merge(templates::router())
    OpenApiRouter::new().merge(audit::router())
}
