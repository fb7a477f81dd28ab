//! `/admin/flows`.

mod flows;
mod requests;
mod versions;

use quotient_foundation::routes;
use utoipa_axum::router::OpenApiRouter;

use self::requests::CreateFlowRequest;
use super::view::FlowView;
use crate::http::One;
use crate::resource::AdminRoutes;
use crate::state::AppState;

const TAG: &str = "Admin flows";

pub(super) fn router() -> OpenApiRouter<AppState> {
    AdminRoutes::<FlowView, _>::at("/admin/flows", TAG)
        .list()
        .create(CreateFlowRequest::create)
        .note("Its draft is checked when it is published.")
        .router()
        .routes(routes!(flows::show_flow, flows::update_flow, flows::archive_flow))
        .routes(routes!(flows::validate_flow))
        .routes(routes!(flows::copy_flow))
        .routes(routes!(flows::rotate_flow_token))
        .routes(routes!(versions::publish_flow))
        .routes(routes!(versions::list_flow_versions))
        .routes(routes!(versions::roll_back_flow))
}

type FlowResponse = One<FlowView>;
