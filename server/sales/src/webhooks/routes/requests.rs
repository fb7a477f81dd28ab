//! The bodies of requests about deliveries and endpoints.

use serde::Deserialize;

use crate::clock::Timestamp;
use crate::http::{HttpError, Patch, Text, ToSchema, request};
use crate::ids::{OrderId, WebhookEndpointId};
use crate::webhooks::outbound::endpoint::EndpointChange;
use crate::webhooks::queries::Selection;
use crate::webhooks::vocabulary::{Direction, Receiver, Status};

/// Limit: deliveries that one request delivers again.
const MAX_REDELIVERIES: u32 = 10_000;

/// Limit: event names per endpoint.
const MAX_EVENTS: usize = 50;

/// Nothing.
#[request]
pub(super) struct NoRequest {}

/// Why a delivery is discarded.
#[request]
pub(super) struct DiscardDeliveryRequest {
    #[schema(example = "The parcel was entered by hand.")]
    pub(super) reason: Text<500>,
}

/// The order that a parcel belongs to.
#[request]
pub(super) struct RouteDeliveryRequest {
    pub(super) order_id: OrderId,
}

/// Which deliveries are delivered again.
#[request]
#[schema(example = json!({ "filter": { "direction": "outbound", "status": "dead" }, "limit": 500, "dry_run": true }))]
pub(super) struct RedeliverRequest {
    pub(super) filter: RedeliveryFilter,
    /// At most so many, the oldest first; 1,000 if absent.
    #[schema(minimum = 1, maximum = 10000)]
    limit: Option<u32>,
    /// Only count them.
    #[serde(default)]
    pub(super) dry_run: bool,
}

/// Conditions that all must hold.
#[request]
pub(super) struct RedeliveryFilter {
    direction: Option<Direction>,
    receiver: Option<Receiver>,
    endpoint_id: Option<WebhookEndpointId>,
    event: Option<Text<100>>,
    /// `failed` or `dead`; both if absent.
    status: Option<RedeliverableStatus>,
    order_id: Option<OrderId>,
    received_at: Option<ReceivedBetween>,
}

/// A status of deliveries that are worth another attempt.
#[derive(Debug, Clone, Copy, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
enum RedeliverableStatus {
    Failed,
    Dead,
}

/// Instants, both included.
#[request]
struct ReceivedBetween {
    #[serde(rename = "$gte")]
    from: Option<Timestamp>,
    #[serde(rename = "$lte")]
    to: Option<Timestamp>,
}

impl RedeliverRequest {
    /// Returns the selection; 400 if the limit is out of range.
    pub(super) fn selection(self) -> Result<Selection, HttpError> {
        let limit = self.limit.unwrap_or(1_000);
        if !(1..=MAX_REDELIVERIES).contains(&limit) {
            let message = format!("`limit` must be from 1 to {MAX_REDELIVERIES}");
            return Err(HttpError::invalid_data(message));
        }
        let filter = self.filter;
        let received = filter.received_at;
        let (from, to) = received.map_or((None, None), |received| (received.from, received.to));
        Ok(Selection {
            direction: filter.direction,
            receiver: filter.receiver,
            endpoint_id: filter.endpoint_id.map(|id| id.to_string()),
            event: filter.event.map(String::from),
            statuses: match filter.status {
                Some(RedeliverableStatus::Failed) => vec![Status::Failed],
                Some(RedeliverableStatus::Dead) => vec![Status::Dead],
                None => vec![Status::Failed, Status::Dead],
            },
            order_id: filter.order_id,
            from: from.unwrap_or(Timestamp::from_millis(0)),
            to: to.unwrap_or(Timestamp::from_millis(i64::MAX)),
            limit,
        })
    }
}

/// A new endpoint.
#[request]
#[schema(example = json!({ "url": "https://hooks.shop.example/quotient", "events": ["order.*", "payment.captured"] }))]
pub(super) struct CreateEndpointRequest {
    /// Where events are sent: `http` or `https`, with a public address.
    #[schema(example = "https://hooks.shop.example/quotient")]
    url: Text<2048>,
    /// The names of events: `order.placed`, a family such as `order.*`, or `*`.
    #[schema(min_items = 1, max_items = 50)]
    events: Vec<Text<100>>,
    description: Option<Text<500>>,
    is_active: Option<bool>,
}

impl CreateEndpointRequest {
    /// Returns the change; 400 if there are no events, or too many.
    pub(super) fn change(self) -> Result<EndpointChange, HttpError> {
        Ok(EndpointChange {
            url: Some(self.url.into()),
            events: Some(names(self.events)?),
            description: self.description.map(String::from).into(),
            is_active: self.is_active,
        })
    }
}

/// Changes of an endpoint; absent fields stay unchanged.
#[request]
pub(super) struct UpdateEndpointRequest {
    #[schema(example = "https://hooks.shop.example/quotient")]
    url: Option<Text<2048>>,
    #[schema(min_items = 1, max_items = 50)]
    events: Option<Vec<Text<100>>>,
    description: Patch<Text<500>>,
    /// If it is enabled again, its failures are reset.
    is_active: Option<bool>,
}

impl UpdateEndpointRequest {
    /// Returns the change; 400 if there are no events, or too many.
    pub(super) fn change(self) -> Result<EndpointChange, HttpError> {
        Ok(EndpointChange {
            url: self.url.map(String::from),
            events: self.events.map(names).transpose()?,
            description: self.description.map(String::from),
            is_active: self.is_active,
        })
    }
}

fn names(events: Vec<Text<100>>) -> Result<Vec<String>, HttpError> {
    if !(1..=MAX_EVENTS).contains(&events.len()) {
        let message = format!("an endpoint has from 1 to {MAX_EVENTS} names of events");
        let detail = format!("from 1 to {MAX_EVENTS} names");
        return Err(HttpError::invalid_data(message).with_details("events", detail));
    }
    Ok(events.into_iter().map(String::from).collect())
}

/// How long the secret before signs as well.
#[request]
pub(super) struct RotateSecretRequest {
    /// From 0 to 168; 24 if absent.
    #[schema(minimum = 0, maximum = 168, example = 24)]
    overlap_hours: Option<u32>,
}

impl RotateSecretRequest {
    /// Returns the hours; 400 if they are out of range.
    pub(super) fn hours(&self) -> Result<u32, HttpError> {
        match self.overlap_hours.unwrap_or(24) {
            hours @ 0..=168 => Ok(hours),
            _ => Err(HttpError::invalid_data("`overlap_hours` must be from 0 to 168")),
        }
    }
}
