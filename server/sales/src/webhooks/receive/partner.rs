//! The fulfillment partner: checked if there is a secret; capture mode never rejects.

use serde::Serialize;

use super::{ReceiveError, keep_within_quota, verify};
use crate::http::ToSchema;
use crate::webhooks::event_type;
use crate::webhooks::intake::{self, Facts, Incoming, Stored};
use crate::webhooks::state::WebhookState;
use crate::webhooks::vocabulary::{Mode, Receiver, Signature};

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
    let stored = keep_within_quota(&state, incoming, facts).await?;
    let is_repeated = matches!(stored, Some(Stored::Repeated(_))) && signature == Signature::Valid;
    let is_checked = matches!(signature, Signature::Valid | Signature::Invalid);
    Ok(PartnerReceipt {
        received: true,
        mode,
        signature_checked: (!is_repeated).then_some(is_checked),
        signature_valid: (!is_repeated).then_some(signature == Signature::Valid),
    })
}
