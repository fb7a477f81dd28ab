//! `/admin/orders/{id}/fulfillments`: every step returns the order.

use quotient_foundation::routes;
use utoipa_axum::router::OpenApiRouter;

use super::steps::{self, Label, NewFulfillment};
use super::{FulfillmentError, Pieces};
use crate::auth::AdminWriter;
use crate::database::Tx;
use crate::http::{Answer, Fields, HttpError, Json, OneRequest, OptionalText, Text, request};
use crate::ids::{FulfillmentId, OrderId, OrderLineId, ShippingOptionId, StockLocationId};
use crate::metadata::MetadataPatch;
use crate::orders::OrderResponse;
use crate::orders::admin::order_view;
use crate::orders::view::OrderView;

pub fn router() -> OpenApiRouter<crate::state::AppState> {
    OpenApiRouter::new()
        .routes(routes!(create_fulfillment))
        .routes(routes!(create_shipment))
        .routes(routes!(mark_fulfillment_as_delivered))
        .routes(routes!(cancel_fulfillment))
}

/// A number of pieces of one line.
#[request]
pub(super) struct FulfillmentItemRequest {
    id: OrderLineId,
    /// The number of pieces.
    #[schema(minimum = 1, example = 1)]
    quantity: i64,
}

impl From<FulfillmentItemRequest> for Pieces {
    fn from(item: FulfillmentItemRequest) -> Self {
        Self { line_id: item.id, quantity: item.quantity }
    }
}

/// Items to pack.
#[request]
#[schema(example = json!({ "items": [{ "id": "ordli_01JD2Q8Z5M6T3W9XKCV4B7N0RE", "quantity": 2 }] }))]
pub(super) struct CreateFulfillmentRequest {
    items: Vec<FulfillmentItemRequest>,
    /// Defaults to the location where they are reserved.
    location_id: Option<StockLocationId>,
    /// Defaults to the customer's choice.
    shipping_option_id: Option<ShippingOptionId>,
    /// Has no effect: the customer is notified when the fulfillment is shipped.
    #[serde(default)]
    #[expect(dead_code, reason = "clients send it; customers are told of shipments alone")]
    no_notification: bool,
    metadata: Option<MetadataPatch>,
}

/// A label on a parcel.
#[request]
pub(super) struct LabelRequest {
    #[schema(example = "TRK1")]
    tracking_number: Text,
    #[schema(example = "https://carrier.example/TRK1")]
    tracking_url: Option<OptionalText<2000>>,
    /// The URL of the printable label.
    label_url: Option<OptionalText<2000>>,
}

impl From<LabelRequest> for Label {
    fn from(label: LabelRequest) -> Self {
        let text = |sent: Option<OptionalText<2000>>| {
            sent.and_then(OptionalText::into_option).unwrap_or_default()
        };
        Self {
            tracking_number: label.tracking_number.into(),
            tracking_url: text(label.tracking_url),
            print_url: text(label.label_url),
        }
    }
}

/// A shipment of a fulfillment.
#[request]
#[schema(example = json!({ "labels": [{ "tracking_number": "TRK1", "tracking_url": "#", "label_url": "#" }] }))]
pub(super) struct CreateShipmentRequest {
    /// All items of the fulfillment, or absent.
    items: Option<Vec<FulfillmentItemRequest>>,
    #[serde(default)]
    labels: Vec<LabelRequest>,
    /// Whether to skip the e-mail to the customer.
    #[serde(default)]
    no_notification: bool,
}

/// A fulfillment to cancel.
#[request]
pub(super) struct CancelFulfillmentRequest {
    /// Has no effect: the customer is notified when the fulfillment is shipped.
    #[serde(default)]
    #[expect(dead_code, reason = "clients send it; customers are told of shipments alone")]
    no_notification: bool,
}

/// Packs items of an order. They are removed from stock together with their reservation.
#[crate::http::operation(post, path = "/admin/orders/{id}/fulfillments", tag = "Admin orders",
    params(("id" = OrderId, Path), Fields<OrderView>), request_body = CreateFulfillmentRequest,
    responses((status = 200, description = "The order", body = OrderResponse)))]
pub(super) async fn create_fulfillment(
    OneRequest { caller, db, id: order_id, fields }: OneRequest<AdminWriter, OrderId, OrderView>,
    Json(request): Json<CreateFulfillmentRequest>,
) -> Result<Answer, HttpError> {
    fields
        .write(db, move |tx, selection| {
            let new = NewFulfillment {
                order_id: order_id.clone(),
                pieces: request.items.into_iter().map(Pieces::from).collect(),
                location_id: request.location_id,
                shipping_option_id: request.shipping_option_id,
                metadata: request.metadata.unwrap_or_default().create()?,
                actor_id: Some(caller.actor_id().to_owned()),
            };
            steps::pack(tx, new)?;
            Ok::<_, FulfillmentError>(order_view(tx, &order_id, selection)?)
        })
        .await
}

type StepRequest = OneRequest<AdminWriter, (OrderId, FulfillmentId), OrderView>;

/// Takes a step with a fulfillment, and returns its order.
async fn take_step(
    OneRequest { db, id: (order_id, id), fields, .. }: StepRequest,
    step: impl FnOnce(&Tx<'_>, &OrderId, &FulfillmentId) -> Result<(), FulfillmentError>
    + Send
    + 'static,
) -> Result<Answer, HttpError> {
    fields
        .write(db, move |tx, selection| {
            step(tx, &order_id, &id)?;
            Ok::<_, FulfillmentError>(order_view(tx, &order_id, selection)?)
        })
        .await
}

/// Records that a fulfillment was shipped as a whole, with its labels.
#[crate::http::operation(post, path = "/admin/orders/{id}/fulfillments/{fulfillment_id}/shipments", tag = "Admin orders",
    params(("id" = OrderId, Path), ("fulfillment_id" = FulfillmentId, Path), Fields<OrderView>),
    request_body = CreateShipmentRequest,
    responses((status = 200, description = "The order", body = OrderResponse)))]
pub(super) async fn create_shipment(
    fulfillment: StepRequest,
    Json(request): Json<CreateShipmentRequest>,
) -> Result<Answer, HttpError> {
    let named: Option<Vec<Pieces>> =
        request.items.map(|items| items.into_iter().map(Pieces::from).collect());
    let labels: Vec<Label> = request.labels.into_iter().map(Label::from).collect();
    take_step(fulfillment, move |tx, order_id, id| {
        steps::ship(tx, (order_id, id), named.as_deref(), &labels, request.no_notification)
    })
    .await
}

/// Records that a fulfillment was delivered or picked up.
#[crate::http::operation(post, path = "/admin/orders/{id}/fulfillments/{fulfillment_id}/mark-as-delivered", tag = "Admin orders",
    params(("id" = OrderId, Path), ("fulfillment_id" = FulfillmentId, Path), Fields<OrderView>),
    responses((status = 200, description = "The order", body = OrderResponse)))]
pub(super) async fn mark_fulfillment_as_delivered(
    fulfillment: StepRequest,
) -> Result<Answer, HttpError> {
    take_step(fulfillment, steps::deliver).await
}

/// Cancels a fulfillment that is not shipped yet. Its items return to stock, reserved for the order unless it is archived.
#[crate::http::operation(post, path = "/admin/orders/{id}/fulfillments/{fulfillment_id}/cancel", tag = "Admin orders",
    params(("id" = OrderId, Path), ("fulfillment_id" = FulfillmentId, Path), Fields<OrderView>),
    request_body = CancelFulfillmentRequest,
    responses((status = 200, description = "The order", body = OrderResponse)))]
pub(super) async fn cancel_fulfillment(
    fulfillment: StepRequest,
    Json(_request): Json<CancelFulfillmentRequest>,
) -> Result<Answer, HttpError> {
    take_step(fulfillment, steps::cancel).await
}
