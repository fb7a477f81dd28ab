//! `/admin/flows/{id}/simulate`, `backtest` and `submissions`, `/admin/flow-sessions`.

mod rehearse;
mod sessions;

use quotient_foundation::routes;
use utoipa_axum::router::OpenApiRouter;

use crate::state::AppState;

const TAG: &str = "Admin flows";

pub(crate) fn router() -> OpenApiRouter<AppState> {
    OpenApiRouter::new()
        .routes(routes!(rehearse::simulate_flow))
        .routes(routes!(rehearse::backtest_flow))
        .routes(routes!(sessions::list_flow_submissions))
        .routes(routes!(sessions::show_flow_session))
        .routes(routes!(sessions::erase_flow_session))
}
