//! The fulfillment partner's events: `shipment.shipped`, `.delivered`, `.returned` and `.canceled`, with their `data`.

use serde_json::Value;

use super::{ParcelUpdate, Reading, items, object, states, text, time, url};

pub(crate) fn read(body: &[u8]) -> Reading {
    let Some(event) = object(body) else {
        return Reading::NoEffect("it is no JSON object".to_owned());
    };
    let kind = text(&event, &["type"]);
    let Some(status) = kind.strip_prefix("shipment.") else {
        return Reading::NoEffect(format!("the type `{kind}` has no effect"));
    };
    let Some(data) = event.get("data").and_then(Value::as_object) else {
        return Reading::NoEffect("`data` is missing".to_owned());
    };
    let update = ParcelUpdate {
        order: text(data, &["order_id"]),
        state: states::parse(status),
        carrier: text(data, &["carrier"]),
        tracking_number: text(data, &["tracking_number"]),
        tracking_url: url(data, "tracking_url"),
        items: items(data),
        at: time(data, &["occurred_at"]),
    };
    if update.order.is_empty() {
        return Reading::NoEffect("`data.order_id` is missing".to_owned());
    }
    Reading::of(update, status)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fulfillment::parcels::ParcelState;

    #[test]
    fn an_event_reports_a_parcel() {
        let body = br#"{"type": "shipment.delivered", "data": {"order_id": "order_1", "carrier": "UPS",
            "tracking_number": "1Z", "tracking_url": "https://ups.example/1Z", "items": [{"sku": "MUG", "quantity": 1}],
            "occurred_at": "2026-11-21T10:00:00Z"}}"#;
        let Reading::Update(update) = read(body) else { panic!("no update") };
        assert_eq!(update.state, Some(ParcelState::Delivered));
        assert_eq!((&*update.order, &*update.tracking_number), ("order_1", "1Z"));
        assert_eq!(update.tracking_url, "https://ups.example/1Z");
        assert_eq!(update.items, [("MUG".to_owned(), 1)]);
        assert_eq!(update.at, "2026-11-21T10:00:00Z".parse().ok());
    }

    #[test]
    fn other_types_have_no_effect() {
        for body in [
            &b"[]"[..],
            b"{}",
            br#"{"type": "inventory.changed", "data": {}}"#,
            br#"{"type": "shipment.delivered"}"#,
            br#"{"type": "shipment.delivered", "data": {}}"#,
            br#"{"type": "shipment.melted", "data": {"order_id": "order_1"}}"#,
        ] {
            assert!(matches!(read(body), Reading::NoEffect(_)));
        }
    }
}
