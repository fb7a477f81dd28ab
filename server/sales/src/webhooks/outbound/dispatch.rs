//! The subscriber that creates deliveries of events.

use serde_json::{Map, Value, json};

use super::events::EVENTS;
use super::send;
use crate::database::{self, Table as _, Tx};
use crate::events::{EVERY, Event, Subscriber};
use crate::ids::OrderId;
use crate::webhooks::delivery::Delivery;
use crate::webhooks::queries;

/// Limit: bytes of a body.
const MAX_BODY_BYTES: usize = 64 * 1024;

/// Creates a delivery of each event for each endpoint that subscribes to it.
pub const DISPATCH: Subscriber =
    Subscriber { name: "webhooks.dispatch", events: EVERY, handle: dispatch };

fn dispatch(tx: &Tx<'_>, event: &Event) -> Result<(), database::Error> {
    if !EVENTS.contains(&event.name.as_str()) {
        return Ok(());
    }
    let endpoints = queries::active_endpoints(tx)?;
    let wanting = endpoints.into_iter().filter(|endpoint| endpoint.wants(&event.name));
    let mut written = None;
    for endpoint in wanting {
        let (body, order_id) = written.get_or_insert_with(|| written_event(event));
        let mut delivery = Delivery::outbound(endpoint.id, event.id.to_string(), tx.now());
        delivery.event = Some(event.name.clone());
        delivery.occurred_at = Some(event.created_at);
        delivery.order_id.clone_from(order_id);
        delivery.insert(tx)?;
        queries::put_body(tx, &delivery.id, body.as_bytes())?;
        send::schedule(tx, &delivery, 0, tx.now())?;
    }
    Ok(())
}

/// Returns the body of an event, and the order that it is about.
fn written_event(event: &Event) -> (String, Option<OrderId>) {
    let data: Map<String, Value> = serde_json::from_str(&event.payload).unwrap_or_default();
    let named = |name: &str| data.get(name).and_then(Value::as_str);
    let order_id = named("order_id").or_else(|| named("id")).and_then(|id| id.parse().ok());
    let body = written(event, data.clone());
    if body.len() <= MAX_BODY_BYTES {
        return (body, order_id);
    }
    let is_id = |name: &str| name == "id" || name.ends_with("_id");
    let ids = data.into_iter().filter(|(name, _)| is_id(name)).collect();
    (written(event, ids), order_id)
}

fn written(event: &Event, mut data: Map<String, Value>) -> String {
    data.insert("version".to_owned(), json!(event.seq));
    json!({ "type": event.name, "timestamp": event.created_at, "data": data }).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clock::Timestamp;
    use crate::ids::EventId;

    fn event(payload: &Value) -> Event {
        Event {
            seq: 7,
            id: EventId::seeded(0, 1),
            name: "order.placed".to_owned(),
            payload: payload.to_string(),
            created_at: Timestamp::from_millis(1_795_262_400_000),
        }
    }

    #[test]
    fn a_body_has_the_type_the_time_the_data_and_a_version() {
        let order = OrderId::seeded(0, 1);
        let (body, order_id) = written_event(&event(&json!({ "id": order })));
        let expected = json!({
            "type": "order.placed", "timestamp": "2026-11-21T12:00:00.000Z", "data": { "id": order, "version": 7 },
        });
        assert_eq!(serde_json::from_str::<Value>(&body).unwrap(), expected);
        assert_eq!(order_id, Some(order));
    }

    #[test]
    fn only_the_ids_of_an_oversized_event_are_sent() {
        let large = json!({ "id": "x", "order_id": OrderId::seeded(0, 1), "note": "a".repeat(MAX_BODY_BYTES) });
        let (body, _) = written_event(&event(&large));
        let body: Value = serde_json::from_str(&body).unwrap();
        assert_eq!(body["data"]["id"], "x");
        assert_eq!(body["data"]["note"], Value::Null);
    }
}
