//! The events that webhooks cause.

use serde::{Deserialize, Serialize};
use serde_json::json;

use super::delivery::Delivery;
use super::shipments::ParcelUpdate;
use super::vocabulary::Receiver;
use crate::database::{self, Tx};
use crate::events;
use crate::ids::{OrderId, WebhookDeliveryId};

/// The event of an update of a parcel.
pub(super) const SHIPMENT: &str = "shipment.status_changed";

/// The member of an effect that says that the update was announced.
pub(super) const ANNOUNCED: &str = "event";

#[derive(Debug, Serialize)]
struct ShipmentEvent<'a> {
    order_id: &'a OrderId,
    status: &'static str,
    carrier: &'a str,
    tracking_number: &'a str,
    source: Option<Receiver>,
    webhook_id: &'a WebhookDeliveryId,
}

/// Records the event of an update of a parcel.
pub(super) fn shipment(
    tx: &Tx<'_>,
    delivery: &Delivery,
    order_id: &OrderId,
    update: &ParcelUpdate,
) -> Result<(), database::Error> {
    let event = ShipmentEvent {
        order_id,
        status: update.state.as_str(),
        carrier: &update.carrier,
        tracking_number: &update.tracking_number,
        source: delivery.receiver,
        webhook_id: &delivery.id,
    };
    events::record(tx, SHIPMENT, &event)
}

/// Returns the delivery behind the event of an update of a parcel, or of a text message.
pub fn delivery_of(payload: &str) -> Option<WebhookDeliveryId> {
    #[derive(Deserialize)]
    struct Origin {
        webhook_id: WebhookDeliveryId,
    }
    serde_json::from_str::<Origin>(payload).ok().map(|origin| origin.webhook_id)
}

/// The event of an endpoint that the server has switched off.
pub(super) const DISABLED: &str = "webhook.endpoint_disabled";

/// The event of a delivery that is given up.
const DEAD: &str = "webhook.dead";

/// Records the event of a delivery that is given up, unless that was this event itself.
pub(super) fn dead(tx: &Tx<'_>, delivery: &Delivery) -> Result<(), database::Error> {
    if delivery.event.as_deref() == Some(DEAD) {
        return Ok(());
    }
    let event = json!({
        "id": delivery.id, "direction": delivery.direction, "receiver": delivery.receiver,
        "endpoint_id": delivery.endpoint_id, "event": delivery.event, "order_id": delivery.order_id,
    });
    events::record(tx, DEAD, &event)
}
