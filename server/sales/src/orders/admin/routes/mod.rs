//! `/admin/orders`, and the routes that move the money of orders.

mod collections;
mod drafts;
mod list;
mod parts;
mod payments;
mod requests;
mod steps;

pub use drafts::DraftOrderResponse;

use quotient_foundation::routes;
use utoipa_axum::router::OpenApiRouter;

use crate::state::AppState;

pub fn router() -> OpenApiRouter<AppState> {
    OpenApiRouter::<AppState>::new().merge(orders()).merge(drafts()).merge(money())
}

fn drafts() -> OpenApiRouter<AppState> {
    OpenApiRouter::<AppState>::new().routes(routes!(drafts::list_draft_orders)).routes(routes!(
        drafts::show_draft_order,
        drafts::update_draft_order,
        drafts::delete_draft_order
    ))
}

fn money() -> OpenApiRouter<AppState> {
    OpenApiRouter::<AppState>::new()
        .routes(routes!(payments::capture_payment))
        .routes(routes!(payments::refund_payment))
        .routes(routes!(collections::create_order_payment_collection))
        .routes(routes!(collections::mark_collection_as_paid))
}

fn orders() -> OpenApiRouter<AppState> {
    OpenApiRouter::<AppState>::new()
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
