//! `/admin/subscriptions`.

use axum::extract::State;
use quotient_foundation::routes;
use utoipa_axum::router::OpenApiRouter;

use super::admin_actions::call;
use super::calendar::{self, CalendarResponse};
use super::{SubscriptionActionResponse, SubscriptionResponse, Tagged};
use crate::auth::{AdminReader, AdminWriter};
use crate::database::Db;
use crate::http::{Fields, HttpError, IfMatch, Json, OneRequest, Path, etag};
use crate::ids::SubscriptionId;
use crate::resource::{AdminRoutes, View as _};
use crate::state::{AppState, PaymentState};
use crate::subscriptions::actions::{Apply, Cost, perform};
use crate::subscriptions::view::SubscriptionView;
use crate::subscriptions::{actions, billing};

pub(super) fn router() -> OpenApiRouter<AppState> {
    AdminRoutes::<SubscriptionView, _>::at("/admin/subscriptions", "Admin subscriptions")
        .list()
        .router()
        .routes(routes!(show_subscription_calendar))
        .routes(routes!(show_subscription))
        .routes(routes!(run_subscription))
        .routes(routes!(void_subscription_cycle))
}

/// Shows a subscription with what is billed next. The `ETag` header identifies its state.
#[crate::http::operation(get, path = "/admin/subscriptions/{id}", tag = "Admin subscriptions",
    params(("id" = SubscriptionId, Path, description = "The subscription"), Fields<SubscriptionView>),
    responses((status = 200, description = "The subscription", body = SubscriptionResponse)))]
async fn show_subscription(
    OneRequest { db, id, fields, .. }: OneRequest<AdminReader, SubscriptionId, SubscriptionView>,
) -> Result<Tagged, HttpError> {
    let selection = fields.selection.clone();
    let view = db.read(move |tx| SubscriptionView::show(tx, &id, &selection)).await?;
    Ok((etag(&view.version.to_string()), fields.answer(&view)?))
}

/// Shows the cycles and the money that are due on each of the next 90 days.
///
/// A cycle that is skipped, or after the end of its subscription, does not count. The money is what the items cost then, as
/// announced; shipping and taxes are not quoted for each cycle. Days are those of UTC.
#[crate::http::operation(get, path = "/admin/subscriptions/calendar", tag = "Admin subscriptions",
    responses((status = 200, description = "The days on which something is due", body = CalendarResponse)))]
async fn show_subscription_calendar(
    _admin: AdminReader,
    State(db): State<Db>,
) -> Result<Json<CalendarResponse>, HttpError> {
    Ok(Json(db.read(calendar::read).await?))
}

/// Does what is due about a subscription now, instead of at the next run of the schedule.
#[crate::http::operation(post, path = "/admin/subscriptions/{id}/run", tag = "Admin subscriptions",
    params(("id" = SubscriptionId, Path, description = "The subscription")),
    responses((status = 200, description = "The subscription", body = SubscriptionActionResponse)))]
async fn run_subscription(
    admin: AdminWriter,
    State(state): State<PaymentState>,
    Path(id): Path<SubscriptionId>,
) -> Result<Tagged, HttpError> {
    let PaymentState { db, gateway, .. } = state;
    billing::act(&db, &gateway, &id).await?;
    let call = call(&admin, id, IfMatch::default());
    let performed = perform(&db, &gateway, call, Box::new(|_, _, _| Ok(Cost::default()))).await?;
    super::answer(performed, false)
}

/// Makes the unpaid cycle of a subscription void: nothing is owed for it, and the subscription is active again.
#[crate::http::operation(post, path = "/admin/subscriptions/{id}/cycles/{number}/void", tag = "Admin subscriptions",
    params(("id" = SubscriptionId, Path, description = "The subscription"),
           ("number" = i64, Path, description = "The number of the cycle")),
    responses((status = 200, description = "The subscription", body = SubscriptionActionResponse)))]
async fn void_subscription_cycle(
    admin: AdminWriter,
    State(state): State<PaymentState>,
    Path((id, number)): Path<(SubscriptionId, i64)>,
) -> Result<Tagged, HttpError> {
    let PaymentState { db, gateway, .. } = state;
    let call = call(&admin, id, IfMatch::default());
    let void: Apply = Box::new(move |tx, subscription, actor| {
        actions::void::apply(tx, subscription, actor, number).map(|()| Cost::default())
    });
    let performed = perform(&db, &gateway, call, void).await?;
    super::answer(performed, false)
}
