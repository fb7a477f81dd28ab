//! `/admin/flows`.

use axum::extract::State;
use axum::response::IntoResponse;
use quotient_foundation::routes;
use serde::Serialize;
use utoipa_axum::router::OpenApiRouter;

use super::check::{self, Validation};
use super::flow::{Flow, Version};
use super::requests::{
    ArchiveQuery, CopyRequest, CreateFlowRequest, PublishRequest, RollBackRequest, RotateRequest,
    UpdateFlowRequest, ValidateRequest,
};
use super::{FlowError, write};
use crate::auth::{AdminReader, AdminWriter};
use crate::database::{Db, Listable as _, Table as _};
use crate::http::{
    Answer, Deleted, Fields, HttpError, IfMatch, Json, ListRequest, One, OneRequest, Page, Path,
    Query, ToSchema, etag,
};
use crate::ids::FlowId;
use crate::resource::{AdminRoutes, View as _};
use crate::state::AppState;

const TAG: &str = "Admin flows";

pub(crate) fn router() -> OpenApiRouter<AppState> {
    AdminRoutes::<Flow, _>::at("/admin/flows", TAG)
        .list()
        .create(CreateFlowRequest::create)
        .note("Its draft is checked when it is published.")
        .update_part_by(
            "/rotate-token",
            "rotate_flow_token",
            "Replace a flow's token",
            |request: RotateRequest, tx, id, by| {
                write::rotate(tx, id, (request.overlap_hours()?, by))
            },
        )
        .note("Pages name the flow by the token. The one before works for some hours more.")
        .update_part_by(
            "/publish",
            "publish_flow",
            "Publish a flow's draft",
            |request: PublishRequest, tx, id, by| {
                write::publish(tx, id, (request.note.map(Into::into), by))
            },
        )
        .taken("Everything that is wrong with the draft")
        .note(
            "It becomes the next version. Shoppers who are half way stay in the version that they began with.",
        )
        .update_part_by(
            "/rollback",
            "roll_back_flow",
            "Roll a flow back",
            |request: RollBackRequest, tx, id, by| write::roll_back(tx, id, (request.version, by)),
        )
        .taken("Why the version cannot be published any more")
        .note("Publishes an earlier version again, as a new one. The draft stays as it is.")
        .router()
        .routes(routes!(show_flow, update_flow, archive_flow))
        .routes(routes!(validate_flow))
        .routes(routes!(copy_flow))
        .routes(routes!(list_flow_versions))
}

type FlowResponse = One<Flow>;
type FlowDeletedResponse = Deleted<Flow>;

/// The result of a check.
#[derive(Debug, Serialize, ToSchema)]
struct FlowValidationResponse {
    validation: Validation,
}

/// Show a flow
///
/// The response's `ETag` guards a later change with `If-Match`.
#[crate::http::operation(get, path = "/admin/flows/{id}", tag = TAG,
    params(("id" = FlowId, Path, description = "The flow"), Fields<Flow>),
    responses((status = 200, description = "The flow", body = FlowResponse)))]
async fn show_flow(
    OneRequest { db, id, fields, .. }: OneRequest<AdminReader, FlowId, Flow>,
) -> Result<impl IntoResponse, HttpError> {
    let flow = db.read(move |tx| Flow::require::<FlowError>(tx, &id)).await?;
    let tag = flow.revision.to_string();
    Ok((etag(&tag), fields.answer(&flow)?))
}

/// Change a flow
///
/// The draft is replaced as a whole. The published version stays unchanged until the draft is
/// published.
#[crate::http::operation(post, path = "/admin/flows/{id}", tag = TAG,
    params(("id" = FlowId, Path, description = "The flow"), Fields<Flow>),
    request_body = UpdateFlowRequest,
    responses((status = 200, description = "The flow", body = FlowResponse),
              (status = 409, description = "It was changed in between")))]
async fn update_flow(
    admin: AdminWriter,
    State(db): State<Db>,
    Path(id): Path<FlowId>,
    (matching, fields): (IfMatch, Fields<Flow>),
    Json(request): Json<UpdateFlowRequest>,
) -> Result<impl IntoResponse, HttpError> {
    let flow = db
        .write(move |tx| {
            let before = Flow::require::<FlowError>(tx, &id)?;
            if !matching.admits(&before.revision.to_string()) {
                return Err(FlowError::Changed);
            }
            let mut flow = before.clone();
            request.apply(&mut flow)?;
            write::update(tx, &before, flow, ("update", admin.actor_id()))?;
            Flow::require(tx, &id)
        })
        .await?;
    let tag = flow.revision.to_string();
    Ok((etag(&tag), fields.answer(&flow)?))
}

/// Archive a flow
///
/// It starts no new sessions. Open sessions may finish, unless they are revoked.
#[crate::http::operation(delete, path = "/admin/flows/{id}", tag = TAG,
    params(("id" = FlowId, Path, description = "The flow"), ArchiveQuery),
    responses((status = 200, description = "Archived", body = FlowDeletedResponse)))]
async fn archive_flow(
    admin: AdminWriter,
    State(db): State<Db>,
    Path(id): Path<FlowId>,
    Query(query): Query<ArchiveQuery>,
) -> Result<Json<FlowDeletedResponse>, HttpError> {
    let archived = id.clone();
    let is_revoked = query.revoke.unwrap_or(false);
    db.write(move |tx| write::archive(tx, &id, (is_revoked, admin.actor_id()))).await?;
    Ok(Json(Deleted::new(archived)))
}

/// Validate a draft
///
/// Returns everything that is wrong with it, at once.
#[crate::http::operation(post, path = "/admin/flows/{id}/validate", tag = TAG,
    params(("id" = FlowId, Path, description = "The flow")),
    request_body = ValidateRequest,
    responses((status = 200, description = "The findings", body = FlowValidationResponse)))]
async fn validate_flow(
    _admin: AdminReader,
    State(db): State<Db>,
    Path(id): Path<FlowId>,
    Json(request): Json<ValidateRequest>,
) -> Result<Json<FlowValidationResponse>, HttpError> {
    let validation = db
        .read(move |tx| {
            let flow = Flow::require::<FlowError>(tx, &id)?;
            let mut draft = request.draft.unwrap_or(flow.draft);
            check::check(tx, &mut draft, (flow.currency, &flow.redirect_hosts))
        })
        .await?;
    Ok(Json(FlowValidationResponse { validation }))
}

/// Copy a flow
///
/// The copy is a draft, in the same or another currency.
#[crate::http::operation(post, path = "/admin/flows/{id}/copy", tag = TAG,
    params(("id" = FlowId, Path, description = "The flow"), Fields<Flow>),
    request_body = CopyRequest,
    responses((status = 200, description = "The copy", body = FlowResponse)))]
async fn copy_flow(
    OneRequest { caller: admin, db, id, fields }: OneRequest<AdminWriter, FlowId, Flow>,
    Json(request): Json<CopyRequest>,
) -> Result<Answer, HttpError> {
    fields
        .write(db, move |tx, selection| {
            let copy = write::copy(tx, &id, (request.currency_code, admin.actor_id()))?;
            Flow::show(tx, &copy, selection)
        })
        .await
}

type FlowVersionListResponse = Page<Version>;

/// List a flow's versions
#[crate::http::operation(get, path = "/admin/flows/{id}/versions", tag = TAG,
    params(("id" = FlowId, Path, description = "The flow"), ListRequest<Version>),
    responses((status = 200, description = "A page, by default the newest first", body = FlowVersionListResponse)))]
async fn list_flow_versions(
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
