//! What shoppers did, and the erasure of what they wrote.

use axum::extract::State;
use serde::Serialize;

use super::TAG;
use crate::audit_log::{self, EntityType};
use crate::auth::{AdminReader, AdminWriter};
use crate::database::{Db, Listable as _, Table as _};
use crate::definition::FlowError;
use crate::definition::flow::Flow;
use crate::http::{Answer, HttpError, Json, ListRequest, Page, Path, ToSchema};
use crate::ids::{FlowId, FlowSessionId};
use crate::insight::queries;
use crate::insight::submission::{self, SessionDetails, Submission, SubmissionView};
use crate::sessions::error::SessionError;
use crate::sessions::session::Session;

type SubmissionListResponse = Page<SubmissionView>;

/// A session with its journey.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct FlowSessionResponse {
    flow_session: SessionDetails,
}

/// List a flow's submissions
///
/// What shoppers did at its buttons, in all versions.
#[crate::http::operation(get, path = "/admin/flows/{id}/submissions", tag = TAG,
    params(("id" = FlowId, Path, description = "The flow"), ListRequest<SubmissionView>),
    responses((status = 200, description = "A page", body = SubmissionListResponse)))]
pub(super) async fn list_flow_submissions(
    _admin: AdminReader,
    State(db): State<Db>,
    Path(id): Path<FlowId>,
    list: ListRequest<SubmissionView>,
) -> Result<Answer, HttpError> {
    list.read(db, move |tx, query, _| {
        Flow::require::<FlowError>(tx, &id)?;
        let query = query.narrow("p.flow_id = ?", [id.as_str().to_owned().into()]);
        let (rows, count) = Submission::page(tx, query)?;
        Ok::<_, FlowError>((rows.into_iter().map(SubmissionView::from).collect(), count))
    })
    .await
}

/// Show a session of a flow
///
/// Its journey with the conditions that decided it, and its answers.
#[crate::http::operation(get, path = "/admin/flow-sessions/{id}", tag = TAG,
    params(("id" = FlowSessionId, Path, description = "The session")),
    responses((status = 200, description = "The session", body = FlowSessionResponse)))]
pub(super) async fn show_flow_session(
    _admin: AdminReader,
    State(db): State<Db>,
    Path(id): Path<FlowSessionId>,
) -> Result<Json<FlowSessionResponse>, HttpError> {
    let found = db.read(move |tx| submission::details(tx, &id)).await;
    let flow_session = found.map_err(SessionError::general)?;
    Ok(Json(FlowSessionResponse { flow_session }))
}

/// Erase what a person wrote in a session
///
/// Its answers, reasons and what the page told of the visitor go; figures stay. Its tokens open it no more.
#[crate::http::operation(post, path = "/admin/flow-sessions/{id}/erase", tag = TAG,
    params(("id" = FlowSessionId, Path, description = "The session")),
    responses((status = 200, description = "The session", body = FlowSessionResponse)))]
pub(super) async fn erase_flow_session(
    admin: AdminWriter,
    State(db): State<Db>,
    Path(id): Path<FlowSessionId>,
) -> Result<Json<FlowSessionResponse>, HttpError> {
    let erased = db
        .write(move |tx| {
            let session = Session::require::<SessionError>(tx, &id)?;
            queries::erase(tx, &id)?;
            let entry = audit_log::Entry {
                entity_type: EntityType::Flow,
                entity_id: session.flow_id.as_str(),
                action: "erase_session",
                actor_id: admin.actor_id(),
                before: serde_json::Value::Null,
                after: serde_json::json!({ "session_id": id }),
            };
            audit_log::record(tx, &entry)?;
            submission::details(tx, &id)
        })
        .await;
    let flow_session = erased.map_err(SessionError::general)?;
    Ok(Json(FlowSessionResponse { flow_session }))
}
