//! `/admin/flows`.

mod flows;
mod requests;

use quotient_foundation::routes;
use utoipa_axum::router::OpenApiRouter;

use self::requests::{CreateFlowRequest, PublishRequest, RollBackRequest, RotateRequest};
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
        .routes(routes!(flows::show_flow, flows::update_flow, flows::archive_flow))
        .routes(routes!(flows::validate_flow))
        .routes(routes!(flows::copy_flow))
        .routes(routes!(flows::list_flow_versions))
}

type FlowResponse = One<Flow>;
