//! Partners: clicks, attributed conversions, commissions as a ledger, and payouts.

use quotient_sales::state::AppState;
use utoipa_axum::router::OpenApiRouter;

/// All routes of this crate.
pub fn router() -> OpenApiRouter<AppState> {
    OpenApiRouter::new()
}
