//! The routes of `/admin/returns` before the items arrive.

use axum::extract::State;

use super::requests::{
    BeginReturnRequest, PutReturnItemsRequest, ReturnPreviewResponse, ReturnStepRequest,
    ReturnWithOrderResponse, with_order,
};
use super::step;
use crate::auth::AdminWriter;
use crate::database::Db;
use crate::http::{HttpError, Json, Path};
use crate::ids::ReturnId;
use crate::returns::steps::{self, Announced, NewReturn};

/// Opens a return for an order. Items are added next; then the return is requested.
#[crate::http::operation(post, path = "/admin/returns", tag = "Admin returns", request_body = BeginReturnRequest,
    responses((status = 200, description = "The return with its order", body = ReturnWithOrderResponse)))]
pub(super) async fn begin_return(
    admin: AdminWriter,
    State(db): State<Db>,
    Json(request): Json<BeginReturnRequest>,
) -> Result<Json<ReturnWithOrderResponse>, HttpError> {
    let BeginReturnRequest { order_id, location_id, no_notification, metadata } = request;
    let (order, r#return) = db
        .write(move |tx| {
            let new = NewReturn {
                order_id,
                location_id,
                no_notification,
                metadata: metadata.unwrap_or_default().create()?,
                actor_id: Some(admin.actor_id().to_owned()),
            };
            let id = steps::begin(tx, new)?;
            with_order(tx, &id)
        })
        .await?;
    Ok(Json(ReturnWithOrderResponse { order, r#return }))
}

/// Adds items to an open return. A line that it already has is replaced.
#[crate::http::operation(post, path = "/admin/returns/{id}/request-items", tag = "Admin returns",
    params(("id" = ReturnId, Path)), request_body = PutReturnItemsRequest,
    responses((status = 200, description = "The return with its order", body = ReturnPreviewResponse)))]
pub(super) async fn put_return_items(
    _admin: AdminWriter,
    State(db): State<Db>,
    Path(id): Path<ReturnId>,
    Json(request): Json<PutReturnItemsRequest>,
) -> Result<Json<ReturnPreviewResponse>, HttpError> {
    let items: Vec<Announced> = request.items.into_iter().map(Announced::from).collect();
    step(db, id, move |tx, id| steps::put_items(tx, id, &items)).await
}

/// Requests a return: its items are awaited from now on.
#[crate::http::operation(post, path = "/admin/returns/{id}/request", tag = "Admin returns",
    params(("id" = ReturnId, Path)), request_body = ReturnStepRequest,
    responses((status = 200, description = "The return with its order", body = ReturnPreviewResponse)))]
pub(super) async fn request_return(
    admin: AdminWriter,
    State(db): State<Db>,
    Path(id): Path<ReturnId>,
    Json(_request): Json<ReturnStepRequest>,
) -> Result<Json<ReturnPreviewResponse>, HttpError> {
    step(db, id, move |tx, id| steps::request(tx, id, Some(admin.actor_id()))).await
}
