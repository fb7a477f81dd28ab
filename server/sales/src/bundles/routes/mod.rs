//! `/admin/bundle-products` and `/store/bundle-products/:id`.

mod admin;
mod store;

use utoipa_axum::router::OpenApiRouter;

use crate::state::AppState;

pub fn router() -> OpenApiRouter<AppState> {
    admin::router().merge(store::router())
}
