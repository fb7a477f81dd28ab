//! `/admin/subscriptions/:id/…`: what customers may do, without their limits.

use axum::extract::State;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::etag::IfMatch;
use super::requests::{
    CancellationRequest, ChangeAddressRequest, ChangeFrequencyRequest, PauseRequest,
    RescheduleRequest, ResumeRequest, RetryPaymentRequest, SkipRequest, SwapRequest,
};
use super::{RetryPaymentResponse, SubscriptionActionResponse, Tagged, act, retry_payment};
use crate::auth::AdminWriter;
use crate::http::{Answer, HttpError, Json, Path};
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
        .routes(routes!(reschedule_subscription))
        .routes(routes!(retry_subscription_payment))
}

/// Returns the call of an admin.
pub(super) fn call(admin: &AdminWriter, id: SubscriptionId, IfMatch(versions): IfMatch) -> Call {
    let actor = Actor { id: admin.actor_id().to_owned(), is_admin: true, is_preview: false };
    Call { id, actor, owner: None, versions, is_preview: false }
}

/// Cancels a subscription, or takes a cancellation back.
#[utoipa::path(post, path = "/admin/subscriptions/{id}/cancellation", tag = "Admin subscriptions",
    params(("id" = SubscriptionId, Path, description = "The subscription"),
           ("if-match" = Option<String>, Header, description = "The `ETag` that the subscription must still have")),
    request_body = CancellationRequest,
    responses((status = 200, description = "The subscription", body = SubscriptionActionResponse),
              (status = 409, description = "It is being billed, or was changed", body = crate::http::ErrorBody)))]
async fn cancel_subscription(
    admin: AdminWriter,
    State(state): State<PaymentState>,
    Path(id): Path<SubscriptionId>,
    versions: IfMatch,
    Json(request): Json<CancellationRequest>,
) -> Result<Tagged, HttpError> {
    act(state, call(&admin, id, versions), request).await
}

/// Sends a subscription elsewhere.
#[utoipa::path(post, path = "/admin/subscriptions/{id}/change-address", tag = "Admin subscriptions",
    params(("id" = SubscriptionId, Path, description = "The subscription"),
           ("if-match" = Option<String>, Header, description = "The `ETag` that the subscription must still have")),
    request_body = ChangeAddressRequest,
    responses((status = 200, description = "The subscription", body = SubscriptionActionResponse),
              (status = 409, description = "It is being billed, or was changed", body = crate::http::ErrorBody)))]
async fn change_subscription_address(
    admin: AdminWriter,
    State(state): State<PaymentState>,
    Path(id): Path<SubscriptionId>,
    versions: IfMatch,
    Json(request): Json<ChangeAddressRequest>,
) -> Result<Tagged, HttpError> {
    act(state, call(&admin, id, versions), request).await
}

/// Changes the frequency of a subscription, the date of its next billing, or both.
#[utoipa::path(post, path = "/admin/subscriptions/{id}/change-frequency", tag = "Admin subscriptions",
    params(("id" = SubscriptionId, Path, description = "The subscription"),
           ("if-match" = Option<String>, Header, description = "The `ETag` that the subscription must still have")),
    request_body = ChangeFrequencyRequest,
    responses((status = 200, description = "The subscription", body = SubscriptionActionResponse),
              (status = 409, description = "It is being billed, or was changed", body = crate::http::ErrorBody)))]
async fn change_subscription_frequency(
    admin: AdminWriter,
    State(state): State<PaymentState>,
    Path(id): Path<SubscriptionId>,
    versions: IfMatch,
    Json(request): Json<ChangeFrequencyRequest>,
) -> Result<Tagged, HttpError> {
    act(state, call(&admin, id, versions), request).await
}

/// Pauses a subscription.
#[utoipa::path(post, path = "/admin/subscriptions/{id}/pause", tag = "Admin subscriptions",
    params(("id" = SubscriptionId, Path, description = "The subscription"),
           ("if-match" = Option<String>, Header, description = "The `ETag` that the subscription must still have")),
    request_body = PauseRequest,
    responses((status = 200, description = "The subscription", body = SubscriptionActionResponse),
              (status = 409, description = "It is being billed, or was changed", body = crate::http::ErrorBody)))]
async fn pause_subscription(
    admin: AdminWriter,
    State(state): State<PaymentState>,
    Path(id): Path<SubscriptionId>,
    versions: IfMatch,
    Json(request): Json<PauseRequest>,
) -> Result<Tagged, HttpError> {
    act(state, call(&admin, id, versions), request).await
}

/// Resumes a paused subscription, or takes back a planned cancellation.
#[utoipa::path(post, path = "/admin/subscriptions/{id}/resume", tag = "Admin subscriptions",
    params(("id" = SubscriptionId, Path, description = "The subscription"),
           ("if-match" = Option<String>, Header, description = "The `ETag` that the subscription must still have")),
    request_body = ResumeRequest,
    responses((status = 200, description = "The subscription", body = SubscriptionActionResponse),
              (status = 409, description = "It is being billed, or was changed", body = crate::http::ErrorBody)))]
async fn resume_subscription(
    admin: AdminWriter,
    State(state): State<PaymentState>,
    Path(id): Path<SubscriptionId>,
    versions: IfMatch,
    Json(request): Json<ResumeRequest>,
) -> Result<Tagged, HttpError> {
    act(state, call(&admin, id, versions), request).await
}

/// Skips a delivery ahead.
#[utoipa::path(post, path = "/admin/subscriptions/{id}/skip-next-delivery", tag = "Admin subscriptions",
    params(("id" = SubscriptionId, Path, description = "The subscription"),
           ("if-match" = Option<String>, Header, description = "The `ETag` that the subscription must still have")),
    request_body = SkipRequest,
    responses((status = 200, description = "The subscription", body = SubscriptionActionResponse),
              (status = 409, description = "It is being billed, or was changed", body = crate::http::ErrorBody)))]
async fn skip_next_delivery(
    admin: AdminWriter,
    State(state): State<PaymentState>,
    Path(id): Path<SubscriptionId>,
    versions: IfMatch,
    Json(request): Json<SkipRequest>,
) -> Result<Tagged, HttpError> {
    act(state, call(&admin, id, versions), request).await
}

/// Swaps an item of a subscription for another variant.
#[utoipa::path(post, path = "/admin/subscriptions/{id}/swap-product", tag = "Admin subscriptions",
    params(("id" = SubscriptionId, Path, description = "The subscription"),
           ("if-match" = Option<String>, Header, description = "The `ETag` that the subscription must still have")),
    request_body = SwapRequest,
    responses((status = 200, description = "The subscription", body = SubscriptionActionResponse),
              (status = 409, description = "It is being billed, or was changed", body = crate::http::ErrorBody)))]
async fn swap_subscription_product(
    admin: AdminWriter,
    State(state): State<PaymentState>,
    Path(id): Path<SubscriptionId>,
    versions: IfMatch,
    Json(request): Json<SwapRequest>,
) -> Result<Tagged, HttpError> {
    act(state, call(&admin, id, versions), request).await
}

/// Bills a subscription next at an instant, which is its new anchor.
#[utoipa::path(post, path = "/admin/subscriptions/{id}/reschedule", tag = "Admin subscriptions",
    params(("id" = SubscriptionId, Path, description = "The subscription"),
           ("if-match" = Option<String>, Header, description = "The `ETag` that the subscription must still have")),
    request_body = RescheduleRequest,
    responses((status = 200, description = "The subscription", body = SubscriptionActionResponse),
              (status = 409, description = "It is being billed, or was changed", body = crate::http::ErrorBody)))]
async fn reschedule_subscription(
    admin: AdminWriter,
    State(state): State<PaymentState>,
    Path(id): Path<SubscriptionId>,
    versions: IfMatch,
    Json(request): Json<RescheduleRequest>,
) -> Result<Tagged, HttpError> {
    act(state, call(&admin, id, versions), request).await
}

/// Pays the cycle of a subscription that is past due, with its method or another one of the customer's.
#[utoipa::path(post, path = "/admin/subscriptions/{id}/retry-payment", tag = "Admin subscriptions",
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
    let reference = request.payment_method_reference.map(String::from);
    retry_payment(state, call(&admin, id, versions), reference).await
}
