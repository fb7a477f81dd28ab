//! The routes of orders.

mod store;

use utoipa_axum::router::OpenApiRouter;

use crate::state::AppState;

/// All of them.
pub(super) fn router() -> OpenApiRouter<AppState> {
    store::router()
}
