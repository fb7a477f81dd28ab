//! Incoming deliveries are first stored unchanged: the bytes, some headers, and the result of the signature
//! check.

use axum::body::Bytes;
use axum::http::HeaderMap;
use quotient_foundation::digest::sha256_hex;
use serde_json::{Map, Value};

use super::delivery::Delivery;
use super::error::WebhookError;
use super::queries;
use super::receivers::ReceiverSettings;
use super::vocabulary::{Mode, Receiver, Signature, Status};
use crate::database::{self, Table as _, Tx};

/// Limit: stored bytes of a forged body.
pub(super) const MAX_FORGED_BYTES: usize = 4 * 1024;

/// Limit: characters of a sender's id; a longer one is replaced by its digest.
const MAX_ID_CHARS: usize = 255;

/// Limit: characters of a type of events.
const MAX_EVENT_CHARS: usize = 100;

const KEPT_HEADERS: &[&str] = &[
    "content-type",
    "user-agent",
    "stripe-signature",
    "svix-id",
    "svix-signature",
    "svix-timestamp",
    "webhook-id",
    "webhook-signature",
    "webhook-timestamp",
    "x-hmac-signature",
];

/// A request of a sender.
#[derive(Debug, Clone)]
pub(super) struct Incoming {
    pub(super) headers: HeaderMap,
    pub(super) body: Bytes,
    /// Whether the body is not whole.
    pub(super) is_cut: bool,
}

/// The facts about a request before it is stored.
#[derive(Debug, Clone)]
pub(super) struct Facts {
    pub(super) receiver: Receiver,
    pub(super) mode: Mode,
    pub(super) signature: Signature,
    /// The sender's id.
    pub(super) external_id: String,
    /// The event that it reports.
    pub(super) event: Option<String>,
}

/// A request that is stored.
#[derive(Debug)]
pub(super) enum Stored {
    New(Delivery),
    /// It was there already.
    Repeated(Delivery),
}

impl Stored {
    pub(super) fn delivery(&self) -> &Delivery {
        match self {
            Self::New(delivery) | Self::Repeated(delivery) => delivery,
        }
    }
}

/// Stores a request, unless it is a repetition.
pub(super) fn store(
    tx: &Tx<'_>,
    incoming: &Incoming,
    facts: Facts,
) -> Result<Stored, database::Error> {
    let Facts { receiver, mode, signature, external_id, event } = facts;
    let is_forged = signature == Signature::Invalid;
    let mut delivery = Delivery::inbound(receiver, external_id, tx.now());
    if is_forged {
        // It takes the place of nothing.
        delivery.external_id = delivery.id.to_string();
    }
    delivery.is_verified =
        signature == Signature::Valid || receiver == Receiver::WarehouseIntegration;
    delivery.event = event.map(|event| event.chars().take(MAX_EVENT_CHARS).collect());
    delivery.mode = Some(mode);
    delivery.signature = Some(signature);
    delivery.headers = kept(&incoming.headers);
    delivery.is_cut = incoming.is_cut;
    if is_forged || mode == Mode::Capture {
        let reason = if is_forged { "invalid_signature" } else { "captured" };
        delivery.end(Status::Skipped, Some(reason.to_owned()), tx.now());
    }
    let body = if is_forged {
        delivery.is_cut |= incoming.body.len() > MAX_FORGED_BYTES;
        incoming.body.slice(..incoming.body.len().min(MAX_FORGED_BYTES))
    } else {
        incoming.body.clone()
    };
    match delivery.insert(tx) {
        Ok(()) => {
            queries::put_body(tx, &delivery.id, &body)?;
            Ok(Stored::New(delivery))
        }
        Err(database::Error::Duplicate(cause)) => {
            let (is_verified, id) = (delivery.is_verified, &*delivery.external_id);
            let known = queries::received(tx, receiver, is_verified, id)?;
            known.map(Stored::Repeated).ok_or(database::Error::Duplicate(cause))
        }
        Err(error) => Err(error),
    }
}

fn kept(headers: &HeaderMap) -> Map<String, Value> {
    let pairs = KEPT_HEADERS.iter().filter_map(|name| {
        let value = headers.get(*name)?.to_str().ok()?;
        Some(((*name).to_owned(), Value::from(value)))
    });
    pairs.collect()
}

/// Returns the sender's id of a request: from its headers, else from its body if the scheme has none, else the
/// digest of the body.
pub(super) fn external_id(
    settings: &ReceiverSettings,
    incoming: &Incoming,
    of_body: Option<String>,
) -> String {
    let named = settings.id_header.as_deref().and_then(|name| incoming.headers.get(name));
    let named = named.and_then(|value| value.to_str().ok());
    let of_header = settings.scheme.id_of(&incoming.headers).or(named);
    let id = of_header.map(str::to_owned).or(of_body).filter(|id| !id.is_empty());
    match id {
        Some(id) if id.chars().count() <= MAX_ID_CHARS => id,
        Some(id) => sha256_hex(id),
        None => sha256_hex(&incoming.body),
    }
}

/// Stores a request whose signature is missing or wrong, for inspection.
pub(super) fn store_refused(
    tx: &Tx<'_>,
    incoming: &Incoming,
    receiver: Receiver,
    mode: Mode,
) -> Result<(), WebhookError> {
    let facts = Facts {
        receiver,
        mode,
        signature: Signature::Invalid,
        external_id: String::new(),
        event: None,
    };
    store(tx, incoming, facts)?;
    Ok(())
}
