//! Processes incoming deliveries: the effect, the outcome, and the retries.
//!
//! Effects are joins, so neither the order of deliveries nor their repetition matters, and nothing waits for an earlier
//! delivery that failed.

use serde_json::{Value, json};

use super::delivery::{Attempt, Delivery, Effect};
use super::error::WebhookError;
use super::processor::{self, ProcessorEvent};
use super::receivers::Receivers;
use super::shipments::{self, ParcelUpdate};
use super::vocabulary::{Receiver, Status};
use super::{announce, email, queries, sms};
use crate::clock::HOUR_MS;
use crate::database::{self, Db, Table as _, Tx};
use crate::events::{Event, Subscriber};
use crate::fulfillment::parcels::{self, ParcelReport};
use crate::ids::{OrderId, WebhookDeliveryId};
use crate::jobs::{self, Job, JobError};
use crate::payments::PaymentGateway;

/// The kind of the job that handles a delivery.
pub const HANDLE: &str = "webhooks.handle";

/// Limit: how often a delivery that fails is tried.
const MAX_TRIES: u32 = 12;

/// The delay before the first retry, in milliseconds.
const RETRY_MS: i64 = 5_000;

/// Limit: how long a delivery waits for its subject, in milliseconds.
const MAX_WAIT_MS: i64 = 72 * HOUR_MS;

/// Limit: how long the job waits for a request that changes the same payment.
const LOCK_WAIT: std::time::Duration = std::time::Duration::from_secs(10);

/// The path of the shipping platform's events of parcels.
pub(super) const TRACKING: &str = "tracking";

/// Handles a delivery, and stores the outcome. A failed effect is not an error; its changes are undone.
pub(super) fn handle(
    tx: &Tx<'_>,
    delivery: &mut Delivery,
    body: &[u8],
    livemode: Option<bool>,
    earlier_tries: u32,
) -> Result<(), WebhookError> {
    let outcome = tx.attempt(|tx| effect(tx, delivery, body, livemode))?;
    let now = tx.now();
    delivery.attempt_count = delivery.attempt_count.saturating_add(1);
    match outcome {
        Ok(Effect::Done(effect)) => {
            if let Some(order) = effect.get("order_id").and_then(Value::as_str) {
                delivery.order_id = order.parse().ok();
            }
            delivery.effect.extend(effect);
            delivery.end(Status::Handled, None, now);
        }
        Ok(Effect::Announced) => delivery.end(Status::Received, None, now),
        Ok(Effect::Skipped(reason)) => delivery.end(Status::Skipped, Some(reason), now),
        Ok(Effect::Waits(reason)) => {
            let is_late = now >= delivery.received_at.plus_ms(MAX_WAIT_MS);
            let status = if is_late { Status::Dead } else { Status::Failed };
            delivery.end(status, Some(reason), now);
        }
        Err(WebhookError::Db(error)) if !is_of_delivery(&error) => return Err(error.into()),
        Err(error) => {
            let is_last = earlier_tries.saturating_add(1) >= MAX_TRIES;
            let status = if is_last { Status::Dead } else { Status::Failed };
            delivery.end(status, Some(error.to_string()), now);
        }
    }
    finish(tx, delivery)
}

/// Returns whether a database error comes from the content of a delivery rather than from the state of the
/// database.
fn is_of_delivery(error: &database::Error) -> bool {
    matches!(error, database::Error::Duplicate(_) | database::Error::Sqlite(_))
}

fn finish(tx: &Tx<'_>, delivery: &Delivery) -> Result<(), WebhookError> {
    delivery.update(tx)?;
    queries::add_attempt(
        tx,
        &Attempt {
            delivery_id: delivery.id.clone(),
            number: delivery.attempt_count,
            at: tx.now(),
            duration_ms: None,
            status: None,
            error: delivery.last_error.clone(),
            answer: None,
        },
    )?;
    if delivery.status == Status::Dead {
        let (id, error) = (delivery.id.as_str(), delivery.last_error.as_deref());
        tracing::error!(delivery = id, error, "a delivery is given up");
        announce::dead(tx, delivery)?;
    }
    Ok(())
}

fn effect(
    tx: &Tx<'_>,
    delivery: &mut Delivery,
    body: &[u8],
    livemode: Option<bool>,
) -> Result<Effect, WebhookError> {
    match delivery.receiver {
        Some(Receiver::WarehouseIntegration) => {
            shipment(tx, delivery, shipments::read_warehouse(body))
        }
        Some(Receiver::FulfillmentPartner) => shipment(tx, delivery, shipments::read_partner(body)),
        Some(Receiver::ShippingPlatform) if delivery.event.as_deref() == Some(TRACKING) => {
            shipment(tx, delivery, shipments::read_platform(body))
        }
        Some(Receiver::ShippingPlatform) => Ok(Effect::Skipped("unhandled_type".to_owned())),
        Some(Receiver::EmailProvider) => email::apply(tx, body),
        // It is redelivered.
        Some(Receiver::SmsProvider | Receiver::CardProcessorTolerant)
            if !delivery.effect.is_empty() =>
        {
            Ok(Effect::done([]))
        }
        Some(Receiver::SmsProvider) => sms::announce(tx, delivery),
        Some(Receiver::CardProcessorTolerant) => match ProcessorEvent::read(body) {
            Some(event) => processor::apply(tx, &event, livemode),
            None => Ok(Effect::Skipped("unreadable".to_owned())),
        },
        None => Ok(Effect::Skipped("it goes out".to_owned())),
    }
}

/// Announces the update of a parcel; if that is done, applies it.
fn shipment(
    tx: &Tx<'_>,
    delivery: &mut Delivery,
    read: Result<ParcelUpdate, String>,
) -> Result<Effect, WebhookError> {
    let update = match read {
        Ok(update) => update,
        Err(reason) => return Ok(Effect::Skipped(reason)),
    };
    let found = match &delivery.order_id {
        Some(order) => Some(order.clone()),
        None => find_order(tx, &update)?,
    };
    let Some(order) = found else {
        return Ok(Effect::Waits("its order is not known".to_owned()));
    };
    if delivery.effect.contains_key(announce::ANNOUNCED) {
        return apply_update(tx, delivery, order, update);
    }
    announce::shipment(tx, delivery, &order, &update)?;
    delivery.order_id = Some(order);
    delivery.occurred_at = update.at;
    delivery.effect.insert(announce::ANNOUNCED.to_owned(), json!(announce::SHIPMENT));
    Ok(Effect::Announced)
}

fn find_order(tx: &Tx<'_>, update: &ParcelUpdate) -> Result<Option<OrderId>, database::Error> {
    if update.order.is_empty() {
        return queries::order_by_tracking_number(tx, &update.tracking_number);
    }
    queries::order_by_reference(tx, &update.order)
}

fn apply_update(
    tx: &Tx<'_>,
    delivery: &Delivery,
    order_id: OrderId,
    update: ParcelUpdate,
) -> Result<Effect, WebhookError> {
    let ParcelUpdate { state, carrier, tracking_number, tracking_url, items, at, .. } = update;
    let at = at.unwrap_or(delivery.received_at);
    let report =
        ParcelReport { order_id, tracking_number, carrier, tracking_url, state, at, items };
    let fulfillment = parcels::report(tx, &report)?;
    let order_id = ("order_id", json!(report.order_id));
    Ok(Effect::done([order_id, ("fulfillment_id", json!(fulfillment))]))
}

/// Creates fulfillments and shipments from the reports of carriers and warehouses.
pub const PARCELS: Subscriber =
    Subscriber { name: "webhooks.parcels", events: &[announce::SHIPMENT], handle: follow_parcel };

fn follow_parcel(tx: &Tx<'_>, event: &Event) -> Result<(), database::Error> {
    let Some(id) = announce::delivery_of(&event.payload) else { return Ok(()) };
    let (Some(mut delivery), Some(body)) = (Delivery::find(tx, &id)?, queries::body(tx, &id)?)
    else {
        return Ok(());
    };
    // It may have been discarded since it was announced.
    if delivery.status != Status::Received {
        return Ok(());
    }
    match handle(tx, &mut delivery, &body, None, 0) {
        Ok(()) => retry_later(tx, &delivery),
        Err(WebhookError::Db(error)) => Err(error),
        Err(error) => {
            tracing::error!(%error, delivery = id.as_str(), "a parcel cannot be followed");
            Ok(())
        }
    }
}

/// Schedules the next attempt of a delivery that has failed.
pub(super) fn retry_later(tx: &Tx<'_>, delivery: &Delivery) -> Result<(), database::Error> {
    if delivery.status != Status::Failed {
        return Ok(());
    }
    jobs::schedule(tx, HANDLE, delivery.id.as_str(), tx.now().plus_ms(RETRY_MS), "{}")
}

/// Handles a delivery that has failed, or that somebody delivers again.
///
/// # Errors
/// Why it failed; the job is tried again.
pub async fn handle_again(
    db: Db,
    gateway: PaymentGateway,
    receivers: Receivers,
    job: Job,
) -> Result<(), JobError> {
    let id: WebhookDeliveryId = job.key.parse()?;
    let locked = id.clone();
    let key = db.read(move |tx| payment_of(tx, &locked)).await?;
    let _lock = match &key {
        Some(key) => {
            let lock = gateway.locks.lock(key, LOCK_WAIT).await;
            Some(lock.ok_or_else(|| JobError("its payment is being changed".to_owned()))?)
        }
        None => None,
    };
    let (livemode, tries) = (receivers.livemode(), job.attempt_count);
    match db.write(move |tx| handle_once(tx, &id, livemode, tries)).await? {
        Some(reason) => Err(JobError(reason)),
        None => Ok(()),
    }
}

/// Handles a delivery that has not ended; returns why it has to be retried.
fn handle_once(
    tx: &Tx<'_>,
    id: &WebhookDeliveryId,
    livemode: Option<bool>,
    tries: u32,
) -> Result<Option<String>, WebhookError> {
    let (Some(mut delivery), Some(body)) = (Delivery::find(tx, id)?, queries::body(tx, id)?) else {
        return Ok(None);
    };
    if !matches!(delivery.status, Status::Received | Status::Failed) {
        return Ok(None);
    }
    handle(tx, &mut delivery, &body, livemode, tries)?;
    let is_failed = delivery.status == Status::Failed;
    Ok(delivery.last_error.filter(|_| is_failed))
}

/// Returns the payment that a delivery of the card processor is about.
fn payment_of(tx: &Tx<'_>, id: &WebhookDeliveryId) -> Result<Option<String>, WebhookError> {
    let delivery = Delivery::find(tx, id)?;
    if delivery.and_then(|delivery| delivery.receiver) != Some(Receiver::CardProcessorTolerant) {
        return Ok(None);
    }
    let Some(body) = queries::body(tx, id)? else { return Ok(None) };
    let Some(event) = ProcessorEvent::read(&body) else { return Ok(None) };
    Ok(processor::lock_key(tx, &event)?.map(|payment| payment.to_string()))
}
