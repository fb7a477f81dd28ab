//! The effect of a card processor's event on a saved method.

use serde_json::{Map, json};

use super::event::{Action, ProcessorEvent};
use crate::customers::AccountHolder;
use crate::database::Tx;
use crate::payments::methods::{self, PaymentMethod};
use crate::payments::provider::SavedMethod;
use crate::payments::stripe;
use crate::webhooks::delivery::Effect;
use crate::webhooks::error::WebhookError;
use crate::{events, subscriptions};

pub(super) fn apply(tx: &Tx<'_>, event: &ProcessorEvent) -> Result<Effect, WebhookError> {
    if event.action == Action::MethodFailed {
        return keep_failure(tx, event);
    }
    match &event.method {
        Some(method) if event.action == Action::MethodSaved => save(tx, event, method.clone()),
        Some(method) => change(tx, &event.kind, method),
        None => Ok(Effect::done([])),
    }
}

/// Saves the method of a customer of this store, so that it can be charged.
fn save(tx: &Tx<'_>, event: &ProcessorEvent, method: SavedMethod) -> Result<Effect, WebhookError> {
    let Some(holder) = holder_of(tx, event)? else {
        return Ok(Effect::Skipped("unknown_customer".to_owned()));
    };
    match methods::saved(tx, &holder, method)? {
        Some(method) => changed(tx, &method),
        // An older event does not restore a removed method.
        None => Ok(Effect::Skipped("stale".to_owned())),
    }
}

/// Returns the customer's account whose method an event is about.
fn holder_of(tx: &Tx<'_>, event: &ProcessorEvent) -> Result<Option<AccountHolder>, WebhookError> {
    let named = event.holder.as_ref();
    Ok(named.map(|id| methods::holder_named(tx, stripe::ID, id)).transpose()?.flatten())
}

/// Stores why a method was not saved, and reports it.
fn keep_failure(tx: &Tx<'_>, event: &ProcessorEvent) -> Result<Effect, WebhookError> {
    let holder_id = holder_of(tx, event)?.map(|holder| holder.id);
    let mut effect = Map::new();
    effect.insert("account_holder_id".to_owned(), json!(holder_id));
    effect.insert("error".to_owned(), json!(event.failure));
    let code =
        event.failure.as_ref().and_then(|error| error.get("decline_code").or(error.get("code")));
    let payload = json!({ "account_holder_id": holder_id, "event_id": event.id, "reason": code });
    events::record(tx, "payment_method.setup_failed", &payload)?;
    Ok(Effect::Done(effect))
}

/// Changes or ends a method.
fn change(tx: &Tx<'_>, kind: &str, saved: &SavedMethod) -> Result<Effect, WebhookError> {
    if kind == "payment_method.detached" {
        let Some(method) = methods::gone(tx, &saved.reference)? else { return Ok(unknown()) };
        subscriptions::method_ended(tx, &method)?;
        return Ok(done(&method));
    }
    match methods::reported(tx, saved.clone())? {
        Some(method) => changed(tx, &method),
        None => Ok(unknown()),
    }
}

/// A new or updated card pays what the old one could not.
fn changed(tx: &Tx<'_>, method: &PaymentMethod) -> Result<Effect, WebhookError> {
    subscriptions::method_updated(tx, &method.id)?;
    Ok(done(method))
}

fn done(method: &PaymentMethod) -> Effect {
    Effect::done([("payment_method_id", json!(method.id))])
}

fn unknown() -> Effect {
    Effect::Skipped("unknown_method".to_owned())
}
