//! Refunds of payments by their providers.
//!
//! Invariant: a refund is written, with its key at the provider, before the provider is called. If the server stops or the
//! provider does not answer, the job asks again with the same key until there is an answer, which is recorded once. A
//! payment has at most one such refund, and the next one waits for it.

use serde::{Deserialize, Serialize};
use serde_json::json;

use super::error::OrderError;
use super::money::{lock, read, settle_owner};
use super::queries::refunds;
pub use super::queries::refunds::REFUND;
use crate::context::Context;
use crate::database::{self, Db, Tx};
use crate::ids::{PaymentId, RefundId};
use crate::jobs::{self, Job, JobError};
use crate::payments::payment::Payment;
use crate::payments::provider::ProviderError;
use crate::payments::{self, NewRefund, PaymentError, PaymentGateway};
use crate::proportion::subtract;

/// How long a request has for its refund before the job takes over, in milliseconds.
const AFTER_MS: i64 = 15_000;

/// A refund requested from the provider: the payload of its job.
#[derive(Debug, Clone, Serialize, Deserialize)]
struct RefundClaim {
    /// Its key at the provider.
    id: RefundId,
    amount_minor: i64,
    /// What was refunded before.
    refunded_minor: i64,
    new: NewRefund,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Refunded {
    Done,
    /// The provider has not answered, and is asked again until it does.
    UnderWay,
}

/// Refunds a captured payment, in full or in part.
///
/// # Errors
/// [`PaymentError::AboveRemainder`], [`PaymentError::NothingLeft`], [`PaymentError::NotPositive`], [`PaymentError::Refused`] if
/// the provider refuses, [`PaymentError::NotFound`]; [`ProviderError::Unavailable`] if an earlier refund of the payment is
/// unanswered.
pub async fn refund(
    db: Db,
    gateway: PaymentGateway,
    id: PaymentId,
    new: NewRefund,
) -> Result<Refunded, OrderError> {
    let work = async move {
        let _lock = lock(&gateway, &id).await?;
        if let Some(claim) = unanswered(&db, &id).await? {
            // That refund is a different one: if only it is made, this request can be repeated.
            let earlier = Context::current().repeatable().run(ask(&db, &gateway, &id, claim));
            if earlier.await? == Refunded::UnderWay {
                return Err(PaymentError::Provider(ProviderError::Unavailable).into());
            }
            let payment = read(&db, &id).await?;
            if new.amount_minor.is_none() && payment.refunded_minor == payment.captured_minor {
                return Ok(Refunded::Done);
            }
        }
        let payment = id.clone();
        let claim = db.write(move |tx| claim(tx, &payment, new)).await?;
        ask(&db, &gateway, &id, claim).await
    };
    Context::current().run_to_end(work).await
}

/// Ends a refund that its request has not.
///
/// # Errors
/// If the provider does not answer.
pub async fn refund_again(db: Db, gateway: PaymentGateway, job: Job) -> Result<(), JobError> {
    let id: PaymentId = job.key.parse()?;
    let _lock = lock(&gateway, &id).await?;
    let Some(claim) = unanswered(&db, &id).await? else { return Ok(()) };
    match ask(&db, &gateway, &id, claim).await {
        Ok(Refunded::Done) => Ok(()),
        Ok(Refunded::UnderWay) => Err(ProviderError::Unavailable.into()),
        Err(OrderError::Payment(error @ PaymentError::Refused { .. })) => {
            tracing::error!(payment = %id, %error, "a refund that was promised is refused");
            Ok(())
        }
        Err(error) => Err(error.into()),
    }
}

/// Schedules the refunds that a crash left unanswered.
pub async fn recover(db: Db) {
    let hurried = db.write::<_, database::Error>(|tx| jobs::run_now(tx, REFUND)).await;
    if let Err(error) = hurried {
        tracing::error!(%error, "refunds could not be taken up again");
    }
}

async fn unanswered(db: &Db, id: &PaymentId) -> Result<Option<RefundClaim>, database::Error> {
    let id = id.clone();
    db.read(move |tx| {
        let payload = jobs::payload(tx, REFUND, id.as_str())?;
        let claim = payload.map(|payload| serde_json::from_str(&payload)).transpose();
        claim.map_err(|error| database::Error::Damaged(error.to_string()))
    })
    .await
}

/// Records what the provider will be asked for.
fn claim(tx: &Tx<'_>, id: &PaymentId, new: NewRefund) -> Result<RefundClaim, OrderError> {
    let payment = payments::find(tx, id)?;
    let amount_minor = payments::refundable(&payment, new.amount_minor)?;
    check_left(tx, &payment, amount_minor)?;
    let refunded_minor = payment.refunded_minor;
    let claim = RefundClaim { id: RefundId::new(), amount_minor, refunded_minor, new };
    let at = tx.now().plus_ms(AFTER_MS);
    jobs::schedule(tx, REFUND, id.as_str(), at, &json!(claim).to_string())?;
    Ok(claim)
}

/// Checks that the order has not been refunded by other means, such as store credit.
fn check_left(tx: &Tx<'_>, payment: &Payment, amount_minor: i64) -> Result<(), OrderError> {
    let Some(order) = &payment.order_id else { return Ok(()) };
    let left_minor = refunds::left(tx, order)?;
    if amount_minor > left_minor {
        let (requested, left) =
            (payment.currency.amount(amount_minor), payment.currency.amount(left_minor));
        return Err(PaymentError::AboveRemainder { verb: "refund", requested, left }.into());
    }
    Ok(())
}

/// Calls the provider and records its answer. Only a missing answer leaves the refund open.
async fn ask(
    db: &Db,
    gateway: &PaymentGateway,
    id: &PaymentId,
    claim: RefundClaim,
) -> Result<Refunded, OrderError> {
    let payment = read(db, id).await?;
    let answer = gateway.refund(&payment, claim.id.as_str(), claim.amount_minor).await;
    if let Err(PaymentError::Provider(ProviderError::Unavailable)) = answer {
        return Ok(Refunded::UnderWay);
    }
    let id = id.clone();
    db.write(move |tx| {
        jobs::cancel(tx, REFUND, id.as_str())?;
        if answer.is_ok() {
            record(tx, &id, claim)?;
        }
        Ok::<_, OrderError>(answer)
    })
    .await??;
    Ok(Refunded::Done)
}

/// Records a refund, except for the part that the processor has already reported.
fn record(tx: &Tx<'_>, id: &PaymentId, claim: RefundClaim) -> Result<(), OrderError> {
    let payment = payments::find(tx, id)?;
    let reported_minor = subtract(payment.refunded_minor, claim.refunded_minor)?;
    let left_minor = subtract(claim.amount_minor, reported_minor)?;
    if left_minor > 0 {
        payments::refund(tx, id, NewRefund { amount_minor: Some(left_minor), ..claim.new })?;
    }
    settle_owner(tx, &payment)
}
