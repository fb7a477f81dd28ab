//! `/admin/subscription-plans`, and the store's offers.

mod admin;
mod requests;
mod store;

use utoipa_axum::router::OpenApiRouter;

use crate::state::AppState;

pub fn router() -> OpenApiRouter<AppState> {
    admin::router().merge(store::router())
}
