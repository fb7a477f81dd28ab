//! `/admin/orders`.

mod list;
mod parts;
mod requests;
mod steps;

use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::state::AppState;

/// Orders for admins.
pub(crate) fn router() -> OpenApiRouter<AppState> {
    OpenApiRouter::new()
        .routes(routes!(list::list_admin_orders))
        .routes(routes!(list::show_admin_order, list::update_order, list::delete_order))
        .routes(routes!(steps::cancel_order))
        .routes(routes!(steps::complete_order))
        .routes(routes!(steps::archive_order))
        .routes(routes!(steps::transfer_order))
        .routes(routes!(parts::list_order_changes))
        .routes(routes!(parts::list_order_items))
        .routes(routes!(parts::preview_order))
        .routes(routes!(parts::list_order_shipping_options))
        .routes(routes!(parts::create_order_credit_line))
}
