//! A whole completion, which does not stop if the client disconnects.

use std::time::Duration;

use super::claim::{self, Attempt, ClaimOutcome};
use super::error::CheckoutError;
use super::settle;
pub use super::settle::Completion;
use crate::auth::{SecretDigest, Shop};
use crate::cart;
use crate::context::Context;
use crate::database::{self, Db, Tx};
use crate::ids::CartId;
use crate::payments::provider::{Outcome, ProviderError};
use crate::payments::{self, PaymentError, PaymentGateway};
use crate::statuses::SessionStatus;

/// Limit: time to wait for other requests that complete the same cart.
const LOCK_WAIT_LIMIT: Duration = Duration::from_secs(25);

/// Turns a cart into an order, or returns the order that it already is. Concurrent completions of the same cart wait
/// for each other and return the same order, as does a repetition after a crash. Runs to completion even if the client
/// disconnects. The token will show the order to its guest, if this request turns the cart into it.
///
/// # Errors
/// What is missing or no longer available; [`CheckoutError::Unconfirmed`] if the provider does not answer.
pub async fn complete(
    db: Db,
    gateway: PaymentGateway,
    cart_id: CartId,
    shop: Shop,
    token: SecretDigest,
) -> Result<Completion, CheckoutError> {
    Context::current()
        .repeatable()
        .spawn(run(db, gateway, cart_id, (shop, token)))
        .await
        .unwrap_or(Err(CheckoutError::Db(database::Error::Panicked)))
}

async fn run(
    db: Db,
    gateway: PaymentGateway,
    cart_id: CartId,
    (shop, token): (Shop, SecretDigest),
) -> Result<Completion, CheckoutError> {
    let lock = gateway.locks.lock(cart_id.as_str(), LOCK_WAIT_LIMIT).await;
    let Some(_lock) = lock else { return Err(CheckoutError::Busy(cart_id)) };
    let claim = if let Some(earlier) = find_completed(&db, &cart_id, &shop).await? {
        earlier
    } else {
        let claim =
            move |tx: &Tx<'_>| claim::claim(tx, cart::load_for(tx, &cart_id, &shop)?, token);
        db.write(claim).await?
    };
    settle_claim(&db, &gateway, claim).await
}

/// Completes a cart for nobody who waits for it, because its payment was reported.
pub(super) async fn complete_unattended(
    db: Db,
    gateway: PaymentGateway,
    cart_id: CartId,
    token: SecretDigest,
) -> Result<Completion, CheckoutError> {
    let lock = gateway.locks.lock(cart_id.as_str(), LOCK_WAIT_LIMIT).await;
    let Some(_lock) = lock else { return Err(CheckoutError::Busy(cart_id)) };
    let claim = move |tx: &Tx<'_>| claim::claim(tx, cart::load(tx, &cart_id)?, token);
    let claim = db.write(claim).await?;
    settle_claim(&db, &gateway, claim).await
}

async fn settle_claim(
    db: &Db,
    gateway: &PaymentGateway,
    claim: ClaimOutcome,
) -> Result<Completion, CheckoutError> {
    match claim {
        ClaimOutcome::Completed(order_id) => Ok(Completion::Placed(order_id)),
        ClaimOutcome::AwaitsPayment(attempt) => pay(db, gateway, *attempt).await,
        ClaimOutcome::CartChanged(message) => {
            Ok(Completion::Refused { requires_more: false, message })
        }
        ClaimOutcome::CreditSpent => Err(CheckoutError::CreditSpent),
    }
}

/// Returns the outcome of an earlier call. Most of many concurrent calls end here, without a write.
async fn find_completed(
    db: &Db,
    cart_id: &CartId,
    shop: &Shop,
) -> Result<Option<ClaimOutcome>, CheckoutError> {
    let (cart_id, shop) = (cart_id.clone(), shop.clone());
    db.read(move |tx| {
        let earlier = claim::find_outcome(tx, &cart_id)?;
        if earlier.is_some() {
            cart::load_for(tx, &cart_id, &shop)?;
        }
        Ok(earlier)
    })
    .await
}

/// Requests the payment of an attempt from the provider and settles the result.
pub(super) async fn pay(
    db: &Db,
    gateway: &PaymentGateway,
    attempt: Attempt,
) -> Result<Completion, CheckoutError> {
    let outcome = match gateway.authorize(&attempt.session).await {
        Ok(outcome) => outcome,
        // A retry would fail again.
        Err(PaymentError::Provider(ProviderError::Invalid { reason })) => {
            Outcome::Declined { reason }
        }
        Err(PaymentError::Provider(ProviderError::Unavailable)) => {
            return Err(unconfirmed(db, attempt).await?);
        }
        Err(error) => return Err(error.into()),
    };
    db.write(move |tx| settle::settle(tx, &attempt, &outcome)).await
}

/// Records that the provider did not answer, so that the claim stays until it does.
async fn unconfirmed(db: &Db, attempt: Attempt) -> Result<CheckoutError, CheckoutError> {
    let session_id = attempt.session.id;
    db.write(move |tx| {
        let status = SessionStatus::PendingAuthorization;
        payments::not_authorized(tx, &session_id, status, None)
    })
    .await?;
    Ok(CheckoutError::Unconfirmed(attempt.cart_id))
}
