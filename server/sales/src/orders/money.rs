//! Captures and cancellations of payments by admins. The provider is called outside of any transaction, under
//! a per-payment lock; its result is stored in one transaction with the order's new statuses.
//!
//! Every operation runs to completion even if the client disconnects.

use std::time::Duration;

use serde_json::{Value, json};

use super::error::OrderError;
use super::queries::progress;
use super::refunding::{Refunded, refund};
use super::settle::settle;
use crate::context::Context;
use crate::database::{self, Db, Tx};
use crate::ids::{OrderId, PaymentId};
use crate::jobs::{self, Job, JobError};
use crate::payments::payment::Payment;
use crate::payments::provider::ProviderError;
use crate::payments::{self, KeyedMutexGuard, NewRefund, PaymentError, PaymentGateway};
use crate::proportion::subtract;

/// Limit: time to wait for the lock of a payment.
const LOCK_WAIT_LIMIT: Duration = Duration::from_secs(25);

/// Captures a payment, in full or in part.
///
/// # Errors
/// [`PaymentError::AboveRemainder`], [`PaymentError::NothingLeft`], [`PaymentError::NotPositive`],
/// [`PaymentError::Canceled`], [`PaymentError::OfCanceledOrder`], [`PaymentError::Refused`] if the provider refuses,
/// [`PaymentError::NotFound`].
pub async fn capture(
    db: Db,
    gateway: PaymentGateway,
    id: PaymentId,
    amount_minor: Option<i64>,
    actor: String,
) -> Result<(), OrderError> {
    to_its_end(async move {
        let lock = lock(&gateway, &id).await?;
        let payment = read(&db, &id).await?;
        let amount_minor = payments::capturable(&payment, amount_minor)?;
        check_order(&db, &payment).await?;
        gateway.capture(&payment, amount_minor).await?;
        db.write(move |tx| {
            // The processor may have reported it already.
            let reported_minor =
                subtract(payments::find(tx, &id)?.captured_minor, payment.captured_minor)?;
            let left_minor = subtract(amount_minor, reported_minor)?;
            if left_minor > 0 {
                payments::capture(tx, &id, Some(left_minor), Some(&actor))?;
            }
            settle_owner(tx, &payment)
        })
        .await?;
        drop(lock);
        Ok(())
    })
    .await
}

/// Rejects charges for a canceled order: the uncaptured rest of a partly captured payment stays authorized.
async fn check_order(db: &Db, payment: &Payment) -> Result<(), OrderError> {
    let Some(order) = payment.order_id.clone() else { return Ok(()) };
    let id = order.clone();
    if db.read(move |tx| progress::is_canceled(tx, &id)).await? {
        return Err(PaymentError::OfCanceledOrder(order).into());
    }
    Ok(())
}

/// Cancels an order's authorized payments and refunds its captured ones.
///
/// # Errors
/// [`PaymentError::Refused`] if a provider refuses; completed steps stay, and another call resumes.
pub(crate) async fn give_up(
    db: Db,
    gateway: PaymentGateway,
    order: OrderId,
    actor: String,
) -> Result<(), OrderError> {
    let order_id = order.clone();
    let all = db.read(move |tx| payments::of_order(tx, &order_id)).await?;
    for payment in all {
        let (db, gateway) = (db.clone(), gateway.clone());
        if payment.captured_minor == 0 {
            cancel(db, gateway, payment.id).await?;
        } else if payment.captured_minor > payment.refunded_minor {
            let new = NewRefund { created_by: Some(actor.clone()), ..NewRefund::default() };
            if refund(db, gateway, payment.id, new).await? == Refunded::UnderWay {
                return Err(PaymentError::Provider(ProviderError::Unavailable).into());
            }
        }
    }
    db.write(move |tx| {
        payments::cancel_open(tx, &order)?;
        settle(tx, &order)
    })
    .await
}

/// The kind of the job that resumes [`give_up`].
pub const GIVE_UP: &str = "orders.give_up";

/// How long the request that cancels an order has for its payments before the job takes over, in milliseconds.
const GIVE_UP_AFTER_MS: i64 = 60_000;

/// Schedules the job that cancels or refunds an order's payments, in case the canceling request does not finish.
pub(super) fn give_up_later(
    tx: &Tx<'_>,
    order: &OrderId,
    actor: Option<&str>,
) -> Result<(), database::Error> {
    let at = tx.now().plus_ms(GIVE_UP_AFTER_MS);
    jobs::schedule(tx, GIVE_UP, order.as_str(), at, &json!({ "actor": actor }).to_string())
}

/// Resumes [`give_up`] after a provider refused or did not answer, or the server stopped.
pub async fn give_up_again(db: Db, gateway: PaymentGateway, job: Job) -> Result<(), JobError> {
    let failed = |error: &dyn std::fmt::Display| JobError(error.to_string());
    let order: OrderId = job.key.parse().map_err(|error| failed(&error))?;
    let payload: Value = serde_json::from_str(&job.payload).map_err(|error| failed(&error))?;
    let actor = payload.get("actor").and_then(Value::as_str).unwrap_or(GIVE_UP).to_owned();
    give_up(db, gateway, order, actor).await.map_err(|error| failed(&error))
}

/// Cancels a payment of which nothing was captured. Idempotent.
///
/// # Errors
/// [`PaymentError::Captured`], [`PaymentError::Refused`] if the provider refuses, [`PaymentError::NotFound`].
pub async fn cancel(db: Db, gateway: PaymentGateway, id: PaymentId) -> Result<(), OrderError> {
    to_its_end(async move {
        let lock = lock(&gateway, &id).await?;
        let payment = read(&db, &id).await?;
        if payment.captured_minor > 0 {
            return Err(PaymentError::Captured(id).into());
        }
        if payment.canceled_at.is_none() {
            gateway.cancel(&payment).await?;
            db.write(move |tx| {
                payments::cancel(tx, &id)?;
                settle_owner(tx, &payment)
            })
            .await?;
        }
        drop(lock);
        Ok(())
    })
    .await
}

pub(super) async fn lock(
    gateway: &PaymentGateway,
    id: &PaymentId,
) -> Result<KeyedMutexGuard, PaymentError> {
    gateway
        .locks
        .lock(id.as_str(), LOCK_WAIT_LIMIT)
        .await
        .ok_or_else(|| PaymentError::Busy(id.clone()))
}

pub(super) async fn read(db: &Db, id: &PaymentId) -> Result<Payment, OrderError> {
    let id = id.clone();
    Ok(db.read(move |tx| payments::find(tx, &id)).await?)
}

pub(super) fn settle_owner(tx: &Tx<'_>, payment: &Payment) -> Result<(), OrderError> {
    payment.order_id.as_ref().map_or(Ok(()), |order| settle(tx, order))
}

/// Runs the work in its own task, so that it finishes even if the client disconnects.
pub(super) async fn to_its_end<T: Send + 'static>(
    work: impl Future<Output = Result<T, OrderError>> + Send + 'static,
) -> Result<T, OrderError> {
    Context::current()
        .spawn(work)
        .await
        .unwrap_or_else(|_panicked| Err(OrderError::Db(database::Error::Panicked)))
}
