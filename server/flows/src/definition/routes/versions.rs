//! The versions of a flow: publish, list, roll back.

use axum::extract::State;
use serde::Serialize;
use utoipa::ToSchema;

use super::requests::{PublishRequest, RollBackRequest};
use super::{FlowResponse, TAG};
use crate::auth::{AdminReader, AdminWriter};
use crate::database::{Db, Table as _};
use crate::definition::flow::Flow;
use crate::definition::view::{FlowView, VersionView};
use crate::definition::{FlowError, queries, write};
use crate::http::{Answer, Fields, HttpError, Json, Path};
use crate::ids::FlowId;
use crate::resource::View as _;

/// The versions of a flow, newest first.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct FlowVersionsResponse {
    versions: Vec<VersionView>,
    count: usize,
}

/// Publish a flow's draft
///
/// It becomes the next version. Shoppers who are half way stay in the version that they began with.
#[utoipa::path(post, path = "/admin/flows/{id}/publish", tag = TAG,
    params(("id" = FlowId, Path, description = "The flow"), Fields<FlowView>),
    request_body = PublishRequest,
    responses((status = 200, description = "The flow", body = FlowResponse),
              (status = 422, description = "Everything that is wrong with the draft")))]
pub(super) async fn publish_flow(
    admin: AdminWriter,
    State(db): State<Db>,
    Path(id): Path<FlowId>,
    fields: Fields<FlowView>,
    Json(request): Json<PublishRequest>,
) -> Result<Answer, HttpError> {
    fields
        .write(db, move |tx, selection| {
            let note = request.note.map(Into::into);
            write::publish(tx, &id, (note, admin.actor_id()))?;
            FlowView::show(tx, &id, selection)
        })
        .await
}

/// List a flow's versions
#[utoipa::path(get, path = "/admin/flows/{id}/versions", tag = TAG,
    params(("id" = FlowId, Path, description = "The flow")),
    responses((status = 200, description = "The versions, newest first, at most 200", body = FlowVersionsResponse)))]
pub(super) async fn list_flow_versions(
    _admin: AdminReader,
    State(db): State<Db>,
    Path(id): Path<FlowId>,
) -> Result<Json<FlowVersionsResponse>, HttpError> {
    let versions = db
        .read(move |tx| {
            Flow::require::<FlowError>(tx, &id)?;
            Ok::<_, FlowError>(queries::versions(tx, &id)?)
        })
        .await?;
    let versions: Vec<VersionView> = versions.into_iter().map(Into::into).collect();
    let count = versions.len();
    Ok(Json(FlowVersionsResponse { versions, count }))
}

/// Roll a flow back
///
/// Publishes an earlier version again, as a new one. The draft stays as it is.
#[utoipa::path(post, path = "/admin/flows/{id}/rollback", tag = TAG,
    params(("id" = FlowId, Path, description = "The flow"), Fields<FlowView>),
    request_body = RollBackRequest,
    responses((status = 200, description = "The flow", body = FlowResponse),
              (status = 422, description = "Why the version cannot be published any more")))]
pub(super) async fn roll_back_flow(
    admin: AdminWriter,
    State(db): State<Db>,
    Path(id): Path<FlowId>,
    fields: Fields<FlowView>,
    Json(request): Json<RollBackRequest>,
) -> Result<Answer, HttpError> {
    fields
        .write(db, move |tx, selection| {
            write::roll_back(tx, &id, (request.version, admin.actor_id()))?;
            FlowView::show(tx, &id, selection)
        })
        .await
}
