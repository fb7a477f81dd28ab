//! The storefront beside the sale: sites, banners, pages, bundles, reviews, visits and memberships.

use quotient_sales::state::AppState;
use utoipa_axum::router::OpenApiRouter;

/// All routes of this crate.
pub fn router() -> OpenApiRouter<AppState> {
    OpenApiRouter::new()
}
