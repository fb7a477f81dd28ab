//! The shipping platform: checked if there is a secret. Its usual scheme has no time, so repetitions are recognised by
//! their ids.

use quotient_foundation::webhooks::Scheme;
use serde_json::Value;

use super::{ParcelReceipt, ReceiveError, keep_within_quota, verify};
use crate::webhooks::intake::{self, Facts, Incoming};
use crate::webhooks::state::WebhookState;
use crate::webhooks::vocabulary::Receiver;

pub(crate) const EVENTS: [&str; 5] = ["tracking", "label", "shipment", "batch", "rate"];

const RECEIVER: Receiver = Receiver::ShippingPlatform;

pub(crate) async fn receive(
    state: WebhookState,
    event: &'static str,
    incoming: Incoming,
) -> Result<ParcelReceipt, ReceiveError> {
    let settings = state.inbox.receivers.of(RECEIVER);
    let mode = settings.mode;
    let (incoming, signature) = verify(&state, RECEIVER, mode, incoming).await?;
    let id = serde_json::from_slice::<Value>(&incoming.body).ok();
    let id = id.and_then(|body| body.get("id")?.as_str().map(str::to_owned));
    // Requests signed with RSA are identified by their bytes, because they contain a time.
    let id = id.filter(|_| settings.scheme != Scheme::Rsa);
    let external_id = intake::external_id(&settings, &incoming, id);
    let facts =
        Facts { receiver: RECEIVER, mode, signature, external_id, event: Some(event.to_owned()) };
    let stored = keep_within_quota(&state, incoming, facts).await?;
    Ok(ParcelReceipt::new(mode, stored.as_ref()))
}
