//! `/admin/reports…` and `/admin/metrics/reports…`.

pub(crate) mod custom;
mod financial_reports;

use utoipa_axum::router::OpenApiRouter;

use crate::state::AppState;

pub(crate) fn router() -> OpenApiRouter<AppState> {
    OpenApiRouter::new().merge(custom::router()).merge(financial_reports::router())
}
