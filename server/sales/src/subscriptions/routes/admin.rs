//! `/admin/subscriptions`: what customers may do, without their limits, and more.

use axum::extract::State;
use quotient_foundation::routes;
use utoipa_axum::router::OpenApiRouter;

use super::calendar::{self, CalendarResponse};
use super::requests::{
    ChangeAddressRequest, PauseRequest, RepriceRequest, RescheduleRequest, ResumeRequest,
    RetryPaymentRequest, SkipRequest,
};
use super::{
    RetryPaymentResponse, SubscriptionActionResponse, SubscriptionResponse, Tagged, act, answer,
    retry_payment,
};
use crate::auth::{AdminReader, AdminWriter};
use crate::database::Db;
use crate::http::{Answer, Fields, HttpError, IfMatch, Json, OneRequest, Path, etag};
use crate::ids::SubscriptionId;
use crate::resource::{AdminRoutes, View as _};
use crate::state::{AppState, PaymentState};
use crate::subscriptions::actions::cancellation::CancellationRequest;
use crate::subscriptions::actions::frequency::ChangeFrequencyRequest;
use crate::subscriptions::actions::swap::SwapRequest;
use crate::subscriptions::actions::{Actor, Apply, Call, Cost, perform, retry};
use crate::subscriptions::billing;
use crate::subscriptions::view::SubscriptionView;

pub(super) fn router() -> OpenApiRouter<AppState> {
    AdminRoutes::<SubscriptionView, _>::at("/admin/subscriptions", "Admin subscriptions")
        .list()
        .router()
        .routes(routes!(show_subscription_calendar))
        .routes(routes!(show_subscription))
        .routes(routes!(run_subscription))
        .routes(routes!(void_subscription_cycle))
        .routes(routes!(cancel_subscription))
        .routes(routes!(change_subscription_address))
        .routes(routes!(change_subscription_frequency))
        .routes(routes!(pause_subscription))
        .routes(routes!(resume_subscription))
        .routes(routes!(skip_next_delivery))
        .routes(routes!(swap_subscription_product))
        .routes(routes!(reprice_subscription))
        .routes(routes!(reschedule_subscription))
        .routes(routes!(retry_subscription_payment))
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
/// Cycles that are skipped, or after the end of their subscription, do not count. The amounts are what the cycles
/// would cost with the present taxes and shipping prices, and with the announced prices of the items at that time. Days are in the
/// store's time zone.
#[crate::http::operation(get, path = "/admin/subscriptions/calendar", tag = "Admin subscriptions",
    responses((status = 200, description = "The days on which something is due", body = CalendarResponse)))]
async fn show_subscription_calendar(
    _admin: AdminReader,
    State(db): State<Db>,
) -> Result<Json<CalendarResponse>, HttpError> {
    Ok(Json(db.read(calendar::read).await?))
}

/// Does the due work on a subscription now, instead of at the next run of the schedule.
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
    answer(performed, false)
}

/// Makes the unpaid cycle of a subscription void: nothing is owed for it, and the subscription becomes active
/// again.
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
        retry::void(tx, subscription, actor, number).map(|()| Cost::default())
    });
    let performed = perform(&db, &gateway, call, void).await?;
    answer(performed, false)
}

fn call(admin: &AdminWriter, id: SubscriptionId, versions: IfMatch) -> Call {
    let actor = Actor { id: admin.actor_id().to_owned(), is_admin: true };
    Call { id, actor, owner: None, versions, is_preview: false }
}

actions! {
    "Admin subscriptions", AdminWriter;

    /// Cancels a subscription, or takes a cancellation back.
    cancel_subscription: "/admin/subscriptions/{id}/cancellation", CancellationRequest;

    /// Sends a subscription elsewhere.
    change_subscription_address: "/admin/subscriptions/{id}/change-address", ChangeAddressRequest;

    /// Changes the frequency of a subscription, the date of its next billing, or both.
    change_subscription_frequency: "/admin/subscriptions/{id}/change-frequency", ChangeFrequencyRequest;

    /// Pauses a subscription.
    pause_subscription: "/admin/subscriptions/{id}/pause", PauseRequest;

    /// Resumes a paused subscription, or takes back a planned cancellation.
    resume_subscription: "/admin/subscriptions/{id}/resume", ResumeRequest;

    /// Skips a delivery ahead.
    skip_next_delivery: "/admin/subscriptions/{id}/skip-next-delivery", SkipRequest;

    /// Swaps an item of a subscription for another variant.
    swap_subscription_product: "/admin/subscriptions/{id}/swap-product", SwapRequest;

    /// Announces today's prices to the customer, for the cycles after the notice period. Announced prices that differ from
    /// today's are withdrawn.
    reprice_subscription: "/admin/subscriptions/{id}/reprice", RepriceRequest;

    /// Bills a subscription next at an instant, which is its new anchor.
    reschedule_subscription: "/admin/subscriptions/{id}/reschedule", RescheduleRequest;
}

/// Pays for the cycle of a past due subscription, with its method or another one of the customer's.
#[crate::http::operation(post, path = "/admin/subscriptions/{id}/retry-payment", tag = "Admin subscriptions",
    params(("id" = SubscriptionId, Path, description = "The subscription"),
           ("if-match" = Option<String>, Header, description = "The `ETag` that the subscription must still have")),
    request_body = RetryPaymentRequest,
    responses((status = 200, description = "What became of it", body = RetryPaymentResponse),
              (status = 409, description = "It is being billed, or was changed", body = crate::http::ErrorBody),
              (status = 422, description = "The card is refused", body = crate::http::ErrorBody)))]
async fn retry_subscription_payment(
    admin: AdminWriter,
    State(state): State<PaymentState>,
    Path(id): Path<SubscriptionId>,
    versions: IfMatch,
    Json(request): Json<RetryPaymentRequest>,
) -> Result<Answer, HttpError> {
    retry_payment(state, call(&admin, id, versions), request).await
}
