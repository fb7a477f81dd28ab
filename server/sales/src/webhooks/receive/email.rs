//! The e-mail provider: without the headers of its scheme nothing is taken, for they have the id that repetitions are
//! known by.

use quotient_foundation::webhooks::Refusal;
use serde_json::Value;

use super::partner::keep;
use super::{NotTaken, refuse};
use crate::webhooks::intake::{self, Facts, Incoming, Stored};
use crate::webhooks::state::WebhookState;
use crate::webhooks::vocabulary::{Mode, Receiver, Status};
use crate::webhooks::{email, event_type};

/// What the provider is answered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::webhooks) enum Receipt {
    /// It is kept.
    Captured,
    /// It was there already.
    Repeated,
    /// It is about an e-mail of this order.
    Recorded(String),
    /// It is about another e-mail of ours.
    Correlated,
    /// Whether it had an effect.
    Handled(bool),
}

const RECEIVER: Receiver = Receiver::EmailProvider;

pub(in crate::webhooks) async fn receive(
    state: WebhookState,
    incoming: Incoming,
) -> Result<Receipt, NotTaken> {
    let settings = state.inbox.receivers.of(RECEIVER);
    if !settings.scheme.is_present(&incoming.headers) {
        return Err(NotTaken::Refused(Refusal::Missing));
    }
    let mode = settings.mode;
    let (signature, refusal) =
        settings.check((&incoming.headers, &incoming.body), state.clock.now());
    if let Some(refusal) = refusal {
        let verdict = (signature, refusal);
        return Err(refuse(&state.db, incoming, (RECEIVER, mode), verdict).await);
    }
    let external_id = intake::external_id(&settings, &incoming, None);
    let event = event_type(&incoming.body);
    let facts = Facts { receiver: RECEIVER, mode, signature, external_id, event };
    let stored = state.db.write(move |tx| keep(tx, &incoming, facts)).await?;
    Ok(match stored {
        _ if mode == Mode::Capture => Receipt::Captured,
        Stored::Repeated(_) => Receipt::Repeated,
        Stored::New(delivery) if delivery.status == Status::Handled => {
            match delivery.effect.get(email::ORDER).and_then(Value::as_str) {
                Some(order) => Receipt::Recorded(order.to_owned()),
                None => Receipt::Correlated,
            }
        }
        Stored::New(_) => Receipt::Handled(false),
    })
}
