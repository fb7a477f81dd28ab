//! The tracking events of shipping platforms, which differ in where they put their data: at the top level, in
//! `data` or in `result`.

use serde_json::{Map, Value};

use super::{ParcelUpdate, Reading, object, states, text, time, url};

pub(crate) fn read(body: &[u8]) -> Reading {
    let Some(event) = object(body) else {
        return Reading::NoEffect("it is no JSON object".to_owned());
    };
    let inner = ["data", "result"].iter().find_map(|name| event.get(*name)?.as_object());
    let tracker = inner.unwrap_or(&event);
    let latest = tracker.get("tracking_status").and_then(Value::as_object);
    let empty = Map::new();
    let latest = latest.unwrap_or(&empty);
    let status = [text(tracker, &["status", "status_code"]), text(latest, &["status"])];
    let status = status.into_iter().find(|status| !status.is_empty()).unwrap_or_default();
    let details = tracker.get("metadata").and_then(Value::as_object).unwrap_or(&empty);
    let order = [
        text(tracker, &["order_id", "external_order_id", "reference"]),
        text(details, &["order_id"]),
    ];
    let update = ParcelUpdate {
        order: order.into_iter().find(|order| !order.is_empty()).unwrap_or_default(),
        state: states::parse(&status),
        carrier: text(tracker, &["carrier", "carrier_code"]),
        tracking_number: text(tracker, &["tracking_number", "tracking_code"]),
        tracking_url: url(tracker, "public_url"),
        items: Vec::new(),
        at: time(tracker, &["occurred_at", "updated_at"])
            .or_else(|| time(latest, &["status_date"])),
    };
    if update.order.is_empty() && update.tracking_number.is_empty() {
        return Reading::NoEffect("neither an order nor a tracking number is named".to_owned());
    }
    Reading::of(update, &status)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fulfillment::parcels::ParcelState;

    #[test]
    fn the_forms_of_platforms_are_read() {
        for body in [
            r#"{"id": "evt_1", "description": "tracker.updated",
                "result": {"tracking_code": "TRK1", "status": "delivered", "carrier": "USPS", "reference": "order_1"}}"#,
            r#"{"resource_type": "API_TRACK",
                "data": {"tracking_number": "TRK1", "status_code": "DE", "carrier_code": "USPS", "order_id": "order_1"}}"#,
            r#"{"event": "track_updated", "data": {"tracking_number": "TRK1", "carrier": "USPS",
                "tracking_status": {"status": "DELIVERED"}, "metadata": {"order_id": "order_1"}}}"#,
            r#"{"tracking_number": "TRK1", "status": "Delivered", "carrier": "USPS", "order_id": "order_1"}"#,
        ] {
            let Reading::Update(update) = read(body.as_bytes()) else { panic!("{body}") };
            let found = (&*update.order, &*update.tracking_number, &*update.carrier, update.state);
            assert_eq!(found, ("order_1", "TRK1", "USPS", Some(ParcelState::Delivered)), "{body}");
        }
    }

    #[test]
    fn a_parcel_may_be_named_by_its_tracking_number_alone() {
        let body = br#"{"data": {"tracking_number": "TRK1", "status": "in_transit"}}"#;
        assert!(matches!(read(body), Reading::Update(update) if update.order.is_empty()));
        for body in [&b"7"[..], b"{}", br#"{"data": {"status": "delivered"}}"#] {
            assert!(matches!(read(body), Reading::NoEffect(_)));
        }
    }
}
