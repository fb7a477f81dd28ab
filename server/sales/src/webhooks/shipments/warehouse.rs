//! The warehouse's `order_update`: `cust_ref`, `order_status`, `carrier`, `tracking_no` and `items`, as JSON or as a
//! form.

use serde_json::{Map, Value};

use super::{ParcelUpdate, Reading, items, object, states, text, time, url};

pub(crate) fn read(body: &[u8]) -> Reading {
    let Some(message) = object(body).or_else(|| form(body)) else {
        return Reading::NoEffect("it is neither a JSON object nor a form".to_owned());
    };
    let status = text(&message, &["order_status"]);
    let update = ParcelUpdate {
        order: text(&message, &["cust_ref"]),
        state: states::parse(&status),
        carrier: text(&message, &["carrier"]),
        tracking_number: text(&message, &["tracking_no"]),
        tracking_url: url(&message, "tracking_url"),
        items: items(&message),
        at: time(&message, &["shipped_at", "timestamp"]),
    };
    if update.order.is_empty() {
        return Reading::NoEffect("`cust_ref` is missing".to_owned());
    }
    Reading::of(update, &status)
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fulfillment::parcels::ParcelState;

    #[test]
    fn json_and_a_form_say_the_same() {
        let json = br#"{"cust_ref": 1042, "order_status": "Shipped", "carrier": "DHL", "tracking_no": "TRK 1", "new": {}}"#;
        let form = b"cust_ref=1042&order_status=Shipped&carrier=DHL&tracking_no=TRK+1&new=%7B%7D";
        let expected = ParcelUpdate {
            order: "1042".to_owned(),
            state: Some(ParcelState::Shipped),
            carrier: "DHL".to_owned(),
            tracking_number: "TRK 1".to_owned(),
            ..ParcelUpdate::default()
        };
        assert_eq!(read(json), Reading::Update(Box::new(expected.clone())));
        assert_eq!(read(form), Reading::Update(Box::new(expected)));
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
            let reading = read(body);
            assert!(matches!(reading, Reading::NoEffect(_)), "{reading:?}");
        }
    }

    #[test]
    fn items_are_read_and_a_url_only_if_it_is_a_page() {
        let body = br#"{"cust_ref": "order_1", "order_status": "shipped", "tracking_url": "javascript:alert(1)",
            "items": [{"sku": "MUG", "quantity": 2}, {"sku": "", "quantity": 1}, {"sku": "LAMP", "qty": "1"}, 7, {"sku": "X", "quantity": -1}]}"#;
        let Reading::Update(update) = read(body) else { panic!("no update") };
        assert_eq!(update.items, [("MUG".to_owned(), 2), ("LAMP".to_owned(), 1)]);
        assert_eq!(update.tracking_url, "");
    }
}
