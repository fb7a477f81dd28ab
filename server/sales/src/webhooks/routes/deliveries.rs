//! `/admin/webhook-deliveries`: what came in and what goes out.
//!
//! Bodies are personal data: only administrators with the role `admin` read them.

use axum::extract::State;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use quotient_foundation::routes;
use serde::Serialize;
use serde_json::{Map, Value};
use utoipa_axum::router::OpenApiRouter;

use super::requests::{DiscardDeliveryRequest, NoRequest, RedeliverRequest, RouteDeliveryRequest};
use crate::auth::AdminWriter;
use crate::database::{Db, Table as _, Tx};
use crate::http::{HttpError, Json, Path, ToSchema};
use crate::ids::WebhookDeliveryId;
use crate::resource::AdminRoutes;
use crate::state::AppState;
use crate::webhooks::delivery::{Attempt, Delivery};
use crate::webhooks::error::WebhookError;
use crate::webhooks::{queries, redelivery};

pub(super) fn router() -> OpenApiRouter<AppState> {
    AdminRoutes::<Delivery, _>::at("/admin/webhook-deliveries", "Admin webhooks")
        .list()
        .note("What came in and what goes out, without the bodies.")
        .update_part_by(
            "/redeliver",
            "redeliver_delivery",
            "Deliver again",
            |NoRequest {}, tx, id, by| redelivery::redeliver(tx, id, by),
        )
        .note(
            "An incoming delivery is handled again, from the stored bytes, which is harmless if it has taken effect; an \
             unverified one is rejected. An outgoing delivery has the same id, a new time and a new signature.",
        )
        .update_part_by(
            "/discard",
            "discard_delivery",
            "Discard a delivery",
            |request: DiscardDeliveryRequest, tx, id, by| {
                redelivery::discard(tx, id, request.reason.into(), by)
            },
        )
        .note("It is not tried again; the audit log has the reason.")
        .update_part_by(
            "/route",
            "route_delivery",
            "Name the order of a parcel",
            |request: RouteDeliveryRequest, tx, id, by| {
                redelivery::route(tx, id, &request.order_id, by)
            },
        )
        .note("For a delivery whose sender named an order that does not exist; it is handled immediately.")
        .router()
        .routes(routes!(show_delivery))
        .routes(routes!(redeliver_deliveries))
}

/// How a body is written.
#[derive(Debug, Clone, Copy, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
enum BodyEncoding {
    Text,
    Base64,
}

/// A delivery with all stored data.
#[derive(Debug, Serialize, ToSchema)]
struct DeliveryDetail {
    #[serde(flatten)]
    delivery: Delivery,
    /// The stored headers.
    #[schema(value_type = Object)]
    headers: Map<String, Value>,
    /// The body; null once it is deleted.
    body: Option<String>,
    /// The encoding of the body: text, or base64 if it is not text.
    body_encoding: BodyEncoding,
    /// The attempts, the first one first.
    attempts: Vec<Attempt>,
}

/// One delivery with all stored data.
#[derive(Debug, Serialize, ToSchema)]
struct DeliveryDetailResponse {
    delivery: DeliveryDetail,
}

/// The number of deliveries.
#[derive(Debug, Serialize, ToSchema)]
struct RedeliverResponse {
    /// How many the filter matches, up to the limit.
    matched: u64,
    /// How many will be delivered again, at 20 a second.
    queued: u64,
}

fn detail(tx: &Tx<'_>, delivery: Delivery) -> Result<DeliveryDetail, WebhookError> {
    let id = &delivery.id;
    let (body, body_encoding) = match queries::body(tx, id)?.map(String::from_utf8) {
        None => (None, BodyEncoding::Text),
        Some(Ok(text)) => (Some(text), BodyEncoding::Text),
        Some(Err(bytes)) => (Some(STANDARD.encode(bytes.as_bytes())), BodyEncoding::Base64),
    };
    let attempts = queries::attempts(tx, id)?;
    Ok(DeliveryDetail {
        headers: delivery.headers.clone(),
        delivery,
        body,
        body_encoding,
        attempts,
    })
}

/// Show a delivery with its body, headers and attempts
#[crate::http::operation(get, path = "/admin/webhook-deliveries/{id}", tag = "Admin webhooks",
    params(("id" = WebhookDeliveryId, Path, description = "The delivery")),
    responses((status = 200, description = "The delivery", body = DeliveryDetailResponse)))]
async fn show_delivery(
    _admin: AdminWriter,
    State(db): State<Db>,
    Path(id): Path<WebhookDeliveryId>,
) -> Result<Json<DeliveryDetailResponse>, HttpError> {
    let delivery = db
        .read(move |tx| {
            let delivery = Delivery::require::<WebhookError>(tx, &id)?;
            detail(tx, delivery)
        })
        .await?;
    Ok(Json(DeliveryDetailResponse { delivery }))
}

/// Deliver many again
///
/// Oldest first, 20 a second. Without a status in the filter, the failed and the dead ones.
#[crate::http::operation(post, path = "/admin/webhook-deliveries/redeliver", tag = "Admin webhooks",
    request_body = RedeliverRequest,
    responses((status = 200, description = "How many", body = RedeliverResponse)))]
async fn redeliver_deliveries(
    admin: AdminWriter,
    State(db): State<Db>,
    Json(request): Json<RedeliverRequest>,
) -> Result<Json<RedeliverResponse>, HttpError> {
    let is_dry = request.dry_run;
    let selection = request.selection()?;
    let (matched, queued) =
        redelivery::redeliver_all(db, selection, is_dry, admin.actor_id()).await?;
    Ok(Json(RedeliverResponse { matched, queued }))
}
