//! Partners, each with a token that shows their own statement.

mod partner;
mod routes;

pub use partner::{Partner, PartnerStatus};

use utoipa_axum::router::OpenApiRouter;

use crate::state::AppState;

/// The routes of `/admin/partners`.
pub(crate) fn router() -> OpenApiRouter<AppState> {
    routes::router()
}
