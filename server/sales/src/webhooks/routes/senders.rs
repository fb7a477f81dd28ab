//! `/webhooks/…`: the routes that other systems call.
//!
//! They are public: what has an effect is signed. Their errors have the body `{error}`; bodies over 1 MiB, too many calls
//! and overload are refused as everywhere.

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use quotient_foundation::routes;
use serde::Serialize;
use serde_json::Value;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;

use crate::http::{Json, Path};
use crate::state::AppState;
use crate::webhooks::intake::Incoming;
use crate::webhooks::receive::processor::Outcome;
use crate::webhooks::receive::{email, partner, platform, processor, sms, warehouse};
use crate::webhooks::state::WebhookState;
use crate::webhooks::vocabulary::{Mode, Signature};

pub(super) fn router() -> OpenApiRouter<AppState> {
    OpenApiRouter::new()
        .routes(routes!(receive_from_warehouse))
        .routes(routes!(receive_from_fulfillment_partner))
        .routes(routes!(receive_from_email_provider))
        .routes(routes!(receive_from_sms_provider))
        .routes(routes!(receive_from_shipping_platform))
        .routes(routes!(receive_from_card_processor))
}

/// Why a delivery is not taken.
#[derive(Debug, Serialize, ToSchema)]
struct WebhookErrorBody {
    #[schema(example = "the signature is not valid")]
    error: String,
}

/// The receipt of a delivery about a parcel.
#[derive(Debug, Serialize, ToSchema)]
struct ParcelReceipt {
    #[schema(example = true)]
    received: bool,
    mode: Mode,
    /// Whether it is about a parcel of an order that is known; only where it is acted on.
    #[serde(skip_serializing_if = "Option::is_none")]
    routed: Option<bool>,
}

/// Receive what the warehouse reports
///
/// `order_update` with `cust_ref` (the id or the number of an order), `order_status`, `carrier`, `tracking_no` and
/// `items`, as JSON or as a form. It is always answered with 200, and has no limits: a body is kept to 16 MiB, and what
/// the database cannot take waits in memory. Without `WAREHOUSE_WEBHOOK_RECORD_ENABLED` it is only kept; with it, news of
/// a known order become the event `shipment.status_changed`, which makes the fulfillment.
#[utoipa::path(post, path = "/webhooks/warehouse-integration", tag = "Webhooks", request_body = Option<Value>,
    responses((status = 200, description = "It is kept", body = ParcelReceipt)))]
async fn receive_from_warehouse(
    State(state): State<WebhookState>,
    incoming: Incoming,
) -> Json<ParcelReceipt> {
    let warehouse::Receipt { mode, is_routed } = warehouse::receive(state, incoming).await;
    Json(ParcelReceipt {
        received: true,
        mode,
        routed: (mode == Mode::Record).then_some(is_routed),
    })
}

/// The receipt of the fulfillment partner.
#[derive(Debug, Serialize, ToSchema)]
struct PartnerReceipt {
    #[schema(example = true)]
    received: bool,
    mode: Mode,
    /// Whether there was a signature and a secret; absent for a repetition.
    #[serde(skip_serializing_if = "Option::is_none")]
    signature_checked: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    signature_valid: Option<bool>,
}

/// Receive what the fulfillment partner reports
///
/// `{type: "shipment.shipped" | "shipment.delivered" | "shipment.returned" | "shipment.canceled", data: {order_id,
/// carrier, tracking_number, tracking_url, items: [{sku, quantity}], occurred_at}}`, signed as Standard Webhooks says. The
/// signature is checked where there is a secret and a signature. In `capture` nothing is refused and nothing has an
/// effect; in `record` a missing or wrong signature is 401.
#[utoipa::path(post, path = "/webhooks/fulfillment-partner", tag = "Webhooks", request_body = Option<Value>,
    responses((status = 200, description = "It is kept", body = PartnerReceipt),
              (status = 401, description = "The signature is missing or wrong", body = WebhookErrorBody),
              (status = 500, description = "It cannot be kept", body = WebhookErrorBody)))]
async fn receive_from_fulfillment_partner(
    State(state): State<WebhookState>,
    incoming: Incoming,
) -> Response {
    match partner::receive(state, incoming).await {
        Ok(partner::Receipt { mode, signature, is_repeated }) => {
            let is_checked = matches!(signature, Signature::Valid | Signature::Invalid);
            Json(PartnerReceipt {
                received: true,
                mode,
                signature_checked: (!is_repeated).then_some(is_checked),
                signature_valid: (!is_repeated).then_some(signature == Signature::Valid),
            })
            .into_response()
        }
        Err(error) => error.answer(StatusCode::UNAUTHORIZED),
    }
}

/// The receipt of the e-mail provider: `mode` in capture, otherwise one of the other members.
#[derive(Debug, Default, Serialize, ToSchema)]
struct EmailReceipt {
    #[schema(example = true)]
    received: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    mode: Option<Mode>,
    /// It was there already.
    #[serde(skip_serializing_if = "Option::is_none")]
    duplicate: Option<bool>,
    /// It is about an e-mail of an order.
    #[serde(skip_serializing_if = "Option::is_none")]
    recorded: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(example = "order_01JD2Q8Z5M6T3W9XKCV4B7N0RE")]
    order_id: Option<String>,
    /// It is about another e-mail of this store.
    #[serde(skip_serializing_if = "Option::is_none")]
    correlated: Option<bool>,
    /// Whether it had an effect.
    #[serde(skip_serializing_if = "Option::is_none")]
    handled: Option<bool>,
}

/// Receive what the e-mail provider reports
///
/// `{type: "email.sent" | "email.delivered" | "email.opened" | "email.clicked" | "email.failed" | "email.bounced" |
/// "email.complained", data: {email_id}}`, signed as Standard Webhooks says. `data.email_id`, or `data.message_id`, is the
/// `Message-ID` of an e-mail. Without the headers of a signature it is 401 in either mode, for they have the id that
/// repetitions are known by.
#[utoipa::path(post, path = "/webhooks/email-provider", tag = "Webhooks", request_body = Option<Value>,
    responses((status = 200, description = "It is kept", body = EmailReceipt),
              (status = 401, description = "The signature is missing or wrong", body = WebhookErrorBody),
              (status = 500, description = "It cannot be kept", body = WebhookErrorBody)))]
async fn receive_from_email_provider(
    State(state): State<WebhookState>,
    incoming: Incoming,
) -> Response {
    let receipt = match email::receive(state, incoming).await {
        Ok(receipt) => receipt,
        Err(error) => return error.answer(StatusCode::UNAUTHORIZED),
    };
    let empty = EmailReceipt { received: true, ..EmailReceipt::default() };
    let receipt = match receipt {
        email::Receipt::Captured => EmailReceipt { mode: Some(Mode::Capture), ..empty },
        email::Receipt::Repeated => EmailReceipt { duplicate: Some(true), ..empty },
        email::Receipt::Recorded(order) => {
            EmailReceipt { recorded: Some(true), order_id: Some(order), ..empty }
        }
        email::Receipt::Correlated => EmailReceipt { correlated: Some(true), ..empty },
        email::Receipt::Handled(is_handled) => EmailReceipt { handled: Some(is_handled), ..empty },
    };
    Json(receipt).into_response()
}

/// The receipt of the provider of text messages: `mode` in capture, otherwise one of the other members.
#[derive(Debug, Default, Serialize, ToSchema)]
struct SmsReceipt {
    #[schema(example = true)]
    received: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    mode: Option<Mode>,
    /// It was there already.
    #[serde(skip_serializing_if = "Option::is_none")]
    duplicate: Option<bool>,
    /// Whether it is a message, which is read.
    #[serde(skip_serializing_if = "Option::is_none")]
    handled: Option<bool>,
}

/// Receive the text messages of customers
///
/// `{type: "sms.received", data: {from, text, sent_at?}}`, signed as Standard Webhooks says; `from` is a number with `+` and
/// its country code. `STOP`, and what is usual for it, withdraws every consent of the number, which is then written to no more
/// until it sends `START`; `HELP` is answered. Without the headers of a signature it is 401 in either mode, for they have the
/// id that repetitions are known by.
#[utoipa::path(post, path = "/webhooks/sms-provider", tag = "Webhooks", request_body = Option<Value>,
    responses((status = 200, description = "It is kept", body = SmsReceipt),
              (status = 401, description = "The signature is missing or wrong", body = WebhookErrorBody),
              (status = 500, description = "It cannot be kept", body = WebhookErrorBody)))]
async fn receive_from_sms_provider(
    State(state): State<WebhookState>,
    incoming: Incoming,
) -> Response {
    let empty = SmsReceipt { received: true, ..SmsReceipt::default() };
    let receipt = match sms::receive(state, incoming).await {
        Ok(sms::Receipt::Captured) => SmsReceipt { mode: Some(Mode::Capture), ..empty },
        Ok(sms::Receipt::Repeated) => SmsReceipt { duplicate: Some(true), ..empty },
        Ok(sms::Receipt::Handled(is_handled)) => SmsReceipt { handled: Some(is_handled), ..empty },
        Err(error) => return error.answer(StatusCode::UNAUTHORIZED),
    };
    Json(receipt).into_response()
}

/// Receive what the shipping platform reports
///
/// The last part of the path is the kind of event: `tracking` is acted on, `label`, `shipment`, `batch` and `rate` are
/// kept. A parcel is named by its order (`order_id`, `reference` or `metadata.order_id`) or by a tracking number that is
/// known. Signed by `X-Hmac-Signature: hmac-sha256-hex=…`, unless the settings name another scheme.
#[utoipa::path(post, path = "/webhooks/shipping-platform/{event}", tag = "Webhooks",
    params(("event" = String, Path, description = "The kind of event", example = "tracking")), request_body = Option<Value>,
    responses((status = 200, description = "It is kept", body = ParcelReceipt),
              (status = 401, description = "The signature is missing or wrong", body = WebhookErrorBody),
              (status = 404, description = "There are no such events", body = WebhookErrorBody),
              (status = 500, description = "It cannot be kept", body = WebhookErrorBody)))]
async fn receive_from_shipping_platform(
    State(state): State<WebhookState>,
    Path(event): Path<String>,
    incoming: Incoming,
) -> Response {
    let Some(event) = platform::EVENTS.into_iter().find(|known| *known == event) else {
        let error = WebhookErrorBody { error: "there are no such events".to_owned() };
        return (StatusCode::NOT_FOUND, Json(error)).into_response();
    };
    match platform::receive(state, event, incoming).await {
        Ok(platform::Receipt { mode, is_routed }) => {
            let routed = (mode == Mode::Record).then_some(is_routed);
            Json(ParcelReceipt { received: true, mode, routed }).into_response()
        }
        Err(error) => error.answer(StatusCode::UNAUTHORIZED),
    }
}

/// The receipt of the card processor: `error` if it is kept and will be applied later, otherwise what it did.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct ProcessorReceipt {
    #[schema(example = true)]
    received: bool,
    /// Whether it has no effect; then `reason` says why.
    #[serde(skip_serializing_if = "Option::is_none")]
    skipped: Option<bool>,
    /// `unhandled_type`, `unknown_session`, `already_applied`, `stale`, `wrong_mode`, `amount_mismatch` or `unreadable`.
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(example = "evt_1QXyzA2eZvKYlo2C0a1b2c3d")]
    event_id: Option<String>,
    /// `captured`, `authorized`, `requires_action`, `failed`, `canceled`, `refunded`, `disputed`, `method_saved`, `method_failed`,
    /// `method_changed` or `not_supported`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(example = "captured")]
    action: Option<&'static str>,
    /// The payment session; only where the event is skipped, and null if it names none.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>)]
    session_id: Option<Value>,
    /// Why it is not applied yet.
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<String>,
}

/// Receive the events of the card processor
///
/// Signed by `Stripe-Signature`, whose time may differ by 600 seconds in either direction. Events of one payment are
/// joined, so that neither their order nor their repetition matters: captured outranks canceled, authorized, failed and
/// pending, and amounts are the largest totals that were seen. The session is that of `metadata.session_id` or
/// `metadata.cycle_id`, else the one whose payment has the intent's id. A cart whose money is there and that is no order
/// half a minute later is completed.
#[utoipa::path(post, path = "/webhooks/card-processor-tolerant", tag = "Webhooks", request_body = Option<Value>,
    responses((status = 200, description = "It is kept", body = ProcessorReceipt),
              (status = 400, description = "The signature is missing, wrong or too old", body = WebhookErrorBody),
              (status = 500, description = "There is no secret, or it cannot be kept", body = WebhookErrorBody)))]
async fn receive_from_card_processor(
    State(state): State<WebhookState>,
    incoming: Incoming,
) -> Response {
    let receipt = match processor::receive(state, incoming).await {
        Ok(receipt) => receipt,
        Err(error) => return error.answer(StatusCode::BAD_REQUEST),
    };
    let processor::Receipt { event_id, action, session_id, outcome } = receipt;
    let told = ProcessorReceipt {
        received: true,
        skipped: None,
        reason: None,
        event_id: Some(event_id),
        action: Some(action),
        session_id: None,
        error: None,
    };
    let receipt = match outcome {
        Outcome::Applied => told,
        Outcome::Skipped(reason) => ProcessorReceipt {
            skipped: Some(true),
            reason: Some(reason),
            session_id: Some(session_id.into()),
            ..told
        },
        Outcome::Failed(error) => {
            ProcessorReceipt { event_id: None, action: None, error: Some(error), ..told }
        }
    };
    Json(receipt).into_response()
}
