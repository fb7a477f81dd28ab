//! The fulfillment partner: checked if there is a secret; capture mode never rejects.

use serde::Serialize;

use super::{ReceiveError, verify};
use crate::database::Tx;
use crate::http::ToSchema;
use crate::webhooks::error::WebhookError;
use crate::webhooks::intake::{self, Facts, Incoming, Stored};
use crate::webhooks::state::WebhookState;
use crate::webhooks::vocabulary::{Mode, Receiver, Signature};
use crate::webhooks::{event_type, work};

/// The receipt of the fulfillment partner.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct PartnerReceipt {
    #[schema(example = true)]
    received: bool,
    mode: Mode,
    /// Whether there was a signature and a secret; absent for a repetition.
    #[serde(skip_serializing_if = "Option::is_none")]
    signature_checked: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    signature_valid: Option<bool>,
}

const RECEIVER: Receiver = Receiver::FulfillmentPartner;

pub(crate) async fn receive(
    state: WebhookState,
    incoming: Incoming,
) -> Result<PartnerReceipt, ReceiveError> {
    let settings = state.inbox.receivers.of(RECEIVER);
    let mode = settings.mode;
    let (incoming, signature) = if mode == Mode::Record {
        verify(&state, RECEIVER, mode, incoming).await?
    } else {
        let now = state.clock.now();
        let (signature, _) = settings.check(&incoming.headers, &incoming.body, now);
        (incoming, signature)
    };
    let facts = Facts {
        receiver: RECEIVER,
        mode,
        signature,
        external_id: intake::external_id(&settings, &incoming, None),
        event: event_type(&incoming.body),
    };
    let is_repeated = if state.has_quota(&facts, incoming.body.len()) {
        let stored = state.db.write(move |tx| keep(tx, &incoming, facts)).await?;
        matches!(stored, Stored::Repeated(_)) && signature == Signature::Valid
    } else {
        false
    };
    let is_checked = matches!(signature, Signature::Valid | Signature::Invalid);
    Ok(PartnerReceipt {
        received: true,
        mode,
        signature_checked: (!is_repeated).then_some(is_checked),
        signature_valid: (!is_repeated).then_some(signature == Signature::Valid),
    })
}

/// Stores a request and handles it, if it may have an effect.
pub(super) fn keep(tx: &Tx<'_>, incoming: &Incoming, facts: Facts) -> Result<Stored, WebhookError> {
    let mode = facts.mode;
    let mut stored = intake::store(tx, incoming, facts)?;
    if let (Stored::New(delivery), Mode::Record) = (&mut stored, mode) {
        work::handle(tx, delivery, &incoming.body, None, 0)?;
        work::retry_later(tx, delivery)?;
    }
    Ok(stored)
}
