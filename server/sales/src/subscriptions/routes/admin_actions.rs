//! `/admin/subscriptions/:id/…`: what customers may do, without their limits.

use axum::extract::State;
use quotient_foundation::routes;
use utoipa_axum::router::OpenApiRouter;

use super::requests::{
    CancellationRequest, ChangeAddressRequest, ChangeFrequencyRequest, PauseRequest,
    RepriceRequest, RescheduleRequest, ResumeRequest, RetryPaymentRequest, SkipRequest,
    SwapRequest,
};
use super::{RetryPaymentResponse, SubscriptionActionResponse, Tagged, act, retry_payment};
use crate::auth::AdminWriter;
use crate::http::{Answer, HttpError, IfMatch, Json, Path};
use crate::ids::SubscriptionId;
use crate::state::{AppState, PaymentState};
use crate::subscriptions::actions::{Actor, Call};

pub(super) fn router() -> OpenApiRouter<AppState> {
    OpenApiRouter::new()
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

pub(super) fn call(admin: &AdminWriter, id: SubscriptionId, versions: IfMatch) -> Call {
    let actor = Actor { id: admin.actor_id().to_owned(), is_admin: true, is_preview: false };
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

    /// Announces today's prices to the customer, for the cycles after the notice. Prices that were announced before and are
    /// not today's any more are withdrawn.
    reprice_subscription: "/admin/subscriptions/{id}/reprice", RepriceRequest;

    /// Bills a subscription next at an instant, which is its new anchor.
    reschedule_subscription: "/admin/subscriptions/{id}/reschedule", RescheduleRequest;
}

/// Pays the cycle of a subscription that is past due, with its method or another one of the customer's.
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
