//! A delivery, incoming from a sender or outgoing to an endpoint.

use serde::Serialize;
use serde_json::{Map, Value};

use super::error::WebhookError;
use super::outbound::endpoint::WebhookEndpoint;
use super::vocabulary::{Direction, Mode, Receiver, Signature, Status};
use crate::clock::Timestamp;
use crate::database::listing::Kind;
use crate::database::{Error, Record, Table as _, Tx};
use crate::http::{Resource, ToSchema};
use crate::ids::{OrderId, WebhookDeliveryId, WebhookEndpointId};

/// A delivery, without its body.
#[derive(Debug, Clone, Serialize, ToSchema, Record, Resource)]
#[record(table = "webhook_delivery d", title = "Webhook delivery")]
#[record(list(plural = "deliveries", order = "-received_at"))]
#[resource(name = "webhook delivery", key = "delivery", error = WebhookError)]
#[schema(as = WebhookDelivery)]
pub(super) struct Delivery {
    #[column(filter)]
    pub(super) id: WebhookDeliveryId,
    #[column(once, filter)]
    pub(super) direction: Direction,
    /// The sender of an incoming delivery.
    #[column(once, filter)]
    pub(super) receiver: Option<Receiver>,
    /// The endpoint that it is sent to.
    #[column(once, filter)]
    pub(super) endpoint_id: Option<WebhookEndpointId>,
    /// The id given by the sender; outgoing deliveries have that of their event.
    #[column(once, filter, kind = Kind::Id)]
    #[schema(example = "evt_01JD2Q8Z5M6T3W9XKCV4B7N0RE")]
    pub(super) external_id: String,
    /// Whether it may have an effect: its signature was valid, or its sender never signs.
    #[column(once)]
    pub(super) is_verified: bool,
    /// The event that it reports.
    #[column(filter)]
    #[schema(example = "order.placed")]
    pub(super) event: Option<String>,
    #[column(once)]
    pub(super) mode: Option<Mode>,
    #[column(once, filter)]
    pub(super) signature: Option<Signature>,
    /// Whether the body is not whole.
    pub(super) is_cut: bool,
    #[column(once, json)]
    #[serde(skip)]
    pub(super) headers: Map<String, Value>,
    #[column(filter)]
    pub(super) status: Status,
    /// How often it was tried.
    pub(super) attempt_count: i64,
    /// Why it was not handled.
    pub(super) last_error: Option<String>,
    #[column(filter)]
    pub(super) order_id: Option<OrderId>,
    /// The ids of what it changed.
    #[column(json)]
    #[schema(value_type = Object)]
    pub(super) effect: Map<String, Value>,
    /// When it happened, according to the sender.
    pub(super) occurred_at: Option<Timestamp>,
    #[column(once, filter, order)]
    pub(super) received_at: Timestamp,
    pub(super) handled_at: Option<Timestamp>,
}

impl Delivery {
    /// Returns an incoming delivery.
    pub(super) fn inbound(receiver: Receiver, external_id: String, now: Timestamp) -> Self {
        Self {
            receiver: Some(receiver),
            status: Status::Received,
            ..Self::new(Direction::Inbound, external_id, now)
        }
    }

    /// Returns a delivery that goes out.
    pub(super) fn outbound(
        endpoint_id: WebhookEndpointId,
        external_id: String,
        now: Timestamp,
    ) -> Self {
        Self { endpoint_id: Some(endpoint_id), ..Self::new(Direction::Outbound, external_id, now) }
    }

    fn new(direction: Direction, external_id: String, now: Timestamp) -> Self {
        Self {
            id: WebhookDeliveryId::new(),
            direction,
            receiver: None,
            endpoint_id: None,
            external_id,
            is_verified: false,
            event: None,
            mode: None,
            signature: None,
            is_cut: false,
            headers: Map::new(),
            status: Status::Pending,
            attempt_count: 0,
            last_error: None,
            order_id: None,
            effect: Map::new(),
            occurred_at: None,
            received_at: now,
            handled_at: None,
        }
    }

    /// Returns the endpoint that it is sent to, if that still exists.
    pub(super) fn endpoint(&self, tx: &Tx<'_>) -> Result<Option<WebhookEndpoint>, Error> {
        let id = self.endpoint_id.as_ref();
        Ok(id.map(|id| WebhookEndpoint::find(tx, id)).transpose()?.flatten())
    }

    /// Sets its outcome; a repetition may still change it.
    pub(super) fn end(&mut self, status: Status, error: Option<String>, now: Timestamp) {
        self.status = status;
        self.last_error = error;
        self.handled_at = (status == Status::Handled).then_some(now);
    }
}

/// An attempt to handle or to send a delivery.
#[derive(Debug, Clone, Serialize, ToSchema, Record)]
#[record(table = "webhook_attempt a")]
#[schema(as = WebhookAttempt)]
pub(super) struct Attempt {
    #[serde(skip)]
    pub(super) delivery_id: WebhookDeliveryId,
    pub(super) number: i64,
    pub(super) at: Timestamp,
    pub(super) duration_ms: Option<i64>,
    pub(super) status: Option<i64>,
    pub(super) error: Option<String>,
    /// The first KiB of the response.
    pub(super) answer: Option<String>,
}

/// What a delivery does.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Effect {
    /// It has changed these.
    Done(Map<String, Value>),
    /// Passed to a subscriber, which will end it.
    Announced,
    /// It has no effect; the reason.
    Skipped(String),
    /// Its subject does not exist yet.
    Waits(String),
}

impl Effect {
    /// Returns an effect with these changes; null members are left out.
    pub(super) fn done<const N: usize>(changed: [(&str, Value); N]) -> Self {
        let changed = changed.into_iter().filter(|(_, value)| !value.is_null());
        Self::Done(changed.map(|(name, value)| (name.to_owned(), value)).collect())
    }
}
