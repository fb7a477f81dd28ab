//! `/admin/refund-reasons`.

use axum::extract::State;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::auth::{AdminReader, AdminWriter};
use crate::database::listing::Listing;
use crate::database::{Db, Error};
use crate::http::{
    Answer, Fields, HttpError, Json, ListRequest, Listed, Patch, Path, Resource, Shape, Text,
};
use crate::ids::RefundReasonId;
use crate::metadata::MetadataPatch;
use crate::payments::PaymentError;
use crate::payments::queries::admin_refund_reasons as queries;
use crate::payments::refund_reason::{self as reason, RefundReason};

/// What can be answered of a refund reason.
static REFUND_REASON: Shape = Shape {
    name: "refund reason",
    defaults: &["id", "label", "code", "description", "metadata", "created_at", "updated_at"],
    extras: &[],
    computed: &[],
    relations: &[],
};

/// The reasons why money goes back.
#[derive(Debug)]
pub(super) struct RefundReasons;

impl Resource for RefundReasons {
    const SHAPE: &'static Shape = &REFUND_REASON;
}

impl Listed for RefundReasons {
    const LISTING: &'static Listing = &queries::REFUND_REASONS;
}

/// A refund reason.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct RefundReasonResponse {
    /// The reason.
    refund_reason: RefundReason,
}

/// A page of refund reasons.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct RefundReasonListResponse {
    /// The page.
    refund_reasons: Vec<RefundReason>,
    /// How many there are on all pages.
    count: u64,
    /// How many came before.
    offset: u32,
    /// How many the page holds at most.
    limit: u32,
}

/// That a refund reason is deleted.
#[derive(Debug, Serialize, ToSchema)]
#[schema(example = json!({ "id": "refr_01JD2Q8Z5M6T3W9XKCV4B7N0RE", "object": "refund_reason", "deleted": true }))]
pub(super) struct RefundReasonDeletedResponse {
    /// The reason.
    id: RefundReasonId,
    /// Always `refund_reason`.
    object: &'static str,
    /// Always true.
    deleted: bool,
}

/// A new refund reason.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({ "label": "Arrived late", "code": "arrived_late" }))]
pub(super) struct CreateRefundReasonRequest {
    /// Its words for people.
    label: Text,
    /// Its word for programs, which no other has; made from the label by default.
    code: Option<Text>,
    /// More about it.
    description: Option<Text<2000>>,
    /// The client's own data.
    metadata: Option<MetadataPatch>,
}

/// Changes of a refund reason.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({ "label": "Arrived too late" }))]
pub(super) struct UpdateRefundReasonRequest {
    /// Its words for people.
    label: Option<Text>,
    /// Its word for programs, which no other has.
    code: Option<Text>,
    /// More about it.
    #[serde(default)]
    description: Patch<Text<2000>>,
    /// Keys to merge into the client's own data; an empty one is removed.
    metadata: Option<MetadataPatch>,
}

/// Lists the reasons why money goes back.
#[utoipa::path(get, path = "/admin/refund-reasons", tag = "Admin refund reasons",
    params(ListRequest<RefundReasons>),
    responses((status = 200, description = "A page", body = RefundReasonListResponse)))]
pub(super) async fn list_refund_reasons(
    _admin: AdminReader,
    State(db): State<Db>,
    list: ListRequest<RefundReasons>,
) -> Result<Answer, HttpError> {
    let query = list.query.clone();
    let (rows, count) = db.read::<_, Error>(move |tx| queries::page(tx, query)).await?;
    list.answer(&rows, count)
}

/// Makes a reason why money goes back.
#[utoipa::path(post, path = "/admin/refund-reasons", tag = "Admin refund reasons",
    params(Fields<RefundReasons>), request_body = CreateRefundReasonRequest,
    responses((status = 200, description = "The reason", body = RefundReasonResponse)))]
pub(super) async fn create_refund_reason(
    _admin: AdminWriter,
    State(db): State<Db>,
    fields: Fields<RefundReasons>,
    Json(request): Json<CreateRefundReasonRequest>,
) -> Result<Answer, HttpError> {
    let CreateRefundReasonRequest { label, code, description, metadata } = request;
    let made = db
        .write(move |tx| {
            let made = RefundReason {
                id: RefundReasonId::new(),
                code: code.map_or_else(|| reason::code_of(label.as_str()), String::from),
                label: label.into(),
                description: description.map(String::from),
                metadata: metadata.unwrap_or_default().create()?,
                created_at: tx.now(),
                updated_at: tx.now(),
            };
            reason::put(tx, &made)?;
            Ok::<_, PaymentError>(made)
        })
        .await?;
    fields.selection.answer("refund_reason", &made)
}

/// Shows a reason why money goes back.
#[utoipa::path(get, path = "/admin/refund-reasons/{id}", tag = "Admin refund reasons",
    params(("id" = RefundReasonId, Path), Fields<RefundReasons>),
    responses((status = 200, description = "The reason", body = RefundReasonResponse)))]
pub(super) async fn show_refund_reason(
    _admin: AdminReader,
    State(db): State<Db>,
    Path(id): Path<RefundReasonId>,
    fields: Fields<RefundReasons>,
) -> Result<Answer, HttpError> {
    let found = db.read(move |tx| reason::find(tx, &id)).await?;
    fields.selection.answer("refund_reason", &found)
}

/// Changes a reason why money goes back.
#[utoipa::path(post, path = "/admin/refund-reasons/{id}", tag = "Admin refund reasons",
    params(("id" = RefundReasonId, Path), Fields<RefundReasons>), request_body = UpdateRefundReasonRequest,
    responses((status = 200, description = "The reason", body = RefundReasonResponse)))]
pub(super) async fn update_refund_reason(
    _admin: AdminWriter,
    State(db): State<Db>,
    Path(id): Path<RefundReasonId>,
    fields: Fields<RefundReasons>,
    Json(request): Json<UpdateRefundReasonRequest>,
) -> Result<Answer, HttpError> {
    let UpdateRefundReasonRequest { label, code, description, metadata } = request;
    let changed = db
        .write(move |tx| {
            let before = reason::find(tx, &id)?;
            let description = description.sent().map(|sent| sent.map(String::from));
            let changed = RefundReason {
                label: label.map_or(before.label, String::from),
                code: code.map_or(before.code, String::from),
                description: description.unwrap_or(before.description),
                metadata: metadata.unwrap_or_default().merge(&before.metadata)?,
                updated_at: tx.now(),
                id: before.id,
                created_at: before.created_at,
            };
            reason::put(tx, &changed)?;
            Ok::<_, PaymentError>(changed)
        })
        .await?;
    fields.selection.answer("refund_reason", &changed)
}

/// Deletes a reason why money goes back. Refunds that name it keep it.
#[utoipa::path(delete, path = "/admin/refund-reasons/{id}", tag = "Admin refund reasons",
    params(("id" = RefundReasonId, Path)),
    responses((status = 200, description = "It is deleted", body = RefundReasonDeletedResponse)))]
pub(super) async fn delete_refund_reason(
    _admin: AdminWriter,
    State(db): State<Db>,
    Path(id): Path<RefundReasonId>,
) -> Result<Json<RefundReasonDeletedResponse>, HttpError> {
    let deleted_id = id.clone();
    db.write(move |tx| reason::delete(tx, &deleted_id)).await?;
    Ok(Json(RefundReasonDeletedResponse { id, object: "refund_reason", deleted: true }))
}
