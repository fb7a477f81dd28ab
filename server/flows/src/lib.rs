//! Flows: versioned funnels of offers and questions, whose branches are formulas.

use quotient_sales::state::AppState;
use utoipa_axum::router::OpenApiRouter;

/// All routes of this crate.
pub fn router() -> OpenApiRouter<AppState> {
    OpenApiRouter::new()
}
