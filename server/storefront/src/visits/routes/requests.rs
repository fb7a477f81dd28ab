//! The bodies of requests about visitors' actions.

use serde::Deserialize;
use serde_json::value::RawValue;
use serde_json::{Map, Value};

use crate::auth::Shop;
use crate::clock::Timestamp;
use crate::http::{Text, ToSchema, parse, request};
use crate::ids::{CartId, OrderId, ProductId, VariantId, VisitEventId};
use crate::visits::event::{
    self, NewEvent, NewVisit, Reason, WISHLIST_ADDED, WISHLIST_REMOVED, without_personal,
};
use crate::visits::event_keys::EventKey;
use crate::visits::visitor::Visitor;

/// Limit: bytes of an event.
const MAX_BYTES: usize = 8 * 1024;

/// Limit: events of one request.
const MAX_EVENTS: usize = 50;

/// The variant of a viewed product.
#[request]
pub(super) struct TrackViewRequest {
    pub(super) variant_id: Option<VariantId>,
}

/// What a visitor did.
#[request]
#[schema(example = json!({
    "name": "product_added_to_cart", "event_id": "4a8f1c52-1f0e-4a56-9a5b-0d9d3c2a7e11",
    "product_id": "prod_01JD2Q8Z5M6T3W9XKCV4B7N0RE", "properties": { "place": "list" }, "consent": { "analytics": true },
}))]
pub(super) struct TrackEventRequest {
    /// One of the predefined names, such as `page_viewed`, or one of up to 200 custom names.
    #[schema(pattern = "^[a-z][a-z0-9_]{0,39}$")]
    name: String,
    /// Counted once within seven days; generated if absent.
    event_id: Option<Text<64>>,
    /// Within the last 24 hours; defaults to now.
    occurred_at: Option<Timestamp>,
    product_id: Option<ProductId>,
    variant_id: Option<VariantId>,
    cart_id: Option<CartId>,
    order_id: Option<OrderId>,
    banner_id: Option<Text<64>>,
    /// At most 25, two levels deep. Anything that looks like an e-mail address, a phone or a card is stored as
    /// `[removed]`.
    #[schema(value_type = Option<Object>)]
    properties: Option<Map<String, Value>>,
    context: Option<EventContext>,
    consent: Option<Consent>,
}

/// Events that are sent together.
#[request]
pub(super) struct TrackEventsRequest {
    /// Each has the fields of a single event and is processed as if it had been sent alone: a rejected one does not
    /// affect the others.
    #[schema(value_type = Vec<Object>, min_items = 1, max_items = 50)]
    events: Vec<Box<RawValue>>,
}

/// An event, or several.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(untagged)]
#[expect(dead_code, reason = "for the API's document: `Events` tells them apart")]
pub(super) enum TrackRequest {
    One(Box<TrackEventRequest>),
    Many(TrackEventsRequest),
}

/// Where a visit comes from.
#[request]
#[derive(Default)]
pub(super) struct EventContext {
    referrer_host: Option<Text<255>>,
    utm_source: Option<Text<255>>,
    utm_medium: Option<Text<255>>,
    utm_campaign: Option<Text<255>>,
    utm_term: Option<Text<255>>,
    utm_content: Option<Text<255>>,
    locale: Option<Text<35>>,
}

/// What the visitor agreed to.
#[request]
pub(super) struct Consent {
    /// If false, the event is counted without visit, customer and properties.
    analytics: bool,
}

/// An event as received, with its id.
#[derive(Debug)]
pub(super) struct Tracked {
    pub(super) event_id: String,
    pub(super) event: NewEvent,
}

/// A rejected event, with its id if it could be read.
#[derive(Debug)]
pub(super) struct Untaken {
    pub(super) event_id: Option<String>,
    pub(super) reason: Reason,
}

/// The events of a body.
#[derive(Debug)]
pub(super) enum Events<'b> {
    /// A single event, or something that is not an event.
    One(&'b [u8]),
    Many(Vec<Box<RawValue>>),
}

impl<'b> Events<'b> {
    /// Distinguishes several events from a single one; each is parsed by [`read`].
    pub(super) fn of(bytes: &'b [u8]) -> Result<Self, Reason> {
        let Ok(TrackEventsRequest { events }) = serde_json::from_slice(bytes) else {
            return Ok(Self::One(bytes));
        };
        let are_objects = events.iter().all(|event| event.get().starts_with('{'));
        match events.len() {
            1..=MAX_EVENTS if are_objects => Ok(Self::Many(events)),
            0..=MAX_EVENTS => Err(Reason::InvalidField),
            _ => Err(Reason::TooManyEvents),
        }
    }
}

pub(super) fn read(
    bytes: &[u8],
    (shop, visitor): (&Shop, &Visitor),
    now: Timestamp,
    needs_consent: bool,
) -> Result<Tracked, Untaken> {
    let refused = |reason| Untaken { event_id: None, reason };
    if bytes.len() > MAX_BYTES {
        return Err(refused(Reason::TooLarge));
    }
    let document: Value = parse(bytes).map_err(|_malformed| refused(Reason::InvalidJson))?;
    let Value::Object(members) = &document else {
        return Err(refused(Reason::InvalidJson));
    };
    let event_id = members.get("event_id").and_then(Value::as_str).map(str::to_owned);
    event_of(bytes, members, (shop, visitor), now, needs_consent)
        .map_err(|reason| Untaken { event_id, reason })
}

fn event_of(
    bytes: &[u8],
    members: &Map<String, Value>,
    (shop, visitor): (&Shop, &Visitor),
    now: Timestamp,
    needs_consent: bool,
) -> Result<Tracked, Reason> {
    match members.get("name") {
        None | Some(Value::Null) => return Err(Reason::MissingName),
        Some(Value::String(name)) => event::check_name(name)?,
        Some(_other) => return Err(Reason::InvalidName),
    }
    let request: TrackEventRequest = parse(bytes).map_err(|_wrong| Reason::InvalidField)?;
    let at = request.occurred_at.unwrap_or(now);
    event::check_time(at, now)?;
    let is_wish = [WISHLIST_ADDED, WISHLIST_REMOVED].contains(&request.name.as_str());
    if is_wish && request.product_id.is_none() {
        return Err(Reason::InvalidField);
    }
    let silent_in = match &request.consent {
        Some(_said) => Vec::new(),
        None => shop.sales_channel_ids.clone(),
    };
    let consents = request.consent.map_or(!needs_consent, |consent| consent.analytics);
    let event_id = request.event_id.map(String::from);
    let event_id = event_id.unwrap_or_else(|| VisitEventId::new().to_string());
    let properties = request.properties.map(event::cleaned).transpose()?;
    let event = NewEvent {
        key: Some(EventKey::of(&event_id)),
        name: request.name,
        sales_channel_id: channel(shop),
        product_id: request.product_id.map(|id| id.to_string()),
        variant_id: request.variant_id.map(|id| id.to_string()),
        cart_id: request.cart_id.map(|id| id.to_string()),
        order_id: request.order_id.map(|id| id.to_string()),
        banner_id: request.banner_id.map(String::from),
        properties: properties.map(|properties| Value::Object(properties).to_string()),
        at: at.as_millis(),
        silent_in,
        ..NewEvent::default()
    };
    let event = if consents && !visitor.opts_out {
        let context = request.context.unwrap_or_default().into_visit();
        event.of(visitor, shop.customer_id.clone(), context)
    } else {
        event.of_nobody()
    };
    Ok(Tracked { event_id, event })
}

/// Returns the sales channel of a storefront, if it has one.
pub(super) fn channel(shop: &Shop) -> Option<crate::ids::SalesChannelId> {
    match shop.sales_channel_ids.as_slice() {
        [only] => Some(only.clone()),
        _several => None,
    }
}

impl EventContext {
    fn into_visit(self) -> NewVisit {
        let text = |text: Option<Text<255>>| text.map(|text| without_personal(text.as_str()));
        // Many ad networks number their campaigns and ads; these numbers only look like phone numbers.
        let is_number = |text: &Text<255>| text.as_str().bytes().all(|byte| byte.is_ascii_digit());
        let of_ad = |value: Option<Text<255>>| match value {
            Some(number) if is_number(&number) => Some(number.into()),
            other => text(other),
        };
        NewVisit {
            locale: self.locale.map(String::from),
            referrer_host: text(self.referrer_host),
            utm_source: text(self.utm_source),
            utm_medium: text(self.utm_medium),
            utm_campaign: of_ad(self.utm_campaign),
            utm_term: text(self.utm_term),
            utm_content: of_ad(self.utm_content),
            ..NewVisit::default()
        }
    }
}
