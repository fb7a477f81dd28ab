//! The routes of returns and return reasons.

mod admin;
mod reasons;
mod requests;

use quotient_foundation::routes;
use utoipa_axum::router::OpenApiRouter;

use self::requests::{ReturnPreviewResponse, ReturnStepRequest, with_order};
use super::view::ReturnView;
use super::{ReturnError, steps};
use crate::database::{Db, Tx};
use crate::http::{HttpError, Json, One};
use crate::ids::ReturnId;
use crate::resource::AdminRoutes;
use crate::state::AppState;

type ReturnResponse = One<ReturnView>;

pub fn router() -> OpenApiRouter<AppState> {
    AdminRoutes::<ReturnView, _>::at("/admin/returns", "Admin returns")
        .list()
        .show()
        .update_part_by(
            "/cancel",
            "cancel_return",
            "Cancel a return before any of its items are received",
            |_: ReturnStepRequest, tx, id, by| steps::cancel(tx, id, Some(by)),
        )
        .router()
        .routes(routes!(admin::begin_return))
        .routes(routes!(admin::put_return_items))
        .routes(routes!(admin::request_return))
        .routes(routes!(admin::begin_receipt, admin::cancel_receipt))
        .routes(routes!(admin::receive_items))
        .routes(routes!(admin::dismiss_items))
        .routes(routes!(admin::confirm_receipt))
        .merge(reasons::router())
}

/// Takes a step of a return, and responds with the resulting order.
async fn step(
    db: Db,
    id: ReturnId,
    take: impl FnOnce(&Tx<'_>, &ReturnId) -> Result<(), ReturnError> + Send + 'static,
) -> Result<Json<ReturnPreviewResponse>, HttpError> {
    let (order_preview, r#return) = db
        .write(move |tx| {
            take(tx, &id)?;
            with_order(tx, &id)
        })
        .await?;
    Ok(Json(ReturnPreviewResponse { order_preview, r#return }))
}
