//! `/admin/orders`, and the routes that move the money of orders.

mod drafts;
mod orders;
mod parts;
mod payments;

pub use drafts::DraftOrderResponse;

use quotient_foundation::routes;
use utoipa_axum::router::OpenApiRouter;

use crate::auth::AdminWriter;
use crate::database::Tx;
use crate::http::{Answer, HttpError, OneRequest};
use crate::ids::OrderId;
use crate::orders::OrderError;
use crate::orders::admin::order_view;
use crate::orders::view::OrderView;
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
        .routes(routes!(payments::create_order_payment_collection))
        .routes(routes!(payments::mark_collection_as_paid))
}

fn orders() -> OpenApiRouter<AppState> {
    OpenApiRouter::<AppState>::new()
        .routes(routes!(orders::list_admin_orders))
        .routes(routes!(orders::show_admin_order, orders::update_order, orders::delete_order))
        .routes(routes!(orders::cancel_order))
        .routes(routes!(orders::complete_order))
        .routes(routes!(orders::archive_order))
        .routes(routes!(orders::transfer_order))
        .routes(routes!(parts::list_order_changes))
        .routes(routes!(parts::list_order_items))
        .routes(routes!(parts::preview_order))
        .routes(routes!(parts::list_order_shipping_options))
        .routes(routes!(parts::create_order_credit_line))
}

type OrderToChange = OneRequest<AdminWriter, OrderId, OrderView>;

/// Changes an order on behalf of the admin, and returns it.
async fn change(
    order: OrderToChange,
    work: impl FnOnce(&Tx<'_>, &OrderId, &str) -> Result<(), OrderError> + Send + 'static,
) -> Result<Answer, HttpError> {
    let OneRequest { caller: admin, db, id, fields } = order;
    fields
        .write(db, move |tx, selection| {
            work(tx, &id, admin.actor_id())?;
            order_view(tx, &id, selection)
        })
        .await
}
