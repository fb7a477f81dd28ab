//! The six senders: the order in which their requests are checked, and the responses.

pub(super) mod email;
pub(super) mod partner;
pub(super) mod platform;
pub(super) mod processor;
pub(super) mod quota;
pub(super) mod ring;
pub(super) mod sms;
pub(super) mod warehouse;

use quotient_foundation::webhooks::Refusal;
use serde::Serialize;

use super::error::WebhookError;
use super::intake::{self, Facts, Incoming, Stored};
use super::state::WebhookState;
use super::vocabulary::{Mode, Receiver, Signature};
use super::{event_type, work};
use crate::database::Tx;
use crate::http::ToSchema;

/// The receipt of a delivery about a parcel.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct ParcelReceipt {
    #[schema(example = true)]
    received: bool,
    mode: Mode,
    /// Whether it is about a parcel of a known order; only in record mode.
    #[serde(skip_serializing_if = "Option::is_none")]
    routed: Option<bool>,
}

impl ParcelReceipt {
    fn new(mode: Mode, stored: Option<&Stored>) -> Self {
        let is_routed = stored.is_some_and(|stored| stored.delivery().order_id.is_some());
        Self { received: true, mode, routed: (mode == Mode::Record).then_some(is_routed) }
    }
}

/// Why a request of a sender is rejected.
#[derive(Debug)]
pub(super) enum ReceiveError {
    /// Its signature is missing or wrong.
    Refused(Refusal),
    /// There is no secret for checking it.
    NoSecret,
    /// It cannot be stored.
    NotStored(WebhookError),
}

impl From<WebhookError> for ReceiveError {
    fn from(error: WebhookError) -> Self {
        Self::NotStored(error)
    }
}

/// Stores a request as [`keep`] does. Anybody can send unsigned ones, so their total size is limited; returns `None` if
/// there is no space for this one.
async fn keep_within_quota(
    state: &WebhookState,
    incoming: Incoming,
    facts: Facts,
) -> Result<Option<Stored>, WebhookError> {
    let len = incoming.body.len();
    let is_proven = facts.signature == Signature::Valid;
    if !is_proven && !state.inbox.quota.take(facts.receiver, len, state.clock.now()) {
        return Ok(None);
    }
    state.db.write(move |tx| keep(tx, &incoming, facts)).await.map(Some)
}

/// Stores a request and handles it, if it may have an effect.
fn keep(tx: &Tx<'_>, incoming: &Incoming, facts: Facts) -> Result<Stored, WebhookError> {
    let mode = facts.mode;
    let mut stored = intake::store(tx, incoming, facts)?;
    if let (Stored::New(delivery), Mode::Record) = (&mut stored, mode) {
        work::handle(tx, delivery, &incoming.body, None, 0)?;
        work::retry_later(tx, delivery)?;
    }
    Ok(stored)
}

/// Stores a request of a sender that always signs: without the headers of its scheme nothing is accepted, because they
/// contain the id by which repetitions are recognised. An unsigned request is stored only if there is space.
async fn keep_signed(
    state: &WebhookState,
    receiver: Receiver,
    incoming: Incoming,
) -> Result<(Mode, Option<Stored>), ReceiveError> {
    let settings = state.inbox.receivers.of(receiver);
    if !settings.scheme.is_present(&incoming.headers) {
        return Err(ReceiveError::Refused(Refusal::Missing));
    }
    let mode = settings.mode;
    let (incoming, signature) = verify(state, receiver, mode, incoming).await?;
    let external_id = intake::external_id(&settings, &incoming, None);
    let event = event_type(&incoming.body);
    let facts = Facts { receiver, mode, signature, external_id, event };
    Ok((mode, keep_within_quota(state, incoming, facts).await?))
}

/// Returns a request with the state of its signature, or rejects it. One with a wrong signature is stored for
/// inspection while there is space.
async fn verify(
    state: &WebhookState,
    receiver: Receiver,
    mode: Mode,
    incoming: Incoming,
) -> Result<(Incoming, Signature), ReceiveError> {
    let now = state.clock.now();
    let settings = state.inbox.receivers.of(receiver);
    let (signature, refusal) = settings.check(&incoming.headers, &incoming.body, now);
    let Some(refusal) = refusal else { return Ok((incoming, signature)) };
    let len = incoming.body.len().min(intake::MAX_FORGED_BYTES);
    if signature == Signature::Invalid && state.inbox.quota.take(receiver, len, now) {
        let store = move |tx: &Tx<'_>| intake::store_refused(tx, &incoming, receiver, mode);
        state.db.write(store).await?;
    }
    Err(ReceiveError::Refused(refusal))
}
