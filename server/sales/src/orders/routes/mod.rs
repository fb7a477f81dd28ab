//! The routes of orders.

mod store;
mod viewer;

use utoipa_axum::router::OpenApiRouter;

use crate::state::AppState;

pub(super) fn router() -> OpenApiRouter<AppState> {
    store::router()
}
