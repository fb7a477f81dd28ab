//! `/webhooks/…`: the routes that other systems call.
//!
//! They are public: everything with an effect is signed. Their errors have the body `{error}`; bodies over 1 MiB, too
//! many calls and overload are rejected as everywhere.

use axum::extract::{FromRequest, Request, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use quotient_foundation::middleware::CutBody;
use quotient_foundation::routes;
use serde::Serialize;
use serde_json::json;
use utoipa_axum::router::OpenApiRouter;

use crate::http::{HttpError, Json, Path, ToSchema};
use crate::state::AppState;
use crate::webhooks::intake::Incoming;
use crate::webhooks::receive::email::{self, EmailReceipt};
use crate::webhooks::receive::partner::{self, PartnerReceipt};
use crate::webhooks::receive::processor::{self, ProcessorReceipt};
use crate::webhooks::receive::sms::{self, SmsReceipt};
use crate::webhooks::receive::{ParcelReceipt, ReceiveError, platform, warehouse};
use crate::webhooks::state::WebhookState;

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

/// Returns the response to a delivery, or why it is rejected; `refused` is the status for a missing or wrong signature.
fn answer(receipt: Result<impl Serialize, ReceiveError>, refused: StatusCode) -> Response {
    match receipt {
        Ok(receipt) => Json(receipt).into_response(),
        Err(error) => error.answer(refused),
    }
}

/// Receive what the warehouse reports
///
/// `order_update` with `cust_ref` (the id or the number of an order), `order_status`, `carrier`, `tracking_no` and
/// `items`, as JSON or as a form. The response is always 200, and there are no limits: up to 16 MiB of a body are stored,
/// and what the database cannot accept waits in memory. Without `WAREHOUSE_WEBHOOK_RECORD_ENABLED` it is only stored;
/// with it, news of a known order becomes the event `shipment.status_changed`, which creates the fulfillment.
#[crate::http::operation(post, path = "/webhooks/warehouse-integration", tag = "Webhooks", request_body = Option<Value>,
    responses((status = 200, description = "It is kept", body = ParcelReceipt)))]
async fn receive_from_warehouse(
    State(state): State<WebhookState>,
    incoming: Incoming,
) -> Json<ParcelReceipt> {
    Json(warehouse::receive(state, incoming).await)
}

/// Receive what the fulfillment partner reports
///
/// `{type: "shipment.shipped" | "shipment.delivered" | "shipment.returned" | "shipment.canceled", data: {order_id,
/// carrier, tracking_number, tracking_url, items: [{sku, quantity}], occurred_at}}`, signed according to Standard
/// Webhooks. The signature is checked if there is a secret and a signature. In `capture`, nothing is rejected and nothing
/// has an effect; in `record`, a missing or wrong signature is a 401.
#[crate::http::operation(post, path = "/webhooks/fulfillment-partner", tag = "Webhooks", request_body = Option<Value>,
    responses((status = 200, description = "It is kept", body = PartnerReceipt),
              (status = 401, description = "The signature is missing or wrong", body = WebhookErrorBody),
              (status = 500, description = "It cannot be kept", body = WebhookErrorBody)))]
async fn receive_from_fulfillment_partner(
    State(state): State<WebhookState>,
    incoming: Incoming,
) -> Response {
    answer(partner::receive(state, incoming).await, StatusCode::UNAUTHORIZED)
}

/// Receive what the e-mail provider reports
///
/// `{type: "email.sent" | "email.delivered" | "email.opened" | "email.clicked" | "email.failed" | "email.bounced" |
/// "email.complained", data: {email_id}}`, signed according to Standard Webhooks. `data.email_id`, or `data.message_id`,
/// is the `Message-ID` of an e-mail. Without the headers of a signature it is a 401 in either mode, because they contain
/// the id by which repetitions are recognised.
#[crate::http::operation(post, path = "/webhooks/email-provider", tag = "Webhooks", request_body = Option<Value>,
    responses((status = 200, description = "It is kept", body = EmailReceipt),
              (status = 401, description = "The signature is missing or wrong", body = WebhookErrorBody),
              (status = 500, description = "It cannot be kept", body = WebhookErrorBody)))]
async fn receive_from_email_provider(
    State(state): State<WebhookState>,
    incoming: Incoming,
) -> Response {
    answer(email::receive(state, incoming).await, StatusCode::UNAUTHORIZED)
}

/// Receive the text messages of customers
///
/// `{type: "sms.received", data: {from, text, sent_at?}}`, signed according to Standard Webhooks; `from` is a number with `+`
/// and its country code. `STOP` and its usual equivalents withdraw every consent of the number, which then receives no
/// messages until it sends `START`; `HELP` is answered. Without the headers of a signature it is a 401 in either mode, because
/// they contain the id by which repetitions are recognised.
#[crate::http::operation(post, path = "/webhooks/sms-provider", tag = "Webhooks", request_body = Option<Value>,
    responses((status = 200, description = "It is kept", body = SmsReceipt),
              (status = 401, description = "The signature is missing or wrong", body = WebhookErrorBody),
              (status = 500, description = "It cannot be kept", body = WebhookErrorBody)))]
async fn receive_from_sms_provider(
    State(state): State<WebhookState>,
    incoming: Incoming,
) -> Response {
    answer(sms::receive(state, incoming).await, StatusCode::UNAUTHORIZED)
}

/// Receive what the shipping platform reports
///
/// The last part of the path is the kind of event: `tracking` has an effect, `label`, `shipment`, `batch` and `rate` are
/// only stored. A parcel is identified by its order (`order_id`, `reference` or `metadata.order_id`) or by a known
/// tracking number. Signed by `X-Hmac-Signature: hmac-sha256-hex=…`, unless the settings name another scheme.
#[crate::http::operation(post, path = "/webhooks/shipping-platform/{event}", tag = "Webhooks",
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
    answer(platform::receive(state, event, incoming).await, StatusCode::UNAUTHORIZED)
}

/// Receive the events of the card processor
///
/// Signed by `Stripe-Signature`, whose time may differ by 600 seconds in either direction. Events of one payment are
/// joined, so that neither their order nor their repetition matters: captured outranks canceled, authorized, failed and
/// pending, and amounts are the largest totals reported. The session is that of `metadata.session_id` or
/// `metadata.cycle_id`, else the one whose payment has the intent's id. A cart whose payment has arrived and which is
/// not an order half a minute later is completed.
#[crate::http::operation(post, path = "/webhooks/card-processor-tolerant", tag = "Webhooks", request_body = Option<Value>,
    responses((status = 200, description = "It is kept", body = ProcessorReceipt),
              (status = 400, description = "The signature is missing, wrong or too old", body = WebhookErrorBody),
              (status = 500, description = "There is no secret, or it cannot be kept", body = WebhookErrorBody)))]
async fn receive_from_card_processor(
    State(state): State<WebhookState>,
    incoming: Incoming,
) -> Response {
    answer(processor::receive(state, incoming).await, StatusCode::BAD_REQUEST)
}

impl<S: Send + Sync> FromRequest<S> for Incoming {
    type Rejection = HttpError;

    /// The body layer has already read it, up to the limit of the route.
    async fn from_request(request: Request, _state: &S) -> Result<Self, HttpError> {
        let is_cut = request.extensions().get::<CutBody>().is_some();
        let (parts, body) = request.into_parts();
        let body = axum::body::to_bytes(body, usize::MAX).await.map_err(HttpError::unexpected)?;
        Ok(Self { headers: parts.headers, body, is_cut })
    }
}

impl ReceiveError {
    /// Returns the response in the format of these routes; `refused` is the status for a missing or wrong
    /// signature.
    pub(super) fn answer(self, refused: StatusCode) -> Response {
        let (status, error) = match self {
            Self::Refused(refusal) => (refused, refusal.to_string()),
            Self::NoSecret => {
                (StatusCode::INTERNAL_SERVER_ERROR, "the webhook has no secret".to_owned())
            }
            Self::NotStored(error) => {
                tracing::error!(%error, "a webhook cannot be kept");
                (StatusCode::INTERNAL_SERVER_ERROR, "the webhook cannot be kept".to_owned())
            }
        };
        (status, Json(json!({ "error": error }))).into_response()
    }
}
