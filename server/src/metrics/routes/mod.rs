//! `/admin/metrics…`, `/admin/metrics-registry…` and `/admin/reports…`.

mod computing;

use utoipa_axum::router::OpenApiRouter;

use crate::state::AppState;

/// Everything about metrics, for admins.
pub(super) fn router() -> OpenApiRouter<AppState> {
    OpenApiRouter::new().merge(computing::router())
}
