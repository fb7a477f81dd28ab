//! The routes of conversions: `/admin/partner-conversions` and `/track/partners/conversion`.

mod admin;
mod report;

use utoipa_axum::router::OpenApiRouter;

use crate::state::AppState;

pub(crate) fn router() -> OpenApiRouter<AppState> {
    admin::router().merge(report::router())
}
