//! `/admin/flows`.

mod flows;
mod requests;
mod versions;

use quotient_foundation::routes;
use utoipa_axum::router::OpenApiRouter;

use self::requests::{CreateFlowRequest, RotateRequest};
use super::flow::Flow;
use super::write;
use crate::http::One;
use crate::resource::AdminRoutes;
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
        .router()
        .routes(routes!(flows::show_flow, flows::update_flow, flows::archive_flow))
        .routes(routes!(flows::validate_flow))
        .routes(routes!(flows::copy_flow))
        .routes(routes!(versions::publish_flow))
        .routes(routes!(versions::list_flow_versions))
        .routes(routes!(versions::roll_back_flow))
}

type FlowResponse = One<Flow>;
