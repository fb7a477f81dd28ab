//! `/admin/subscription-plans`.

use utoipa_axum::router::OpenApiRouter;

use super::requests::{CreatePlanRequest, UpdatePlanRequest};
use crate::plans::plan::Plan;
use crate::plans::write;
use crate::resource::AdminRoutes;
use crate::state::AppState;

pub(super) fn router() -> OpenApiRouter<AppState> {
    AdminRoutes::<Plan, _>::at("/admin/subscription-plans", "Admin subscription plans")
        .list()
        .create(CreatePlanRequest::create)
        .show()
        .note("An older version, which running subscriptions keep, has the current one in `superseded_by`.")
        .update_by(UpdatePlanRequest::update)
        .note(
            "A change makes a new version for new subscriptions. Running subscriptions keep their price and their rules: they\n\
             refer to the version before, which has an id of its own from then on.",
        )
        .delete_by(write::delete)
        .note("It is offered no more, and lines of carts lose it. Running subscriptions keep it.")
        .router()
}
