//! The versions of a flow: publish, list, roll back.

use axum::extract::State;

use super::requests::{PublishRequest, RollBackRequest};
use super::{FlowResponse, TAG};
use crate::auth::{AdminReader, AdminWriter};
use crate::database::{Db, Listable as _, Table as _};
use crate::definition::flow::{Flow, Version};
use crate::definition::{FlowError, write};
use crate::http::{Answer, Fields, HttpError, Json, ListRequest, Page, Path};
use crate::ids::FlowId;
use crate::resource::View as _;

type FlowVersionListResponse = Page<Version>;

/// Publish a flow's draft
///
/// It becomes the next version. Shoppers who are half way stay in the version that they began with.
#[utoipa::path(post, path = "/admin/flows/{id}/publish", tag = TAG,
    params(("id" = FlowId, Path, description = "The flow"), Fields<Flow>),
    request_body = PublishRequest,
    responses((status = 200, description = "The flow", body = FlowResponse),
              (status = 422, description = "Everything that is wrong with the draft")))]
pub(super) async fn publish_flow(
    admin: AdminWriter,
    State(db): State<Db>,
    Path(id): Path<FlowId>,
    fields: Fields<Flow>,
    Json(request): Json<PublishRequest>,
) -> Result<Answer, HttpError> {
    fields
        .write(db, move |tx, selection| {
            let note = request.note.map(Into::into);
            write::publish(tx, &id, (note, admin.actor_id()))?;
            Flow::show(tx, &id, selection)
        })
        .await
}

/// List a flow's versions
#[utoipa::path(get, path = "/admin/flows/{id}/versions", tag = TAG,
    params(("id" = FlowId, Path, description = "The flow"), ListRequest<Version>),
    responses((status = 200, description = "A page, by default the newest first", body = FlowVersionListResponse)))]
pub(super) async fn list_flow_versions(
    _admin: AdminReader,
    State(db): State<Db>,
    Path(id): Path<FlowId>,
    list: ListRequest<Version>,
) -> Result<Answer, HttpError> {
    list.read(db, move |tx, query, _| {
        Flow::require::<FlowError>(tx, &id)?;
        let query = query.narrow("v.flow_id = ?", [id.as_str().to_owned().into()]);
        Ok::<_, FlowError>(Version::page(tx, query)?)
    })
    .await
}

/// Roll a flow back
///
/// Publishes an earlier version again, as a new one. The draft stays as it is.
#[utoipa::path(post, path = "/admin/flows/{id}/rollback", tag = TAG,
    params(("id" = FlowId, Path, description = "The flow"), Fields<Flow>),
    request_body = RollBackRequest,
    responses((status = 200, description = "The flow", body = FlowResponse),
              (status = 422, description = "Why the version cannot be published any more")))]
pub(super) async fn roll_back_flow(
    admin: AdminWriter,
    State(db): State<Db>,
    Path(id): Path<FlowId>,
    fields: Fields<Flow>,
    Json(request): Json<RollBackRequest>,
) -> Result<Answer, HttpError> {
    fields
        .write(db, move |tx, selection| {
            write::roll_back(tx, &id, (request.version, admin.actor_id()))?;
            Flow::show(tx, &id, selection)
        })
        .await
}
