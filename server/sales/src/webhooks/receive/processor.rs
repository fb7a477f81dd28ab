//! The card processor: without a secret nothing is accepted, and an event takes effect in the transaction that stores
//! it.

use std::time::Duration;

use serde::Serialize;
use serde_json::{Value, json};

use super::{ReceiveError, verify};
use crate::database::Tx;
use crate::http::ToSchema;
use crate::jobs;
use crate::webhooks::error::WebhookError;
use crate::webhooks::intake::{self, Facts, Incoming, Stored};
use crate::webhooks::processor::{Action, ProcessorEvent, lock_key};
use crate::webhooks::state::WebhookState;
use crate::webhooks::vocabulary::{Mode, Receiver, Status};
use crate::webhooks::work;
use quotient_foundation::webhooks::Refusal;

/// Limit: how long a request waits for another one that changes the same payment; after that the job applies the
/// event.
const LOCK_WAIT: Duration = Duration::from_millis(300);

/// The response to the card processor: `error` if the event is stored and will be applied later, otherwise
/// its effect.
#[derive(Debug, Default, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ProcessorReceipt {
    #[schema(example = true)]
    received: bool,
    /// Whether it has no effect; `reason` then says why.
    #[serde(skip_serializing_if = "Option::is_none")]
    skipped: Option<bool>,
    /// `unhandled_type`, `unknown_session`, `already_applied`, `stale`, `wrong_mode`, `amount_mismatch` or `unreadable`.
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(example = "evt_1QXyzA2eZvKYlo2C0a1b2c3d")]
    event_id: Option<String>,
    /// `captured`, `authorized`, `requires_action`, `failed`, `canceled`, `refunded`, `disputed`, `method_saved`, `method_failed`,
    /// `method_changed` or `not_supported`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>, example = "captured")]
    action: Option<Action>,
    /// The payment session; only where the event is skipped, and null if it names none.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>)]
    session_id: Option<Value>,
    /// Why it is not applied yet.
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<String>,
}

const RECEIVER: Receiver = Receiver::CardProcessorTolerant;

pub(crate) async fn receive(
    state: WebhookState,
    incoming: Incoming,
) -> Result<ProcessorReceipt, ReceiveError> {
    let settings = state.inbox.receivers.of(RECEIVER);
    if !settings.scheme.is_present(&incoming.headers) {
        return Err(ReceiveError::Refused(Refusal::Missing));
    }
    if settings.secrets.is_empty() {
        return Err(ReceiveError::NoSecret);
    }
    let (incoming, signature) = verify(&state, RECEIVER, Mode::Record, incoming).await?;
    let event = ProcessorEvent::read(&incoming.body);
    let facts = Facts {
        receiver: RECEIVER,
        mode: Mode::Record,
        signature,
        external_id: intake::external_id(
            &settings,
            &incoming,
            event.as_ref().map(|event| event.id.clone()),
        ),
        event: event.as_ref().map(|event| event.kind.clone()),
    };
    let locked = event.clone();
    let payment = state.db.read(move |tx| match &locked {
        Some(event) => lock_key(tx, event),
        None => Ok(None),
    });
    let payment = payment.await?;
    let lock = match &payment {
        Some(payment) => state.gateway.locks.lock(payment.as_str(), LOCK_WAIT).await,
        None => None,
    };
    let is_free = payment.is_none() || lock.is_some();
    let livemode = state.inbox.receivers.livemode();
    let stored = state.db.write(move |tx| keep(tx, &incoming, facts, livemode, is_free)).await?;
    drop(lock);
    Ok(receipt(event, &stored))
}

fn keep(
    tx: &Tx<'_>,
    incoming: &Incoming,
    facts: Facts,
    livemode: Option<bool>,
    is_free: bool,
) -> Result<Stored, WebhookError> {
    let mut stored = intake::store(tx, incoming, facts)?;
    if let Stored::New(delivery) = &mut stored {
        if is_free {
            work::handle(tx, delivery, &incoming.body, livemode, 0)?;
            work::retry_later(tx, delivery)?;
        } else {
            jobs::schedule(tx, work::HANDLE, delivery.id.as_str(), tx.now(), "{}")?;
        }
    }
    Ok(stored)
}

fn receipt(event: Option<ProcessorEvent>, stored: &Stored) -> ProcessorReceipt {
    let delivery = stored.delivery();
    let error = || delivery.last_error.clone().unwrap_or_default();
    let action = event.as_ref().map_or(Action::NotSupported, |event| event.action);
    let found = delivery.effect.get("session_id").and_then(Value::as_str);
    let session_id = found.map(str::to_owned).or_else(|| event?.session);
    let empty = || ProcessorReceipt { received: true, ..ProcessorReceipt::default() };
    let applied = || ProcessorReceipt {
        event_id: Some(delivery.external_id.clone()),
        action: Some(action),
        ..empty()
    };
    let skipped = |reason| ProcessorReceipt {
        skipped: Some(true),
        reason: Some(reason),
        session_id: Some(json!(session_id)),
        ..applied()
    };
    let failed = |error| ProcessorReceipt { error: Some(error), ..empty() };
    match (stored, delivery.status) {
        (Stored::New(_), Status::Handled) => applied(),
        (Stored::New(_), Status::Skipped) => skipped(error()),
        (Stored::Repeated(_), Status::Handled | Status::Skipped) => {
            skipped("already_applied".to_owned())
        }
        (_, Status::Received | Status::Pending) => {
            failed("the payment is being changed".to_owned())
        }
        (_, Status::Failed | Status::Dead) => failed(error()),
    }
}
