//! `/admin/subscription-plans`, and the store's offers.

mod admin;
mod requests;
mod store;

use utoipa_axum::router::OpenApiRouter;

use crate::state::AppState;

/// The admin routes of plans, and the store's route of offers.
pub fn router() -> OpenApiRouter<AppState> {
    admin::router().merge(store::router())
}
