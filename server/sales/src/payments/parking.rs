//! Parked sessions: started for an earlier total, and no longer listed.
//!
//! A parked session can be resumed with the new total for an hour, with the same client secret, so that the shopper's card
//! form stays. After that, or once another session replaces it, it is canceled at the provider. If the shopper's browser has
//! paid it in the meantime, the money is refunded: a payment ends as an order or as a refund.

use std::time::Duration;

use serde_json::json;

use super::error::PaymentError;
use super::payment::{Collection, Session};
use super::queries::sessions;
use super::{PaymentGateway, report};
use crate::clock::{HOUR_MS, Timestamp};
use crate::database::{Db, Table as _, Tx};
use crate::events;
use crate::ids::{CartId, PaymentCollectionId, PaymentSessionId};
use crate::jobs::{self, Job, JobError};

/// The kind of the job that cancels a parked session.
pub const CANCEL: &str = "payments.cancel_parked";

/// How long a parked session can be taken up again, in milliseconds.
pub(super) const PARKED_MS: i64 = HOUR_MS;

/// Limit: how long the job waits for a request about the payment of the same cart.
const LOCK_WAIT: Duration = Duration::from_secs(10);

/// Parks the sessions of a collection; they are canceled at `until` unless they are taken up before.
pub(super) fn park(
    tx: &Tx<'_>,
    collection: &PaymentCollectionId,
    until: Timestamp,
) -> Result<(), PaymentError> {
    for session in sessions::sessions_of(tx, collection)? {
        let parked_at = session.parked_at.or_else(|| Some(tx.now()));
        jobs::schedule(tx, CANCEL, session.id.as_str(), until, "{}")?;
        Session { parked_at, ..session }.update(tx)?;
    }
    Ok(())
}

/// Parks a session, to be canceled immediately.
pub(crate) fn end(tx: &Tx<'_>, session: Session) -> Result<(), PaymentError> {
    jobs::schedule(tx, CANCEL, session.id.as_str(), tx.now(), "{}")?;
    Session { parked_at: Some(tx.now()), ..session }.update(tx)?;
    Ok(())
}

/// Returns the newest session of a collection that can be resumed: the current one, or else a parked one.
pub(crate) fn newest_of(
    tx: &Tx<'_>,
    collection: &PaymentCollectionId,
) -> Result<Option<Session>, PaymentError> {
    let all = sessions::sessions_of(tx, collection)?;
    let current = all.iter().rfind(|session| session.parked_at.is_none()).cloned();
    Ok(current.or_else(|| all.into_iter().next_back()))
}

/// Cancels a parked session at the provider, or gives its money back, and deletes it.
///
/// # Errors
/// If the provider does not answer; the job is retried.
pub async fn cancel(db: Db, gateway: PaymentGateway, job: Job) -> Result<(), JobError> {
    let id: PaymentSessionId = job.key.parse()?;
    let read = |id: PaymentSessionId| db.read(move |tx| parked(tx, &id));
    let Some((_, cart_id)) = read(id.clone()).await? else { return Ok(()) };
    // The shopper may be taking it up.
    let _lock = match &cart_id {
        Some(cart_id) => {
            let lock = gateway.locks.lock(cart_id.as_str(), LOCK_WAIT).await;
            Some(lock.ok_or_else(|| JobError("its cart is being changed".to_owned()))?)
        }
        None => None,
    };
    let Some((session, _)) = read(id.clone()).await? else { return Ok(()) };
    let is_returned = gateway.end_session(&session).await?;
    let conclude = move |tx: &Tx<'_>| {
        let Some((session, _)) = parked(tx, &id)? else { return Ok(()) };
        if is_returned {
            let payload =
                json!({ "payment_session_id": session.id, "provider_id": session.provider_id });
            events::record(tx, "payment.returned_without_order", &payload)?;
            report::returned(tx, &session)?;
        }
        Session::delete(tx, &session.id)?;
        Ok::<_, PaymentError>(())
    };
    Ok(db.write(conclude).await?)
}

/// Returns a session that is still parked, and the cart of its collection.
fn parked(
    tx: &Tx<'_>,
    id: &PaymentSessionId,
) -> Result<Option<(Session, Option<CartId>)>, PaymentError> {
    let found = Session::find(tx, id)?.filter(|session| session.parked_at.is_some());
    let Some(session) = found else { return Ok(None) };
    let collection = Collection::require::<PaymentError>(tx, &session.collection_id)?;
    Ok(Some((session, collection.cart_id)))
}
