//! `/admin/reservations`.

use axum::extract::State;
use serde::Serialize;
use utoipa::ToSchema;

use super::requests::{CreateReservationRequest, UpdateReservationRequest};
use super::shape::AdminReservations;
use super::views::{ReservationView, load_reservations};
use crate::auth::{AdminReader, AdminWriter};
use crate::database::{Db, Tx};
use crate::http::{Answer, Fields, HttpError, Json, ListRequest, Path, Selection};
use crate::ids::ReservationId;
use crate::inventory::{InventoryError, queries, reservation};

/// A reservation.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct ReservationResponse {
    /// The reservation.
    reservation: ReservationView,
}

/// A page of reservations.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct ReservationListResponse {
    /// The page.
    reservations: Vec<ReservationView>,
    /// How many there are on all pages.
    count: u64,
    /// How many came before.
    offset: u32,
    /// How many the page holds at most.
    limit: u32,
}

/// That a reservation is deleted.
#[derive(Debug, Serialize, ToSchema)]
#[schema(example = json!({ "id": "resitem_01JD2Q8Z5M6T3W9XKCV4B7N0RE", "object": "reservation", "deleted": true }))]
pub(super) struct ReservationDeletedResponse {
    /// The reservation.
    id: ReservationId,
    /// Always `reservation`.
    object: &'static str,
    /// Always true.
    deleted: bool,
}

/// Lists reservations.
#[utoipa::path(get, path = "/admin/reservations", tag = "Admin inventory", params(ListRequest<AdminReservations>),
    responses((status = 200, description = "A page", body = ReservationListResponse)))]
pub(super) async fn list_reservations(
    _admin: AdminReader,
    State(db): State<Db>,
    list: ListRequest<AdminReservations>,
) -> Result<Answer, HttpError> {
    let (query, selection) = (list.query.clone(), list.selection.clone());
    let (views, count) = db
        .read(move |tx| {
            let (rows, count) = queries::admin_reservations::page(tx, query)?;
            Ok::<_, InventoryError>((load_reservations(tx, rows, &selection)?, count))
        })
        .await?;
    list.answer(&views, count)
}

/// Makes a reservation.
#[utoipa::path(post, path = "/admin/reservations", tag = "Admin inventory", params(Fields<AdminReservations>),
    request_body = CreateReservationRequest,
    responses((status = 200, description = "The reservation", body = ReservationResponse)))]
pub(super) async fn create_reservation(
    admin: AdminWriter,
    State(db): State<Db>,
    fields: Fields<AdminReservations>,
    Json(request): Json<CreateReservationRequest>,
) -> Result<Answer, HttpError> {
    let selection = fields.selection.clone();
    let view = db
        .write(move |tx| {
            let id = request.create(tx, admin.actor_id())?;
            one(tx, &id, &selection)
        })
        .await?;
    fields.selection.answer("reservation", &view)
}

/// Shows a reservation.
#[utoipa::path(get, path = "/admin/reservations/{id}", tag = "Admin inventory",
    params(("id" = ReservationId, Path), Fields<AdminReservations>),
    responses((status = 200, description = "The reservation", body = ReservationResponse)))]
pub(super) async fn show_reservation(
    _admin: AdminReader,
    State(db): State<Db>,
    Path(id): Path<ReservationId>,
    fields: Fields<AdminReservations>,
) -> Result<Answer, HttpError> {
    let selection = fields.selection.clone();
    let view = db.read(move |tx| one(tx, &id, &selection)).await?;
    fields.selection.answer("reservation", &view)
}

/// Changes a reservation.
#[utoipa::path(post, path = "/admin/reservations/{id}", tag = "Admin inventory",
    params(("id" = ReservationId, Path), Fields<AdminReservations>), request_body = UpdateReservationRequest,
    responses((status = 200, description = "The reservation", body = ReservationResponse)))]
pub(super) async fn update_reservation(
    _admin: AdminWriter,
    State(db): State<Db>,
    Path(id): Path<ReservationId>,
    fields: Fields<AdminReservations>,
    Json(request): Json<UpdateReservationRequest>,
) -> Result<Answer, HttpError> {
    let selection = fields.selection.clone();
    let view = db
        .write(move |tx| {
            request.apply(tx, &id)?;
            one(tx, &id, &selection)
        })
        .await?;
    fields.selection.answer("reservation", &view)
}

/// Deletes a reservation. Its pieces can be sold again.
#[utoipa::path(delete, path = "/admin/reservations/{id}", tag = "Admin inventory", params(("id" = ReservationId, Path)),
    responses((status = 200, description = "It is deleted", body = ReservationDeletedResponse)))]
pub(super) async fn delete_reservation(
    _admin: AdminWriter,
    State(db): State<Db>,
    Path(id): Path<ReservationId>,
) -> Result<Json<ReservationDeletedResponse>, HttpError> {
    let deleted_id = id.clone();
    db.write(move |tx| reservation::delete(tx, &deleted_id)).await?;
    Ok(Json(ReservationDeletedResponse { id, object: "reservation", deleted: true }))
}

/// One reservation with what is asked for.
pub(super) fn one(
    tx: &Tx<'_>,
    id: &ReservationId,
    selection: &Selection,
) -> Result<ReservationView, InventoryError> {
    let views = load_reservations(tx, vec![reservation::find(tx, id)?], selection)?;
    views.into_iter().next().ok_or_else(|| InventoryError::not_found("Reservation", id))
}
