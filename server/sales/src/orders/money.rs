//! Captures and cancellations of payments by admins. The provider is called outside of any transaction, under
//! a per-payment lock; its result is stored in one transaction with the order's new statuses.
//!
//! Every operation runs to completion even if the client disconnects.

use std::time::Duration;

use super::error::OrderError;
use super::queries::progress;
use super::settle::settle;
use crate::context::Context;
use crate::database::{Db, Tx};
use crate::ids::PaymentId;
use crate::payments::payment::Payment;
use crate::payments::{self, KeyedMutexGuard, PaymentError, PaymentGateway};
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
    let work = async move {
        let _lock = lock(&gateway, &id).await?;
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
        .await
    };
    Context::current().run_to_end(work).await
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

/// Cancels a payment of which nothing was captured. Idempotent.
///
/// # Errors
/// [`PaymentError::Captured`], [`PaymentError::Refused`] if the provider refuses, [`PaymentError::NotFound`].
pub async fn cancel(db: Db, gateway: PaymentGateway, id: PaymentId) -> Result<(), OrderError> {
    let work = async move {
        let _lock = lock(&gateway, &id).await?;
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
        Ok(())
    };
    Context::current().run_to_end(work).await
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
