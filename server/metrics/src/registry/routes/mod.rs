//! `/admin/metrics-registry…`, `/admin/metrics/catalog…`, `…/definitions`, `…/placeholders`, `…/complete`, `…/templates`, `…/uses` and `…/audit`.

mod audit;
mod catalog;
mod check_limits;
mod completion;
mod definition;
mod metrics_registry;
mod placeholders;
mod templates;
mod uses;

use utoipa_axum::router::OpenApiRouter;

use crate::state::AppState;

pub(crate) fn router() -> OpenApiRouter<AppState> {
    OpenApiRouter::new()
        .merge(audit::router())
        .merge(catalog::router())
        .merge(completion::router())
        .merge(placeholders::router())
        .merge(metrics_registry::router())
        .merge(templates::router())
        .merge(uses::router())
}
