//! `/store/customers/me/subscriptions`: the subscriptions of the logged-in customer.

use axum::extract::State;
use quotient_foundation::routes;
use utoipa_axum::router::OpenApiRouter;

use super::requests::{
    ChangeAddressRequest, PauseRequest, ResumeRequest, RetryPaymentRequest, SkipRequest,
};
use super::{
    RetryPaymentResponse, SubscriptionActionResponse, SubscriptionListResponse,
    SubscriptionResponse, Tagged, act, retry_payment,
};
use crate::auth::Shopper;
use crate::database::Db;
use crate::http::{Answer, Fields, HttpError, IfMatch, Json, ListRequest, OneRequest, Path, etag};
use crate::ids::SubscriptionId;
use crate::resource::View as _;
use crate::state::{AppState, PaymentState};
use crate::subscriptions::actions::cancellation::CancellationRequest;
use crate::subscriptions::actions::frequency::ChangeFrequencyRequest;
use crate::subscriptions::actions::swap::SwapRequest;
use crate::subscriptions::actions::{Actor, Call};
use crate::subscriptions::view::{StoreSubscription, SubscriptionView};
use crate::subscriptions::{SubscriptionError, change, of_customer};

pub(super) fn router() -> OpenApiRouter<AppState> {
    OpenApiRouter::new()
        .routes(routes!(list_my_subscriptions))
        .routes(routes!(show_my_subscription))
        .routes(routes!(cancel_my_subscription))
        .routes(routes!(change_my_subscription_address))
        .routes(routes!(change_my_subscription_frequency))
        .routes(routes!(pause_my_subscription))
        .routes(routes!(resume_my_subscription))
        .routes(routes!(retry_my_subscription_payment))
        .routes(routes!(skip_my_next_delivery))
        .routes(routes!(swap_my_subscription_product))
}

/// Returns the call of a customer.
fn call(shopper: &Shopper, id: SubscriptionId, versions: IfMatch) -> Call {
    let customer_id = shopper.customer_id.clone();
    let actor = Actor { id: customer_id.to_string(), is_admin: false };
    Call { id, actor, owner: Some(customer_id), versions, is_preview: false }
}

/// Lists the subscriptions of the logged-in customer.
#[crate::http::operation(get, path = "/store/customers/me/subscriptions", tag = "Store subscriptions",
    params(ListRequest<StoreSubscription>),
    responses((status = 200, description = "A page", body = SubscriptionListResponse)))]
async fn list_my_subscriptions(
    shopper: Shopper,
    State(db): State<Db>,
    list: ListRequest<StoreSubscription>,
) -> Result<Answer, HttpError> {
    list.read(db, move |tx, query, selection| {
        SubscriptionView::page(tx, of_customer(query, &shopper.customer_id), selection)
    })
    .await
}

/// Shows a subscription of the logged-in customer, with what is billed next. The `ETag` header identifies its state.
#[crate::http::operation(get, path = "/store/customers/me/subscriptions/{id}", tag = "Store subscriptions",
    params(("id" = SubscriptionId, Path, description = "The subscription"), Fields<StoreSubscription>),
    responses((status = 200, description = "The subscription", body = SubscriptionResponse)))]
async fn show_my_subscription(
    OneRequest { caller, db, id, fields }: OneRequest<Shopper, SubscriptionId, StoreSubscription>,
) -> Result<Tagged, HttpError> {
    let selection = fields.selection.clone();
    let view = db
        .read(move |tx| {
            change::load_own(tx, &id, &caller.customer_id)?;
            let mut view = SubscriptionView::show(tx, &id, &selection)?;
            view.reveal_action(tx)?;
            Ok::<_, SubscriptionError>(view)
        })
        .await?;
    Ok((etag(&view.version.to_string()), fields.answer(&view)?))
}

actions! {
    "Store subscriptions", Shopper;

    /// Cancels a subscription, or takes a cancellation back.
    ///
    /// An active one ends with the paid period, unless `at` is `now`; one that is in trial, paused or past due ends
    /// immediately. Canceling again changes nothing. Before the minimum number of cycles, the response is 400 with the
    /// earliest date of cancellation. Within the `cutoff_hours` before a renewal, that renewal is still billed, and the
    /// subscription ends after it; `now` is then a 400.
    cancel_my_subscription: "/store/customers/me/subscriptions/{id}/cancellation", CancellationRequest;

    /// Sends a subscription elsewhere.
    ///
    /// Taxes and shipping are quoted again. A country outside the region, or without a shipping option, is rejected.
    change_my_subscription_address: "/store/customers/me/subscriptions/{id}/change-address", ChangeAddressRequest;

    /// Changes the frequency of a subscription, the date of its next billing, or both.
    ///
    /// Only frequencies that the plan allows are accepted. Without a date, the next one stays.
    change_my_subscription_frequency: "/store/customers/me/subscriptions/{id}/change-frequency", ChangeFrequencyRequest;

    /// Pauses a subscription.
    ///
    /// Pausing again changes the day on which it resumes.
    pause_my_subscription: "/store/customers/me/subscriptions/{id}/pause", PauseRequest;

    /// Resumes a paused subscription, or takes back a planned cancellation.
    resume_my_subscription: "/store/customers/me/subscriptions/{id}/resume", ResumeRequest;

    /// Skips a delivery ahead.
    ///
    /// Skipping the same `cycle` again changes nothing. Without `cycle`, if the next one is already skipped, the response is
    /// 400, so that a double click skips once.
    skip_my_next_delivery: "/store/customers/me/subscriptions/{id}/skip-next-delivery", SkipRequest;

    /// Swaps an item of a subscription for another variant.
    ///
    /// The variant must have a plan with the same frequency, and has its price with it today. Access that has been paid for
    /// is prorated; a surplus pays for the next cycles.
    swap_my_subscription_product: "/store/customers/me/subscriptions/{id}/swap-product", SwapRequest;
}

/// Pays the cycle of a subscription that is past due, with its method or another one.
///
/// If nothing is due, the other method is charged from the next cycle on. A refused card is a 422. After five attempts a day
/// the response is 429.
#[crate::http::operation(post, path = "/store/customers/me/subscriptions/{id}/retry-payment", tag = "Store subscriptions",
    params(("id" = SubscriptionId, Path, description = "The subscription"),
           ("if-match" = Option<String>, Header, description = "The `ETag` that the subscription must still have")),
    request_body = RetryPaymentRequest,
    responses((status = 200, description = "What became of it", body = RetryPaymentResponse),
              (status = 409, description = "It is being billed, or was changed", body = crate::http::ErrorBody),
              (status = 422, description = "The card is refused", body = crate::http::ErrorBody)))]
async fn retry_my_subscription_payment(
    shopper: Shopper,
    State(state): State<PaymentState>,
    Path(id): Path<SubscriptionId>,
    versions: IfMatch,
    Json(request): Json<RetryPaymentRequest>,
) -> Result<Answer, HttpError> {
    retry_payment(state, call(&shopper, id, versions), request).await
}
