//! Ends payment sessions at a shopper's request.

use std::time::Duration;

use serde::Serialize;

use super::complete::lock;
use super::error::CheckoutError;
use crate::auth::Shop;
use crate::cart::contents::Cart;
use crate::cart::{self, CartError};
use crate::context::Context;
use crate::database::{Db, Missing, Table as _, Tx};
use crate::events;
use crate::http::ToSchema;
use crate::ids::{PaymentCollectionId, PaymentSessionId};
use crate::payments::payment::{Collection, Session};
use crate::payments::{self, PaymentError, PaymentGateway};
use crate::statuses::SessionStatus;

/// Limit: provider calls for one session while the shopper waits.
const MAX_ATTEMPTS: u32 = 3;

/// The pause between two provider calls.
const WAIT: Duration = Duration::from_millis(500);

/// The outcome for each session, in the order of the request.
#[derive(Debug)]
pub(super) struct Ended {
    pub(super) outcomes: Vec<Result<PaymentSessionId, SessionError>>,
    /// The most calls of the provider for one session.
    pub(super) attempts: u32,
}

/// Why a session was not deleted.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct SessionError {
    pub(super) id: PaymentSessionId,
    /// `captured`, `in_use` or `provider_unavailable`.
    code: &'static str,
    message: &'static str,
    /// Whether the server keeps retrying.
    retrying: bool,
}

/// Returns all sessions of a collection for a caller in a storefront, parked ones too.
pub(super) fn of_collection(
    tx: &Tx<'_>,
    id: &PaymentCollectionId,
    shop: &Shop,
) -> Result<Vec<Session>, CheckoutError> {
    cart_of(tx, id, shop)?;
    Ok(payments::sessions_of(tx, id)?)
}

/// Returns the cart of a collection for a caller in a storefront; another's collection is not found.
pub(super) fn cart_of(
    tx: &Tx<'_>,
    id: &PaymentCollectionId,
    shop: &Shop,
) -> Result<Cart, CheckoutError> {
    let collection = Collection::require::<PaymentError>(tx, id)?;
    let unknown = || PaymentError::from(Missing::new(Collection::TITLE, id));
    let cart = collection.cart_id.ok_or_else(unknown)?;
    cart::load_for(tx, &cart, shop).map_err(|error| {
        if matches!(error, CartError::NotFound { .. }) { unknown().into() } else { error.into() }
    })
}

/// Ends sessions of a collection. A session that no longer exists counts as ended; one of a completed cart pays its order,
/// and stays. Runs to its end even if the client disconnects, so that a canceled payment is recorded.
///
/// # Errors
/// If a session belongs to another collection; then none is ended.
pub(super) async fn end(
    db: Db,
    gateway: PaymentGateway,
    shop: Shop,
    collection: PaymentCollectionId,
    ids: Vec<PaymentSessionId>,
) -> Result<Ended, CheckoutError> {
    let work = async move { end_all(&db, &gateway, shop, collection, ids).await };
    Context::current().run_to_end(work).await
}

async fn end_all(
    db: &Db,
    gateway: &PaymentGateway,
    shop: Shop,
    collection: PaymentCollectionId,
    ids: Vec<PaymentSessionId>,
) -> Result<Ended, CheckoutError> {
    let (of_cart, caller) = (collection.clone(), shop.clone());
    let cart_id = db.read(move |tx| cart_of(tx, &of_cart, &caller)).await?.id;
    // Otherwise a completion could begin with a session that is being ended.
    let _lock = lock(gateway, &cart_id).await?;
    let wanted = ids.clone();
    let (cart, sessions) = db.read(move |tx| own(tx, &collection, &wanted, &shop)).await?;
    let is_in_use = cart.is_being_completed || cart.completed_at.is_some();
    let mut ended = Ended { outcomes: Vec::new(), attempts: 0 };
    for id in ids {
        let session = sessions.iter().find(|session| session.id == id);
        let (outcome, attempts) = match session {
            None => (Ok(id), 0),
            Some(session) => end_one(db, gateway, session, is_in_use).await?,
        };
        ended.attempts = ended.attempts.max(attempts);
        ended.outcomes.push(outcome);
    }
    Ok(ended)
}

/// Returns the cart, and the sessions that exist, all of the collection.
fn own(
    tx: &Tx<'_>,
    collection: &PaymentCollectionId,
    ids: &[PaymentSessionId],
    shop: &Shop,
) -> Result<(Cart, Vec<Session>), CheckoutError> {
    let cart = cart_of(tx, collection, shop)?;
    let own = payments::sessions_of(tx, collection)?;
    for id in ids {
        let is_own = own.iter().any(|session| session.id == *id);
        if !is_own && Session::find(tx, id)?.is_some() {
            return Err(PaymentError::from(Missing::new(Session::TITLE, id)).into());
        }
    }
    Ok((cart, own))
}

async fn end_one(
    db: &Db,
    gateway: &PaymentGateway,
    session: &Session,
    is_in_use: bool,
) -> Result<(Result<PaymentSessionId, SessionError>, u32), CheckoutError> {
    let id = session.id.clone();
    let refused = |code, message| {
        Ok((Err(SessionError { id: id.clone(), code, message, retrying: false }), 0))
    };
    if session.status == SessionStatus::Captured {
        return refused("captured", "The payment is captured");
    }
    if is_in_use {
        return refused("in_use", "The cart is completed with it, or is being completed");
    }
    let mut is_canceled = session.status != SessionStatus::Authorized;
    let mut attempts = 0;
    while !is_canceled && attempts < MAX_ATTEMPTS {
        if attempts > 0 {
            tokio::time::sleep(WAIT).await;
        }
        attempts = attempts.saturating_add(1);
        is_canceled = gateway.end_session(session).await.is_ok();
    }
    let ended_id = id.clone();
    db.write(move |tx| {
        let Some(session) = Session::find(tx, &ended_id)? else { return Ok(()) };
        events::record(tx, "payment_session.deleted", &serde_json::json!({ "id": session.id }))?;
        // A job cancels what may still be open at the provider, and deletes the row.
        payments::parking::end(tx, session)?;
        Ok::<_, CheckoutError>(())
    })
    .await?;
    if is_canceled {
        return Ok((Ok(id), attempts));
    }
    let message = "The payment provider did not cancel the payment yet";
    let error = SessionError { id, code: "provider_unavailable", message, retrying: true };
    Ok((Err(error), attempts))
}
