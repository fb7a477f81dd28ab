//! Reports of carriers, warehouses and partners about parcels, parsed into one form. Pure functions.
//!
//! Senders add fields and words; unlisted ones are ignored. An unrecognisable report is never rejected: it has no
//! effect, and the `Err` of its function is the reason.

use serde_json::{Map, Value};

use crate::clock::Timestamp;
use crate::fulfillment::parcels::ParcelState;

/// Limit: characters of a text from a sender.
const MAX_CHARS: usize = 255;

/// Limit: items of a parcel.
const MAX_ITEMS: usize = 1_000;

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct ParcelUpdate {
    /// The id or the number of the order; empty if the sender identifies the parcel only by its tracking
    /// number.
    pub(super) order: String,
    pub(super) state: ParcelState,
    pub(super) carrier: String,
    pub(super) tracking_number: String,
    pub(super) tracking_url: String,
    /// SKUs with quantities.
    pub(super) items: Vec<(String, i64)>,
    pub(super) at: Option<Timestamp>,
}

/// Reads the warehouse's `order_update`: `cust_ref`, `order_status`, `carrier`, `tracking_no` and `items`, as JSON or
/// as a form.
pub(super) fn read_warehouse(body: &[u8]) -> Result<ParcelUpdate, String> {
    let message = object(body).or_else(|| form(body));
    let message = message.ok_or("it is neither a JSON object nor a form")?;
    let order = text(&message, &["cust_ref"]);
    if order.is_empty() {
        return Err("`cust_ref` is missing".to_owned());
    }
    Ok(ParcelUpdate {
        order,
        state: state(&text(&message, &["order_status"]))?,
        carrier: text(&message, &["carrier"]),
        tracking_number: text(&message, &["tracking_no"]),
        tracking_url: url(&message, "tracking_url"),
        items: items(&message)?,
        at: time(&message, &["shipped_at", "timestamp"]),
    })
}

/// Reads the fulfillment partner's events: `shipment.shipped`, `.delivered`, `.returned` and `.canceled`, with their
/// `data`.
pub(super) fn read_partner(body: &[u8]) -> Result<ParcelUpdate, String> {
    let event = object(body).ok_or("it is no JSON object")?;
    let kind = text(&event, &["type"]);
    let status = kind.strip_prefix("shipment.");
    let status = status.ok_or_else(|| format!("the type `{kind}` has no effect"))?;
    let data = event.get("data").and_then(Value::as_object).ok_or("`data` is missing")?;
    let order = text(data, &["order_id"]);
    if order.is_empty() {
        return Err("`data.order_id` is missing".to_owned());
    }
    Ok(ParcelUpdate {
        order,
        state: state(status)?,
        carrier: text(data, &["carrier"]),
        tracking_number: text(data, &["tracking_number"]),
        tracking_url: url(data, "tracking_url"),
        items: items(data)?,
        at: time(data, &["occurred_at"]),
    })
}

/// Reads the tracking events of shipping platforms, which differ in where they put their data: at the top level, in
/// `data` or in `result`.
pub(super) fn read_platform(body: &[u8]) -> Result<ParcelUpdate, String> {
    let event = object(body).ok_or("it is no JSON object")?;
    let inner = ["data", "result"].iter().find_map(|name| event.get(*name)?.as_object());
    let tracker = inner.unwrap_or(&event);
    let empty = Map::new();
    let member = |name: &str| tracker.get(name).and_then(Value::as_object).unwrap_or(&empty);
    let (latest, details) = (member("tracking_status"), member("metadata"));
    let first = |texts: [String; 2]| texts.into_iter().find(|text| !text.is_empty());
    let status = [text(tracker, &["status", "status_code"]), text(latest, &["status"])];
    let order = [
        text(tracker, &["order_id", "external_order_id", "reference"]),
        text(details, &["order_id"]),
    ];
    let order = first(order).unwrap_or_default();
    let tracking_number = text(tracker, &["tracking_number", "tracking_code"]);
    if order.is_empty() && tracking_number.is_empty() {
        return Err("neither an order nor a tracking number is named".to_owned());
    }
    Ok(ParcelUpdate {
        order,
        state: state(&first(status).unwrap_or_default())?,
        carrier: text(tracker, &["carrier", "carrier_code"]),
        tracking_number,
        tracking_url: url(tracker, "public_url"),
        items: Vec::new(),
        at: time(tracker, &["occurred_at", "updated_at"])
            .or_else(|| time(latest, &["status_date"])),
    })
}

/// Returns the state of a status, in any case and with any separator.
fn state(status: &str) -> Result<ParcelState, String> {
    let word: String = status
        .trim()
        .chars()
        .map(|c| if matches!(c, ' ' | '-' | '.') { '_' } else { c.to_ascii_lowercase() })
        .collect();
    Ok(match word.as_str() {
        "packed" | "picked" | "ready" | "ready_to_ship" | "pre_transit" | "label_created" => {
            ParcelState::Packed
        }
        "canceled" | "cancelled" => ParcelState::Canceled,
        "shipped"
        | "dispatched"
        | "despatched"
        | "sent"
        | "complete"
        | "completed"
        | "transit"
        | "in_transit"
        | "it"
        | "accepted"
        | "ac"
        | "out_for_delivery"
        | "available_for_pickup" => ParcelState::Shipped,
        "delivered" | "de" => ParcelState::Delivered,
        "returned" | "return_to_sender" => ParcelState::Returned,
        _ => return Err(format!("the status `{}` is not known", short(status))),
    })
}

/// Reads a form of names and values; nothing else has an `=` in its first pair.
fn form(body: &[u8]) -> Option<Map<String, Value>> {
    let text = std::str::from_utf8(body.trim_ascii()).ok()?;
    let mut members = Map::new();
    for pair in text.split('&') {
        let (name, value) = pair.split_once('=')?;
        members.insert(decoded(name)?, Value::String(decoded(value)?));
    }
    Some(members)
}

fn decoded(text: &str) -> Option<String> {
    let spaced = text.replace('+', " ");
    let decoded = percent_encoding::percent_decode_str(&spaced).decode_utf8().ok()?;
    Some(decoded.into_owned())
}

/// Returns the first of several members that is a text or a number, as text.
fn text(object: &Map<String, Value>, names: &[&str]) -> String {
    let found = names.iter().find_map(|name| match object.get(*name)? {
        Value::String(text) => Some(text.trim().to_owned()),
        Value::Number(number) => Some(number.to_string()),
        Value::Null | Value::Bool(_) | Value::Array(_) | Value::Object(_) => None,
    });
    found.filter(|text| !text.is_empty()).map(|text| short(&text)).unwrap_or_default()
}

fn short(text: &str) -> String {
    text.chars().filter(|c| !c.is_control()).take(MAX_CHARS).collect()
}

/// Returns the URL of a page, if it is one that a browser opens.
fn url(object: &Map<String, Value>, name: &str) -> String {
    let url = text(object, &[name]);
    if url.starts_with("https://") || url.starts_with("http://") { url } else { String::new() }
}

fn time(object: &Map<String, Value>, names: &[&str]) -> Option<Timestamp> {
    text(object, names).parse().ok()
}

/// Reads a list of objects with an SKU and a quantity. Items that cannot be read are not items that are not reported, by
/// which the whole order is in the parcel.
fn items(object: &Map<String, Value>) -> Result<Vec<(String, i64)>, String> {
    let list = object.get("items").and_then(Value::as_array).into_iter().flatten();
    let read: Option<Vec<_>> =
        list.take(MAX_ITEMS).map(|item| self::item(item.as_object()?)).collect();
    let items = read.ok_or_else(|| "`items` cannot be read".to_owned())?;
    // Some senders list what is not in the parcel, too.
    let in_parcel: Vec<_> = items.iter().filter(|(_, count)| *count > 0).cloned().collect();
    if in_parcel.is_empty() && !items.is_empty() {
        return Err("none of the `items` is in the parcel".to_owned());
    }
    Ok(in_parcel)
}

fn item(item: &Map<String, Value>) -> Option<(String, i64)> {
    let quantity = text(item, &["quantity", "qty"]);
    // Some senders write whole numbers as decimals.
    let whole = quantity.trim_end_matches('0').strip_suffix('.').unwrap_or(&quantity);
    let quantity = whole.parse().ok().filter(|count| *count >= 0)?;
    Some((text(item, &["sku"]), quantity)).filter(|(sku, _)| !sku.is_empty())
}

fn object(body: &[u8]) -> Option<Map<String, Value>> {
    serde_json::from_slice(body).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn json_and_a_form_say_the_same() {
        let json = br#"{"cust_ref": 1042, "order_status": "Shipped", "carrier": "DHL", "tracking_no": "TRK 1", "new": {}}"#;
        let form = b"cust_ref=1042&order_status=Shipped&carrier=DHL&tracking_no=TRK+1&new=%7B%7D";
        let expected = ParcelUpdate {
            order: "1042".to_owned(),
            state: ParcelState::Shipped,
            carrier: "DHL".to_owned(),
            tracking_number: "TRK 1".to_owned(),
            tracking_url: String::new(),
            items: Vec::new(),
            at: None,
        };
        assert_eq!(read_warehouse(json), Ok(expected.clone()));
        assert_eq!(read_warehouse(form), Ok(expected));
    }

    #[test]
    fn an_unrecognised_message_has_no_effect() {
        for body in [
            &b""[..],
            b"[]",
            b"{",
            b"<order/>",
            b"\xff\xfe",
            b"{}",
            br#"{"order_status": "shipped"}"#,
            br#"{"cust_ref": "1042", "order_status": "lost"}"#,
            br#"{"cust_ref": ["1042"], "order_status": "shipped"}"#,
            b"cust_ref=%ff&order_status=shipped",
        ] {
            let reading = read_warehouse(body);
            assert!(reading.is_err(), "{reading:?}");
        }
    }

    #[test]
    fn items_are_read_and_a_url_only_if_it_is_a_page() {
        let body = br#"{"cust_ref": "order_1", "order_status": "shipped", "tracking_url": "javascript:alert(1)",
            "items": [{"sku": "MUG", "quantity": 2}, {"sku": "LAMP", "qty": "1"}, {"sku": "PEN", "quantity": 10.0}, {"sku": "CUP", "quantity": 0}]}"#;
        let update = read_warehouse(body).unwrap();
        let expected = [("MUG", 2), ("LAMP", 1), ("PEN", 10)];
        assert_eq!(update.items, expected.map(|(sku, quantity)| (sku.to_owned(), quantity)));
        assert_eq!(update.tracking_url, "");
    }

    #[test]
    fn items_that_cannot_be_read_are_not_items_that_are_not_reported() {
        for item in [
            r#"{"sku": "", "quantity": 1}"#,
            r#"{"sku": "MUG", "quantity": -1}"#,
            r#"{"sku": "MUG", "quantity": 1.5}"#,
            r#"{"product_sku": "MUG", "quantity": 1}"#,
            r#"{"sku": "MUG"}"#,
            "7",
        ] {
            let body = format!(
                r#"{{"cust_ref": "order_1", "order_status": "shipped", "items": [{{"sku": "PEN", "quantity": 1}}, {item}]}}"#
            );
            assert_eq!(read_warehouse(body.as_bytes()), Err("`items` cannot be read".to_owned()));
        }
    }

    #[test]
    fn an_event_reports_a_parcel() {
        let body = br#"{"type": "shipment.delivered", "data": {"order_id": "order_1", "carrier": "UPS",
            "tracking_number": "1Z", "tracking_url": "https://ups.example/1Z", "items": [{"sku": "MUG", "quantity": 1}],
            "occurred_at": "2026-11-21T10:00:00Z"}}"#;
        let update = read_partner(body).unwrap();
        assert_eq!(update.state, ParcelState::Delivered);
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
            assert!(read_partner(body).is_err());
        }
    }

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
            let update = read_platform(body.as_bytes()).unwrap();
            let found = (&*update.order, &*update.tracking_number, &*update.carrier, update.state);
            assert_eq!(found, ("order_1", "TRK1", "USPS", ParcelState::Delivered), "{body}");
        }
    }

    #[test]
    fn a_parcel_may_be_named_by_its_tracking_number_alone() {
        let body = br#"{"data": {"tracking_number": "TRK1", "status": "in_transit"}}"#;
        assert_eq!(read_platform(body).unwrap().order, "");
        for body in [&b"7"[..], b"{}", br#"{"data": {"status": "delivered"}}"#] {
            assert!(read_platform(body).is_err());
        }
    }

    #[test]
    fn states_are_read_however_they_are_spelled() {
        for (word, expected) in [
            ("shipped", Some(ParcelState::Shipped)),
            (" SHIPPED ", Some(ParcelState::Shipped)),
            ("Out for Delivery", Some(ParcelState::Shipped)),
            ("in-transit", Some(ParcelState::Shipped)),
            ("DE", Some(ParcelState::Delivered)),
            ("cancelled", Some(ParcelState::Canceled)),
            ("return_to_sender", Some(ParcelState::Returned)),
            ("lost", None),
            ("", None),
        ] {
            assert_eq!(state(word).ok(), expected, "{word}");
        }
    }
}
