//! The reversal of a canceled order's payments: what is only authorized is canceled, and what was captured is refunded.
//! A job resumes it until it is complete.

use serde_json::{Value, json};

use super::error::OrderError;
use super::money;
use super::queries::refunds;
use super::refunding::{Refunded, refund};
use super::settle::settle;
use crate::clock::MINUTE_MS;
use crate::database::{self, Db, Tx};
use crate::ids::OrderId;
use crate::jobs::{self, Job, JobError};
use crate::payments::provider::ProviderError;
use crate::payments::{self, NewRefund, PaymentError, PaymentGateway};

/// The kind of the job that resumes [`reverse`].
pub const REVERSE: &str = "orders.reverse_payments";

/// How long the request that cancels an order has for its payments before the job takes over, in milliseconds.
const AFTER_MS: i64 = MINUTE_MS;

/// Cancels an order's authorized payments and refunds its captured ones, unless their money was refunded to store credit.
///
/// # Errors
/// [`PaymentError::Refused`] if a provider refuses; completed steps stay, and another call resumes.
pub(crate) async fn reverse(
    db: Db,
    gateway: PaymentGateway,
    order: OrderId,
    actor: String,
) -> Result<(), OrderError> {
    let order_id = order.clone();
    let read = move |tx: &Tx<'_>| {
        Ok::<_, database::Error>((
            payments::of_order(tx, &order_id)?,
            refunds::is_credited(tx, &order_id)?,
        ))
    };
    let (all, is_credited) = db.read(read).await?;
    for payment in all {
        let (db, gateway) = (db.clone(), gateway.clone());
        if payment.captured_minor == 0 {
            money::cancel(db, gateway, payment.id).await?;
        } else if payment.captured_minor > payment.refunded_minor && !is_credited {
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

/// Schedules the job that cancels or refunds an order's payments, in case the canceling request does not finish.
pub(super) fn reverse_later(
    tx: &Tx<'_>,
    order: &OrderId,
    actor: Option<&str>,
) -> Result<(), database::Error> {
    let at = tx.now().plus_ms(AFTER_MS);
    jobs::schedule(tx, REVERSE, order.as_str(), at, &json!({ "actor": actor }).to_string())
}

/// Resumes [`reverse`] after a provider refused or did not answer, or the server stopped.
pub async fn reverse_again(db: Db, gateway: PaymentGateway, job: Job) -> Result<(), JobError> {
    let order: OrderId = job.key.parse()?;
    let payload: Value = serde_json::from_str(&job.payload)?;
    let actor = payload.get("actor").and_then(Value::as_str).unwrap_or(REVERSE).to_owned();
    Ok(reverse(db, gateway, order, actor).await?)
}
