//! The versions of a flow.

use axum::extract::State;

use super::TAG;
use crate::auth::AdminReader;
use crate::database::{Db, Listable as _, Table as _};
use crate::definition::FlowError;
use crate::definition::flow::{Flow, Version};
use crate::http::{Answer, HttpError, ListRequest, Page, Path};
use crate::ids::FlowId;

type FlowVersionListResponse = Page<Version>;

/// List a flow's versions
#[crate::http::operation(get, path = "/admin/flows/{id}/versions", tag = TAG,
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
