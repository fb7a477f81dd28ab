//! The job that sends a delivery, and the consequences of the response.

use quotient_foundation::webhooks::{self, Answer, SendError, Sender};
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::endpoint::WebhookEndpoint;
use super::schedule::delay_ms;
use crate::clock::{Clock, Timestamp};
use crate::database::{self, Db, Table as _, Tx};
use crate::ids::{WebhookDeliveryId, WebhookEndpointId};
use crate::jobs::{self, Job, JobError};
use crate::webhooks::delivery::{Attempt, Delivery};
use crate::webhooks::error::WebhookError;
use crate::webhooks::vocabulary::Status;
use crate::webhooks::{announce, queries};

/// The kind of job that sends a delivery. Its key is the endpoint, whose deliveries share the job slots, then the delivery
/// and the number of the attempt, so that the job of one attempt can schedule the next one.
pub const SEND: &str = "webhooks.send";

/// The status by which an endpoint says that it no longer exists.
const GONE: u16 = 410;

/// The statuses with which an endpoint may state when to retry.
const BUSY: [u16; 2] = [429, 503];

#[derive(Debug, Serialize, Deserialize)]
struct Payload {
    /// The place in the schedule, from 0.
    place: usize,
}

/// Schedules the next attempt of a delivery.
pub(crate) fn schedule(
    tx: &Tx<'_>,
    delivery: &Delivery,
    place: usize,
    at: Timestamp,
) -> Result<(), database::Error> {
    let number = delivery.attempt_count.saturating_add(1);
    let endpoint = delivery.endpoint_id.as_ref().map_or("", WebhookEndpointId::as_str);
    let key = format!("{endpoint}/{}/{number}", delivery.id);
    jobs::schedule(tx, SEND, &key, at, &json!(Payload { place }).to_string())
}

/// What an attempt needs.
struct Outgoing {
    delivery: Delivery,
    endpoint: Option<WebhookEndpoint>,
    body: Vec<u8>,
}

/// Sends a delivery once.
///
/// # Errors
/// If the database cannot be read or written. A rejection by the endpoint is not an error, and the next attempt has
/// its own job.
pub async fn send(db: Db, clock: Clock, sender: Sender, job: Job) -> Result<(), JobError> {
    let Some((id, number, place)) = read(&job) else {
        tracing::error!(job = job.key, "a delivery cannot be read and is given up");
        return Ok(());
    };
    let outgoing = db.read(move |tx| load(tx, &id, number)).await?;
    let Some(Outgoing { delivery, endpoint, body }) = outgoing else { return Ok(()) };
    let Some(endpoint) = endpoint.filter(|endpoint| endpoint.is_active) else {
        return Ok(db.write(move |tx| give_up(tx, delivery)).await?);
    };
    let started_ms = clock.steady_ms();
    let body = String::from_utf8_lossy(&body);
    let answer = call(&sender, &endpoint, &delivery.external_id, &body, clock.now()).await;
    let duration_ms = clock.steady_ms().saturating_sub(started_ms);
    let conclude = move |tx: &Tx<'_>| conclude(tx, &delivery.id, answer, duration_ms, place);
    Ok(db.write(conclude).await?)
}

/// Sends a body to an endpoint, signed with its secrets.
pub(crate) async fn call(
    sender: &Sender,
    endpoint: &WebhookEndpoint,
    id: &str,
    body: &str,
    at: Timestamp,
) -> Result<Answer, SendError> {
    let secrets = endpoint.keys(at);
    sender.send(webhooks::Delivery { url: &endpoint.url, secrets: &secrets, id, at, body }).await
}

fn read(job: &Job) -> Option<(WebhookDeliveryId, i64, usize)> {
    let (rest, number) = job.key.rsplit_once('/')?;
    // Earlier versions did not write the endpoint.
    let id = rest.rsplit_once('/').map_or(rest, |(_endpoint, id)| id);
    let Payload { place } = serde_json::from_str(&job.payload).ok()?;
    Some((id.parse().ok()?, number.parse().ok()?, place))
}

/// Returns what to send; none if this attempt was made, or the delivery has ended.
fn load(
    tx: &Tx<'_>,
    id: &WebhookDeliveryId,
    number: i64,
) -> Result<Option<Outgoing>, database::Error> {
    let Some(delivery) = Delivery::find(tx, id)? else { return Ok(None) };
    let Some(body) = queries::body(tx, id)? else { return Ok(None) };
    if !is_open(&delivery) || delivery.attempt_count >= number {
        return Ok(None);
    }
    let endpoint = delivery.endpoint(tx)?;
    Ok(Some(Outgoing { delivery, endpoint, body }))
}

fn is_open(delivery: &Delivery) -> bool {
    matches!(delivery.status, Status::Pending | Status::Failed)
}

fn give_up(tx: &Tx<'_>, mut delivery: Delivery) -> Result<(), database::Error> {
    delivery.end(Status::Dead, Some("the endpoint is switched off".to_owned()), tx.now());
    delivery.update(tx)?;
    announce::dead(tx, &delivery)
}

/// Stores an attempt, and its consequences.
fn conclude(
    tx: &Tx<'_>,
    id: &WebhookDeliveryId,
    answer: Result<Answer, SendError>,
    duration_ms: i64,
    place: usize,
) -> Result<(), WebhookError> {
    // It may have been discarded or erased meanwhile.
    let Some(mut delivery) = Delivery::find(tx, id)? else { return Ok(()) };
    let status = answer.as_ref().ok().map(|answer| answer.status.as_u16());
    let failure = match &answer {
        Ok(answer) => answer.accepted().err(),
        Err(error) => Some(error.to_string()),
    };
    delivery.attempt_count = delivery.attempt_count.saturating_add(1);
    queries::add_attempt(
        tx,
        &Attempt {
            delivery_id: delivery.id.clone(),
            number: delivery.attempt_count,
            at: tx.now(),
            duration_ms: Some(duration_ms),
            status: status.map(i64::from),
            error: failure.clone(),
            answer: answer.as_ref().ok().map(|answer| answer.text.clone()),
        },
    )?;
    if !is_open(&delivery) {
        return Ok(delivery.update(tx)?);
    }
    let endpoint = delivery.endpoint(tx)?;
    let Some(reason) = failure else {
        delivery.end(Status::Handled, None, tx.now());
        delivery.update(tx)?;
        return Ok(endpoint.map_or(Ok(()), |endpoint| endpoint.succeed(tx))?);
    };
    let is_gone = status == Some(GONE);
    let retry_after_s = answer.ok().and_then(|answer| answer.retry_after_s);
    let retry_after_s =
        retry_after_s.filter(|_| status.is_some_and(|status| BUSY.contains(&status)));
    let delay_ms = delay_ms(place, delivery.id.as_str(), retry_after_s).filter(|_| !is_gone);
    if let Some(delay_ms) = delay_ms {
        delivery.end(Status::Failed, Some(reason), tx.now());
        schedule(tx, &delivery, place.saturating_add(1), tx.now().plus_ms(delay_ms))?;
    } else {
        delivery.end(Status::Dead, Some(reason), tx.now());
        announce::dead(tx, &delivery)?;
    }
    delivery.update(tx)?;
    match endpoint.filter(|endpoint| endpoint.is_active) {
        Some(endpoint) if is_gone => endpoint.disable(tx, "it answered 410 Gone"),
        Some(endpoint) => endpoint.fail(tx),
        None => Ok(()),
    }
}
