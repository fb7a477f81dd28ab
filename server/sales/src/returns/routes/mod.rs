//! The routes of returns and return reasons.

mod admin;
mod reasons;
mod receipt;
mod requests;

use quotient_foundation::routes;
use utoipa_axum::router::OpenApiRouter;

use crate::http::One;
use crate::resource::AdminRoutes;
use crate::returns::view::ReturnView;
use crate::state::AppState;

type ReturnResponse = One<ReturnView>;

pub fn router() -> OpenApiRouter<AppState> {
    AdminRoutes::<ReturnView, _>::at("/admin/returns", "Admin returns")
        .list()
        .show()
        .router()
        .routes(routes!(admin::begin_return))
        .routes(routes!(admin::put_return_items))
        .routes(routes!(admin::request_return))
        .routes(routes!(admin::cancel_return))
        .merge(receipts())
        .merge(reasons::router())
}

/// The routes for arriving items.
fn receipts() -> OpenApiRouter<AppState> {
    OpenApiRouter::new()
        .routes(routes!(receipt::begin_receipt, receipt::cancel_receipt))
        .routes(routes!(receipt::receive_items))
        .routes(routes!(receipt::dismiss_items))
        .routes(routes!(receipt::confirm_receipt))
}
