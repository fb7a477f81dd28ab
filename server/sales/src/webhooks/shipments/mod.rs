//! Reports of carriers, warehouses and partners about parcels, parsed into one form. Pure
//! functions.
//!
//! Senders add fields and words; unlisted ones are ignored, and unrecognisable reports are skipped, never
//! rejected.

mod partner;
mod platform;
mod states;
mod warehouse;

use serde_json::{Map, Value};

use crate::clock::Timestamp;
use crate::fulfillment::parcels::ParcelState;

pub(super) use partner::read as read_partner;
pub(super) use platform::read as read_platform;
pub(super) use warehouse::read as read_warehouse;

/// Limit: characters of a text from a sender.
const MAX_CHARS: usize = 255;

/// Limit: items of a parcel.
const MAX_ITEMS: usize = 1_000;

#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct ParcelUpdate {
    /// The id or the number of the order; empty if the sender identifies the parcel only by its tracking
    /// number.
    pub(super) order: String,
    pub(super) state: Option<ParcelState>,
    pub(super) carrier: String,
    pub(super) tracking_number: String,
    pub(super) tracking_url: String,
    /// SKUs with quantities.
    pub(super) items: Vec<(String, i64)>,
    pub(super) at: Option<Timestamp>,
}

/// What a message says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Reading {
    /// An update of a parcel.
    Update(Box<ParcelUpdate>),
    /// It has no effect; the reason.
    NoEffect(String),
}

impl Reading {
    /// Returns the update, unless the status is unknown.
    fn of(update: ParcelUpdate, status: &str) -> Self {
        match update.state {
            Some(_) => Self::Update(Box::new(update)),
            None => Self::NoEffect(format!("the status `{}` is not known", short(status))),
        }
    }
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

/// Returns the items of a list of objects with an SKU and a quantity; other members are left out.
fn items(object: &Map<String, Value>) -> Vec<(String, i64)> {
    let list = object.get("items").and_then(Value::as_array).into_iter().flatten();
    let read = list.filter_map(Value::as_object).filter_map(|item| {
        let quantity = text(item, &["quantity", "qty"]).parse().ok().filter(|count| *count > 0)?;
        Some((text(item, &["sku"]), quantity)).filter(|(sku, _)| !sku.is_empty())
    });
    read.take(MAX_ITEMS).collect()
}

fn object(body: &[u8]) -> Option<Map<String, Value>> {
    serde_json::from_slice(body).ok()
}
