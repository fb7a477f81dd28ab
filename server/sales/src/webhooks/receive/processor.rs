//! The card processor: without a secret nothing is taken, and an event takes effect in the transaction that keeps it.

use std::time::Duration;

use super::{NotTaken, refuse};
use crate::database::Tx;
use crate::webhooks::error::WebhookError;
use crate::webhooks::intake::{self, Facts, Incoming, Stored};
use crate::webhooks::processor::{Action, ProcessorEvent, lock_key};
use crate::webhooks::state::WebhookState;
use crate::webhooks::vocabulary::{Mode, Receiver, Status};
use crate::webhooks::work;
use quotient_foundation::webhooks::Refusal;

/// Limit: how long a request waits for another one that moves the same payment; after that the job applies the event.
const LOCK_WAIT: Duration = Duration::from_millis(300);

/// What the processor is answered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::webhooks) struct Receipt {
    pub(in crate::webhooks) event_id: String,
    pub(in crate::webhooks) action: &'static str,
    pub(in crate::webhooks) session_id: Option<String>,
    pub(in crate::webhooks) outcome: Outcome,
}

/// What became of an event.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::webhooks) enum Outcome {
    Applied,
    Skipped(String),
    /// It is kept, and will be tried again.
    Failed(String),
}

const RECEIVER: Receiver = Receiver::CardProcessorTolerant;

pub(in crate::webhooks) async fn receive(
    state: WebhookState,
    incoming: Incoming,
) -> Result<Receipt, NotTaken> {
    let settings = state.inbox.receivers.of(RECEIVER);
    if !settings.scheme.is_present(&incoming.headers) {
        return Err(NotTaken::Refused(Refusal::Missing));
    }
    if settings.secrets.is_empty() {
        return Err(NotTaken::NoSecret);
    }
    let (signature, refusal) =
        settings.check((&incoming.headers, &incoming.body), state.clock.now());
    if let Some(refusal) = refusal {
        let verdict = (signature, refusal);
        return Err(refuse(&state.db, incoming, (RECEIVER, Mode::Record), verdict).await);
    }
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
    let stored = state.db.write(move |tx| keep(tx, &incoming, facts, (livemode, is_free))).await?;
    drop(lock);
    Ok(receipt(event, &stored))
}

fn keep(
    tx: &Tx<'_>,
    incoming: &Incoming,
    facts: Facts,
    (livemode, is_free): (Option<bool>, bool),
) -> Result<Stored, WebhookError> {
    let mut stored = intake::store(tx, incoming, facts)?;
    if let Stored::New(delivery) = &mut stored {
        if is_free {
            work::handle(tx, delivery, (&incoming.body, livemode), 0)?;
            work::retry_later(tx, delivery)?;
        } else {
            work::handle_soon(tx, delivery)?;
        }
    }
    Ok(stored)
}

fn receipt(event: Option<ProcessorEvent>, stored: &Stored) -> Receipt {
    let delivery = stored.delivery();
    let error = || delivery.last_error.clone().unwrap_or_default();
    let outcome = match (stored, delivery.status) {
        (Stored::New(_), Status::Handled) => Outcome::Applied,
        (Stored::New(_), Status::Skipped) => Outcome::Skipped(error()),
        (Stored::Repeated(_), Status::Handled | Status::Skipped) => {
            Outcome::Skipped("already_applied".to_owned())
        }
        (_, Status::Received | Status::Pending) => {
            Outcome::Failed("the payment is being changed".to_owned())
        }
        (_, Status::Failed | Status::Dead) => Outcome::Failed(error()),
    };
    let named = event.as_ref().and_then(|event| event.session.clone());
    let found = delivery.effect.get("session_id").and_then(serde_json::Value::as_str);
    Receipt {
        event_id: delivery.external_id.clone(),
        action: event.map_or(Action::None, |event| event.action).as_str(),
        session_id: found.map(str::to_owned).or(named),
        outcome,
    }
}
