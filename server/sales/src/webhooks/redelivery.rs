//! Administrators' actions on deliveries: redeliver, discard, or assign a parcel to an order.

use serde_json::{Value, json};

use super::announce::ANNOUNCED;
use super::delivery::Delivery;
use super::error::WebhookError;
use super::outbound::send;
use super::queries::{self, Selection};
use super::vocabulary::{Direction, Receiver, Status};
use super::work;
use crate::audit_log::{self, EntityType};
use crate::clock::Timestamp;
use crate::context::Context;
use crate::database::{Db, Missing, Table as _, Tx};
use crate::ids::{OrderId, WebhookDeliveryId};
use crate::jobs;

/// The time between two of many deliveries, in milliseconds: 20 a second.
const PACE_MS: i64 = 50;

/// Limit: deliveries that one write queues, so that other writes do not wait for all of them.
const CHUNK_LEN: usize = 500;

/// Delivers again, at an instant.
fn again(tx: &Tx<'_>, mut delivery: Delivery, at: Timestamp) -> Result<Delivery, WebhookError> {
    check(tx, &delivery)?;
    match delivery.direction {
        Direction::Inbound => {
            delivery.end(Status::Received, None, tx.now());
            jobs::schedule(tx, work::HANDLE, delivery.id.as_str(), at, "{}")?;
        }
        Direction::Outbound => {
            delivery.end(Status::Pending, None, tx.now());
            send::schedule(tx, &delivery, 0, at)?;
        }
    }
    delivery.update(tx)?;
    Ok(delivery)
}

/// Checks that a delivery can be redelivered: its body is stored, an incoming one was verified, and an outgoing one
/// has an endpoint.
fn check(tx: &Tx<'_>, delivery: &Delivery) -> Result<(), WebhookError> {
    let refused = |reason| Err(WebhookError::NotAllowed { id: delivery.id.to_string(), reason });
    if !queries::has_body(tx, &delivery.id)? {
        return refused("has no body any more");
    }
    let endpoint = delivery.endpoint(tx)?;
    match delivery.direction {
        Direction::Inbound if !delivery.is_verified => {
            refused("was not verified, and never takes effect")
        }
        Direction::Outbound if endpoint.is_none_or(|endpoint| !endpoint.is_active) => {
            refused("has no active endpoint")
        }
        Direction::Inbound | Direction::Outbound => Ok(()),
    }
}

/// Redelivers a delivery, immediately.
pub(super) fn redeliver(
    tx: &Tx<'_>,
    id: &WebhookDeliveryId,
    actor: &str,
) -> Result<(), WebhookError> {
    let before = Delivery::require::<WebhookError>(tx, id)?;
    let after = again(tx, before.clone(), tx.now())?;
    note(tx, "redeliver", None, (&before, &after), actor)
}

/// Redelivers many, oldest first; returns how many matched and how many were queued. If it is interrupted, a repetition
/// queues the rest.
pub(super) async fn redeliver_all(
    db: Db,
    selection: Selection,
    is_dry: bool,
    actor: &str,
) -> Result<(u64, u64), WebhookError> {
    let select = move |tx: &Tx<'_>| Ok((queries::selected(tx, &selection)?, tx.now()));
    let (ids, mut at) = db.read::<_, WebhookError>(select).await?;
    let matched = u64::try_from(ids.len()).unwrap_or(u64::MAX);
    let mut queued: u64 = 0;
    if is_dry {
        return Ok((matched, queued));
    }
    for ids in ids.chunks(CHUNK_LEN) {
        let (ids, actor) = (ids.to_vec(), actor.to_owned());
        let write = db.write(move |tx| redeliver_some(tx, &ids, at, &actor));
        let (count, next_at) = Context::current().repeatable().run(write).await?;
        queued = queued.saturating_add(count);
        at = next_at;
    }
    Ok((matched, queued))
}

/// Redelivers some of many from an instant on; returns how many were queued, and the instant of the next one.
fn redeliver_some(
    tx: &Tx<'_>,
    ids: &[WebhookDeliveryId],
    mut at: Timestamp,
    actor: &str,
) -> Result<(u64, Timestamp), WebhookError> {
    let mut queued: u64 = 0;
    for id in ids {
        let before = Delivery::find(tx, id)?;
        // It may have been handled, discarded or deleted since it was selected.
        let is_wanted = |found: &Delivery| matches!(found.status, Status::Failed | Status::Dead);
        let Some(before) = before.filter(is_wanted) else { continue };
        match again(tx, before.clone(), at) {
            Ok(after) => note(tx, "redeliver", None, (&before, &after), actor)?,
            Err(WebhookError::NotAllowed { .. }) => continue,
            Err(error) => return Err(error),
        }
        at = at.plus_ms(PACE_MS);
        queued = queued.saturating_add(1);
    }
    Ok((queued, at))
}

/// Ends a delivery that is not handled, for a reason.
pub(super) fn discard(
    tx: &Tx<'_>,
    id: &WebhookDeliveryId,
    reason: String,
    actor: &str,
) -> Result<(), WebhookError> {
    let before = Delivery::require::<WebhookError>(tx, id)?;
    if before.status == Status::Handled {
        let reason = "was handled already";
        return Err(WebhookError::NotAllowed { id: id.to_string(), reason });
    }
    let mut after = before.clone();
    after.end(Status::Skipped, Some(reason.clone()), tx.now());
    after.update(tx)?;
    note(tx, "discard", Some(reason), (&before, &after), actor)
}

/// Assigns a parcel whose sender named another order, and handles the delivery.
pub(super) fn route(
    tx: &Tx<'_>,
    id: &WebhookDeliveryId,
    order: &OrderId,
    actor: &str,
) -> Result<(), WebhookError> {
    let before = Delivery::require::<WebhookError>(tx, id)?;
    let refused = |reason| Err(WebhookError::NotAllowed { id: id.to_string(), reason });
    match before.receiver {
        Some(
            Receiver::WarehouseIntegration
            | Receiver::FulfillmentPartner
            | Receiver::ShippingPlatform,
        ) => {}
        Some(Receiver::EmailProvider | Receiver::SmsProvider | Receiver::CardProcessorTolerant)
        | None => {
            return refused("is not about a parcel");
        }
    }
    if before.status == Status::Handled {
        return refused("was handled already");
    }
    let found = queries::order_by_reference(tx, order.as_str())?;
    let order = found.ok_or_else(|| Missing::new("Order", order))?;
    let mut routed = before.clone();
    routed.effect.remove(ANNOUNCED);
    routed.order_id = Some(order);
    let after = again(tx, routed, tx.now())?;
    note(tx, "route", None, (&before, &after), actor)
}

/// Records an administrator's action in the audit log.
fn note(
    tx: &Tx<'_>,
    action: &str,
    reason: Option<String>,
    (before, after): (&Delivery, &Delivery),
    actor_id: &str,
) -> Result<(), WebhookError> {
    let state = |delivery: &Delivery| -> Value {
        json!({ "status": delivery.status, "order_id": delivery.order_id, "last_error": delivery.last_error })
    };
    let mut after_state = state(after);
    if let (Some(members), Some(reason)) = (after_state.as_object_mut(), reason) {
        members.insert("reason".to_owned(), json!(reason));
    }
    let entity = (EntityType::WebhookDelivery, before.id.as_str());
    let states = (Some(state(before)), Some(after_state));
    Ok(audit_log::record_change(tx, entity, action, states, actor_id)?)
}
