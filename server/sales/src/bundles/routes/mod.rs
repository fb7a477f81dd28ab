//! `/admin/bundle-products` and `/store/bundle-products/:id`.

mod admin;
mod store;

use utoipa_axum::router::OpenApiRouter;

use crate::state::AppState;

/// The admin routes of bundles, and the store's.
pub fn router() -> OpenApiRouter<AppState> {
    admin::router().merge(store::router())
}
