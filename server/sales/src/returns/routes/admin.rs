//! The steps of `/admin/returns`.

use axum::extract::State;

use super::requests::{
    BeginReceiptRequest, BeginReturnRequest, PutReturnItemsRequest, ReturnPreviewResponse,
    ReturnStepRequest, ReturnWithOrderResponse, UnpackRequest, with_order,
};
use super::{ReturnResponse, step};
use crate::auth::AdminWriter;
use crate::database::Db;
use crate::http::{Answer, Fields, HttpError, Json, OneRequest, Path};
use crate::ids::ReturnId;
use crate::resource::View as _;
use crate::returns::steps::{self, Announced, NewReturn};
use crate::returns::view::ReturnView;

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

/// Adds items to an open return. A line that it already contains is replaced.
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

/// Starts unpacking a return. Unpacked pieces that are not confirmed are discarded.
#[crate::http::operation(post, path = "/admin/returns/{id}/receive", tag = "Admin returns",
    params(("id" = ReturnId, Path)), request_body = BeginReceiptRequest,
    responses((status = 200, description = "The return with its order", body = ReturnWithOrderResponse)))]
pub(super) async fn begin_receipt(
    _admin: AdminWriter,
    State(db): State<Db>,
    Path(id): Path<ReturnId>,
    Json(request): Json<BeginReceiptRequest>,
) -> Result<Json<ReturnWithOrderResponse>, HttpError> {
    let (order, r#return) = db
        .write(move |tx| {
            steps::begin_receipt(tx, &id, request.location_id)?;
            with_order(tx, &id)
        })
        .await?;
    Ok(Json(ReturnWithOrderResponse { order, r#return }))
}

/// Discards the unpacked pieces that are not confirmed.
#[crate::http::operation(delete, path = "/admin/returns/{id}/receive", tag = "Admin returns",
    params(("id" = ReturnId, Path), Fields<ReturnView>),
    responses((status = 200, description = "The return", body = ReturnResponse)))]
pub(super) async fn cancel_receipt(
    OneRequest { db, id, fields, .. }: OneRequest<AdminWriter, ReturnId, ReturnView>,
) -> Result<Answer, HttpError> {
    fields
        .write(db, move |tx, selection| {
            // To begin again discards what was unpacked.
            steps::begin_receipt(tx, &id, None)?;
            ReturnView::show(tx, &id, selection)
        })
        .await
}

/// Records undamaged pieces as unpacked; confirming the receipt receives them. Another request for the same line
/// replaces its quantity.
#[crate::http::operation(post, path = "/admin/returns/{id}/receive-items", tag = "Admin returns",
    params(("id" = ReturnId, Path)), request_body = UnpackRequest,
    responses((status = 200, description = "The return with its order", body = ReturnPreviewResponse)))]
pub(super) async fn receive_items(
    _admin: AdminWriter,
    State(db): State<Db>,
    Path(id): Path<ReturnId>,
    Json(request): Json<UnpackRequest>,
) -> Result<Json<ReturnPreviewResponse>, HttpError> {
    step(db, id, move |tx, id| steps::unpack(tx, id, &request.pieces(), false)).await
}

/// Records damaged pieces as unpacked; confirming the receipt dismisses them. They are not restocked, and nothing is
/// owed for them.
#[crate::http::operation(post, path = "/admin/returns/{id}/dismiss-items", tag = "Admin returns",
    params(("id" = ReturnId, Path)), request_body = UnpackRequest,
    responses((status = 200, description = "The return with its order", body = ReturnPreviewResponse)))]
pub(super) async fn dismiss_items(
    _admin: AdminWriter,
    State(db): State<Db>,
    Path(id): Path<ReturnId>,
    Json(request): Json<UnpackRequest>,
) -> Result<Json<ReturnPreviewResponse>, HttpError> {
    step(db, id, move |tx, id| steps::unpack(tx, id, &request.pieces(), true)).await
}

/// Confirms the unpacked pieces: undamaged ones are restocked, and the customer is owed the amount paid for them. The
/// refund itself is a separate request.
#[crate::http::operation(post, path = "/admin/returns/{id}/receive/confirm", tag = "Admin returns",
    params(("id" = ReturnId, Path)), request_body = ReturnStepRequest,
    responses((status = 200, description = "The return with its order", body = ReturnPreviewResponse)))]
pub(super) async fn confirm_receipt(
    admin: AdminWriter,
    State(db): State<Db>,
    Path(id): Path<ReturnId>,
    Json(_request): Json<ReturnStepRequest>,
) -> Result<Json<ReturnPreviewResponse>, HttpError> {
    step(db, id, move |tx, id| steps::confirm_receipt(tx, id, Some(admin.actor_id())).map(drop))
        .await
}
