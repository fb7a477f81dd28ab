//! `/admin/return-reasons`.

use axum::extract::State;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::auth::{AdminReader, AdminWriter};
use crate::database::listing::Listing;
use crate::database::{Db, Error};
use crate::http::{
    Answer, Fields, HttpError, Json, ListRequest, Listed, Patch, Path, Resource, Shape, Text,
};
use crate::ids::ReturnReasonId;
use crate::metadata::MetadataPatch;
use crate::returns::ReturnError;
use crate::returns::queries::reasons as queries;
use crate::returns::reason::{self, ReturnReason};

/// What can be answered of a return reason.
static RETURN_REASON: Shape = Shape {
    name: "return reason",
    defaults: &["id", "value", "label", "description", "metadata", "created_at", "updated_at"],
    extras: &[],
    computed: &[],
    relations: &[],
};

/// The reasons why goods come back.
#[derive(Debug)]
pub(super) struct ReturnReasons;

impl Resource for ReturnReasons {
    const SHAPE: &'static Shape = &RETURN_REASON;
}

impl Listed for ReturnReasons {
    const LISTING: &'static Listing = &queries::RETURN_REASONS;
}

/// A return reason.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct ReturnReasonResponse {
    /// The reason.
    return_reason: ReturnReason,
}

/// A page of return reasons.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct ReturnReasonListResponse {
    /// The page.
    return_reasons: Vec<ReturnReason>,
    /// How many there are on all pages.
    count: u64,
    /// How many came before.
    offset: u32,
    /// How many the page holds at most.
    limit: u32,
}

/// That a return reason is deleted.
#[derive(Debug, Serialize, ToSchema)]
#[schema(example = json!({ "id": "rr_01JD2Q8Z5M6T3W9XKCV4B7N0RE", "object": "return_reason", "deleted": true }))]
pub(super) struct ReturnReasonDeletedResponse {
    /// The reason.
    id: ReturnReasonId,
    /// Always `return_reason`.
    object: &'static str,
    /// Always true.
    deleted: bool,
}

/// A new return reason.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({ "value": "too_small", "label": "Too small" }))]
pub(super) struct CreateReturnReasonRequest {
    /// Its word for programs, which no other has.
    value: Text,
    /// Its words for people.
    label: Text,
    /// More about it.
    description: Option<Text<2000>>,
    /// The client's own data.
    metadata: Option<MetadataPatch>,
}

/// Changes of a return reason.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({ "label": "Too tight" }))]
pub(super) struct UpdateReturnReasonRequest {
    /// Its word for programs, which no other has.
    value: Option<Text>,
    /// Its words for people.
    label: Option<Text>,
    /// More about it.
    #[serde(default)]
    description: Patch<Text<2000>>,
    /// Keys to merge into the client's own data; an empty one is removed.
    metadata: Option<MetadataPatch>,
}

/// Lists the reasons why goods come back.
#[utoipa::path(get, path = "/admin/return-reasons", tag = "Admin return reasons",
    params(ListRequest<ReturnReasons>),
    responses((status = 200, description = "A page", body = ReturnReasonListResponse)))]
pub(super) async fn list_return_reasons(
    _admin: AdminReader,
    State(db): State<Db>,
    list: ListRequest<ReturnReasons>,
) -> Result<Answer, HttpError> {
    let query = list.query.clone();
    let (rows, count) = db.read::<_, Error>(move |tx| queries::page(tx, query)).await?;
    list.answer(&rows, count)
}

/// Makes a reason why goods come back.
#[utoipa::path(post, path = "/admin/return-reasons", tag = "Admin return reasons",
    params(Fields<ReturnReasons>), request_body = CreateReturnReasonRequest,
    responses((status = 200, description = "The reason", body = ReturnReasonResponse)))]
pub(super) async fn create_return_reason(
    _admin: AdminWriter,
    State(db): State<Db>,
    fields: Fields<ReturnReasons>,
    Json(request): Json<CreateReturnReasonRequest>,
) -> Result<Answer, HttpError> {
    let CreateReturnReasonRequest { value, label, description, metadata } = request;
    let made = db
        .write(move |tx| {
            let made = ReturnReason {
                id: ReturnReasonId::new(),
                value: value.into(),
                label: label.into(),
                description: description.map(String::from),
                metadata: metadata.unwrap_or_default().create()?,
                created_at: tx.now(),
                updated_at: tx.now(),
            };
            reason::put(tx, &made)?;
            Ok::<_, ReturnError>(made)
        })
        .await?;
    fields.selection.answer("return_reason", &made)
}

/// Shows a reason why goods come back.
#[utoipa::path(get, path = "/admin/return-reasons/{id}", tag = "Admin return reasons",
    params(("id" = ReturnReasonId, Path), Fields<ReturnReasons>),
    responses((status = 200, description = "The reason", body = ReturnReasonResponse)))]
pub(super) async fn show_return_reason(
    _admin: AdminReader,
    State(db): State<Db>,
    Path(id): Path<ReturnReasonId>,
    fields: Fields<ReturnReasons>,
) -> Result<Answer, HttpError> {
    let found = db.read(move |tx| reason::find(tx, &id)).await?;
    fields.selection.answer("return_reason", &found)
}

/// Changes a reason why goods come back.
#[utoipa::path(post, path = "/admin/return-reasons/{id}", tag = "Admin return reasons",
    params(("id" = ReturnReasonId, Path), Fields<ReturnReasons>), request_body = UpdateReturnReasonRequest,
    responses((status = 200, description = "The reason", body = ReturnReasonResponse)))]
pub(super) async fn update_return_reason(
    _admin: AdminWriter,
    State(db): State<Db>,
    Path(id): Path<ReturnReasonId>,
    fields: Fields<ReturnReasons>,
    Json(request): Json<UpdateReturnReasonRequest>,
) -> Result<Answer, HttpError> {
    let UpdateReturnReasonRequest { value, label, description, metadata } = request;
    let changed = db
        .write(move |tx| {
            let before = reason::find(tx, &id)?;
            let description = description.sent().map(|sent| sent.map(String::from));
            let changed = ReturnReason {
                value: value.map_or(before.value, String::from),
                label: label.map_or(before.label, String::from),
                description: description.unwrap_or(before.description),
                metadata: metadata.unwrap_or_default().merge(&before.metadata)?,
                updated_at: tx.now(),
                id: before.id,
                created_at: before.created_at,
            };
            reason::put(tx, &changed)?;
            Ok::<_, ReturnError>(changed)
        })
        .await?;
    fields.selection.answer("return_reason", &changed)
}

/// Deletes a reason why goods come back. Returns that name it keep it.
#[utoipa::path(delete, path = "/admin/return-reasons/{id}", tag = "Admin return reasons",
    params(("id" = ReturnReasonId, Path)),
    responses((status = 200, description = "It is deleted", body = ReturnReasonDeletedResponse)))]
pub(super) async fn delete_return_reason(
    _admin: AdminWriter,
    State(db): State<Db>,
    Path(id): Path<ReturnReasonId>,
) -> Result<Json<ReturnReasonDeletedResponse>, HttpError> {
    let deleted_id = id.clone();
    db.write(move |tx| reason::delete(tx, &deleted_id)).await?;
    Ok(Json(ReturnReasonDeletedResponse { id, object: "return_reason", deleted: true }))
}
