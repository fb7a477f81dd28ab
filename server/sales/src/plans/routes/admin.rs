//! `/admin/subscription-plans`.

use axum::extract::State;
use quotient_foundation::routes;
use utoipa_axum::router::OpenApiRouter;

use super::requests::{CreatePlanRequest, UpdatePlanRequest};
use crate::auth::AdminWriter;
use crate::database::{Db, Table as _, Tx};
use crate::http::{Answer, Deleted, Fields, HttpError, Json, One, Path};
use crate::ids::SubscriptionPlanId;
use crate::plans::plan::Plan;
use crate::plans::{PlanError, write};
use crate::resource::{AdminRoutes, View as _};
use crate::state::AppState;

pub(super) fn router() -> OpenApiRouter<AppState> {
    AdminRoutes::<Plan, _>::at("/admin/subscription-plans", "Admin subscription plans")
        .list()
        .create(CreatePlanRequest::create)
        .show()
        .note("An older version, which running subscriptions keep, has the current one in `superseded_by`.")
        .router()
        .routes(routes!(update_subscription_plan, delete_subscription_plan))
}

type PlanResponse = One<Plan>;
type PlanDeletedResponse = Deleted<Plan>;

impl CreatePlanRequest {
    fn create(self, tx: &Tx<'_>, by: &str) -> Result<SubscriptionPlanId, PlanError> {
        let plan = self.into_plan(tx)?;
        write::create(tx, &plan, by)?;
        Ok(plan.id)
    }
}

/// Change a subscription plan
///
/// A change makes a new version for new subscriptions. Running subscriptions keep their price and their rules: they
/// refer to the version before, which has an id of its own from then on.
#[utoipa::path(post, path = "/admin/subscription-plans/{id}", tag = "Admin subscription plans",
    params(("id" = SubscriptionPlanId, Path, description = "The plan"), Fields<Plan>),
    request_body = UpdatePlanRequest,
    responses((status = 200, description = "The plan", body = PlanResponse)))]
async fn update_subscription_plan(
    admin: AdminWriter,
    State(db): State<Db>,
    Path(id): Path<SubscriptionPlanId>,
    fields: Fields<Plan>,
    Json(request): Json<UpdatePlanRequest>,
) -> Result<Answer, HttpError> {
    fields
        .write(db, move |tx, selection| {
            let before = Plan::require::<PlanError>(tx, &id)?;
            let mut plan = before.clone();
            request.apply(tx, &mut plan)?;
            write::change(tx, before, plan, admin.actor_id())?;
            Plan::show(tx, &id, selection)
        })
        .await
}

/// Delete a subscription plan
///
/// It is offered no more, and lines of carts lose it. Running subscriptions keep it.
#[utoipa::path(delete, path = "/admin/subscription-plans/{id}", tag = "Admin subscription plans",
    params(("id" = SubscriptionPlanId, Path, description = "The plan")),
    responses((status = 200, description = "Deleted", body = PlanDeletedResponse)))]
async fn delete_subscription_plan(
    admin: AdminWriter,
    State(db): State<Db>,
    Path(id): Path<SubscriptionPlanId>,
) -> Result<Json<PlanDeletedResponse>, HttpError> {
    let deleted = id.clone();
    db.write(move |tx| write::delete(tx, &id, admin.actor_id())).await?;
    Ok(Json(Deleted::new(deleted)))
}
