//! A partner's own statement: `/partners/me`. It never says who has bought, what, or for how much.

mod queries;
mod routes;
mod view;

use utoipa_axum::router::OpenApiRouter;

use crate::state::AppState;

/// The routes of `/partners/me`.
pub(crate) fn router() -> OpenApiRouter<AppState> {
    routes::router()
}
