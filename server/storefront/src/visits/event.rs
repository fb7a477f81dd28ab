//! An event: what a storefront can send, and what is stored.

use serde::Serialize;
use serde_json::{Map, Value};

use super::event_keys::EventKey;
use super::visitor::Visitor;
use crate::clock::{DAY_MS, MINUTE_MS, Timestamp};
use crate::http::text;
use crate::ids::{CustomerId, SalesChannelId};
use crate::personal;

pub(super) const USUAL: &[&str] = &[
    "page_viewed",
    "collection_viewed",
    "search_submitted",
    "product_added_to_cart",
    "product_removed_from_cart",
    "checkout_started",
    "payment_submitted",
    "banner_viewed",
    "banner_clicked",
    WISHLIST_ADDED,
    WISHLIST_REMOVED,
];

/// The event of a product page.
pub(super) const PRODUCT_VIEWED: &str = "product_viewed";
pub(super) const WISHLIST_ADDED: &str = "wishlist_added";
pub(super) const WISHLIST_REMOVED: &str = "wishlist_removed";

/// Limit: characters of a name.
const MAX_NAME_CHARS: usize = 40;

/// Limit: custom event names.
pub(super) const MAX_NAMES: usize = 200;

/// Limit: how old an event may be, and how far the visitor's clock may be ahead.
const MAX_AGE_MS: i64 = DAY_MS;
const MAX_AHEAD_MS: i64 = 5 * MINUTE_MS;

/// Limit: keys of properties per level.
const MAX_KEYS: usize = 25;

/// Limit: characters of a key and of a text.
const MAX_KEY_CHARS: usize = 64;
const MAX_TEXT_CHARS: usize = 1_000;

/// Stored instead of a value that looks like personal data.
const REMOVED: &str = "[removed]";

/// Why an event is rejected.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, crate::http::ToSchema)]
#[serde(rename_all = "snake_case")]
pub(super) enum Reason {
    /// The body is not a JSON object.
    InvalidJson,
    MissingName,
    /// The name does not consist of lower-case letters, digits and `_`.
    InvalidName,
    /// Reserved for the store's own events.
    ReservedName,
    /// The store already has 200 custom names.
    TooManyNames,
    /// More than a day ago.
    TooOld,
    /// More than five minutes ahead.
    InFuture,
    /// More than 8 KiB.
    TooLarge,
    /// More than 50 in one request.
    TooManyEvents,
    /// A field is unknown, too long, or has the wrong type.
    InvalidField,
}

#[derive(Debug, Clone, Default, Serialize)]
pub(super) struct NewEvent {
    /// The key of its id; none for events without one.
    #[serde(skip)]
    pub(super) key: Option<EventKey>,
    pub(super) name: String,
    pub(super) customer_id: Option<CustomerId>,
    pub(super) sales_channel_id: Option<SalesChannelId>,
    pub(super) product_id: Option<String>,
    pub(super) variant_id: Option<String>,
    pub(super) cart_id: Option<String>,
    pub(super) order_id: Option<String>,
    pub(super) banner_id: Option<String>,
    /// As JSON text.
    pub(super) properties: Option<String>,
    /// In milliseconds.
    pub(super) at: i64,
    pub(super) visit: Option<NewVisit>,
    /// The sales channels, one of which may require consent; none if the visitor has stated whether there is
    /// consent.
    #[serde(skip)]
    pub(super) silent_in: Vec<SalesChannelId>,
}

#[derive(Debug, Clone, Default, Serialize)]
pub(super) struct NewVisit {
    pub(super) id: String,
    pub(super) device: Option<&'static str>,
    pub(super) country: Option<String>,
    pub(super) locale: Option<String>,
    pub(super) referrer_host: Option<String>,
    pub(super) utm_source: Option<String>,
    pub(super) utm_medium: Option<String>,
    pub(super) utm_campaign: Option<String>,
    pub(super) utm_term: Option<String>,
    pub(super) utm_content: Option<String>,
}

impl NewEvent {
    #[must_use]
    pub(super) fn of(
        self,
        visitor: &Visitor,
        customer_id: Option<CustomerId>,
        context: NewVisit,
    ) -> Self {
        let visit = visitor.session_id.clone().map(|id| NewVisit {
            id,
            device: visitor.device,
            country: visitor.country.clone(),
            ..context
        });
        Self { customer_id, visit, ..self }
    }

    /// Removes everything that identifies the visitor.
    #[must_use]
    pub(super) fn of_nobody(self) -> Self {
        Self {
            customer_id: None,
            cart_id: None,
            order_id: None,
            properties: None,
            visit: None,
            ..self
        }
    }

    /// Returns whether the event adds the product to the visitor's wishlist or removes it.
    pub(super) fn wishes(&self) -> Option<bool> {
        match self.name.as_str() {
            WISHLIST_ADDED => Some(true),
            WISHLIST_REMOVED => Some(false),
            _ => None,
        }
    }
}

/// Checks a name: lower-case letters, digits and `_`, not reserved.
pub(super) fn check_name(name: &str) -> Result<(), Reason> {
    let is_sound = name.len() <= MAX_NAME_CHARS
        && name.starts_with(|first: char| first.is_ascii_lowercase())
        && name
            .bytes()
            .all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'_');
    if !is_sound {
        return Err(Reason::InvalidName);
    }
    if name.starts_with("order_") || ["payment_captured", PRODUCT_VIEWED].contains(&name) {
        return Err(Reason::ReservedName);
    }
    Ok(())
}

pub(super) fn check_time(at: Timestamp, now: Timestamp) -> Result<(), Reason> {
    if at < now.minus_ms(MAX_AGE_MS) {
        return Err(Reason::TooOld);
    }
    if at > now.plus_ms(MAX_AHEAD_MS) {
        return Err(Reason::InFuture);
    }
    Ok(())
}

/// Returns the properties without anything that looks like personal data; at most two levels.
pub(super) fn cleaned(properties: Map<String, Value>) -> Result<Map<String, Value>, Reason> {
    object(properties, 1)
}

/// The levels of properties.
const MAX_DEPTH: u32 = 2;

fn object(members: Map<String, Value>, depth: u32) -> Result<Map<String, Value>, Reason> {
    if members.len() > MAX_KEYS {
        return Err(Reason::InvalidField);
    }
    members
        .into_iter()
        .map(|(key, value)| {
            let key = text::clean(&key, MAX_KEY_CHARS).map_err(|_refused| Reason::InvalidField)?;
            Ok((without_personal(&key), self::value(value, depth)?))
        })
        .collect()
}

fn value(value: Value, depth: u32) -> Result<Value, Reason> {
    match value {
        Value::Null | Value::Bool(_) => Ok(value),
        Value::Number(number) => {
            let is_card = personal::is_card(&number.to_string());
            Ok(if is_card { Value::from(REMOVED) } else { Value::Number(number) })
        }
        Value::String(text) => {
            let text =
                text::clean(&text, MAX_TEXT_CHARS).map_err(|_refused| Reason::InvalidField)?;
            Ok(Value::from(without_personal(&text)))
        }
        Value::Array(_) | Value::Object(_) if depth >= MAX_DEPTH => Err(Reason::InvalidField),
        Value::Array(items) if items.len() > MAX_KEYS => Err(Reason::InvalidField),
        Value::Array(items) => {
            let deeper = depth.saturating_add(1);
            items.into_iter().map(|item| self::value(item, deeper)).collect()
        }
        Value::Object(members) => Ok(Value::Object(object(members, depth.saturating_add(1))?)),
    }
}

/// Returns a text, or its replacement if it looks like personal data.
pub(super) fn without_personal(text: &str) -> String {
    let is_personal = personal::has_email(text) || personal::has_phone(text);
    if is_personal { REMOVED.to_owned() } else { text.to_owned() }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn names_are_plain_words_and_not_those_of_the_store() {
        for (name, expected) in [
            ("page_viewed", Ok(())),
            ("quiz_2_ended", Ok(())),
            ("", Err(Reason::InvalidName)),
            ("2nd", Err(Reason::InvalidName)),
            ("Page", Err(Reason::InvalidName)),
            ("a-b", Err(Reason::InvalidName)),
            (&*"a".repeat(41), Err(Reason::InvalidName)),
            ("order_placed", Err(Reason::ReservedName)),
            ("payment_captured", Err(Reason::ReservedName)),
            ("product_viewed", Err(Reason::ReservedName)),
        ] {
            assert_eq!(check_name(name), expected, "{name}");
        }
    }

    #[test]
    fn an_event_is_of_the_last_day() {
        let now = Timestamp::from_millis(100 * MAX_AGE_MS);
        for (offset_ms, expected) in [
            (0, Ok(())),
            (-MAX_AGE_MS, Ok(())),
            (-MAX_AGE_MS - 1, Err(Reason::TooOld)),
            (MAX_AHEAD_MS, Ok(())),
            (MAX_AHEAD_MS + 1, Err(Reason::InFuture)),
        ] {
            assert_eq!(check_time(now.plus_ms(offset_ms), now), expected, "{offset_ms}");
        }
    }

    #[test]
    fn properties_lose_what_looks_personal_and_are_two_deep() {
        let clean = |value: Value| {
            let members = value.as_object().expect("an object").clone();
            cleaned(members).map(Value::Object)
        };
        assert_eq!(
            clean(
                json!({ "a": "ada@example.com", "b": { "c": "+44 20 7946 0018" }, "d": 4_242_424_242_424_242_i64,
                          "e": [1, "x"], "f": "2026-11-24", "price": 12.5, "on": true })
            ),
            Ok(
                json!({ "a": REMOVED, "b": { "c": REMOVED }, "d": REMOVED, "e": [1, "x"], "f": "2026-11-24",
                       "price": 12.5, "on": true })
            )
        );
        assert_eq!(clean(json!({ "a": { "b": { "c": 1 } } })), Err(Reason::InvalidField));
        assert_eq!(clean(json!({ "a": "x\u{0}" })), Err(Reason::InvalidField));
        let many: Map<String, Value> = (0..26).map(|key| (key.to_string(), json!(1))).collect();
        assert_eq!(cleaned(many), Err(Reason::InvalidField));
    }
}
