//! A whole completion, which does not stop if the client disconnects.

use std::time::Duration;

use super::claim::{self, ClaimOutcome, PendingOrder};
use super::error::CheckoutError;
use super::settle;
pub use super::settle::Completion;
use crate::auth::{SecretDigest, Shop};
use crate::cart::contents::Cart;
use crate::cart::{self, CartError};
use crate::context::Context;
use crate::customers::AccountHolder;
use crate::database::{Db, Tx};
use crate::ids::{CartId, PaymentMethodId};
use crate::payments::payment::Session;
use crate::payments::provider::{Data, Outcome, ProviderError};
use crate::payments::{self, KeyedMutexGuard, PaymentError, PaymentGateway, methods, renewals};
use crate::statuses::SessionStatus;
use crate::subscriptions::create::NewSubscribe;

/// Limit: time to wait for other requests about the payment of the same cart.
const LOCK_WAIT_LIMIT: Duration = Duration::from_secs(25);

/// Locks a cart: of two simultaneous requests that confirm one payment, each would take the other's answer for a
/// refusal.
pub(super) async fn lock(
    gateway: &PaymentGateway,
    cart_id: &CartId,
) -> Result<KeyedMutexGuard, CheckoutError> {
    let lock = gateway.locks.lock(cart_id.as_str(), LOCK_WAIT_LIMIT).await;
    lock.ok_or_else(|| CheckoutError::Busy(cart_id.clone()))
}

/// A completion to run.
#[derive(Debug, Clone)]
pub(super) struct CompleteRequest {
    pub(super) cart_id: CartId,
    /// The storefront of the caller; none for the server's own jobs.
    pub(super) shop: Option<Shop>,
    pub(super) token: SecretDigest,
    /// How its lines with plans are subscribed.
    pub(super) subscribe: NewSubscribe,
}

impl CompleteRequest {
    fn cart(&self, tx: &Tx<'_>) -> Result<Cart, CartError> {
        match &self.shop {
            Some(shop) => cart::load_for(tx, &self.cart_id, shop),
            None => cart::load(tx, &self.cart_id),
        }
    }
}

/// Turns a cart into an order, or returns the order that it already is; its lines with plans begin subscriptions.
/// Concurrent completions of the same cart wait for each other and return the same order, as does a repetition after a
/// crash. Runs to completion even if the client disconnects. The token gives a guest access to the order, if this request
/// creates it.
///
/// # Errors
/// What is missing or no longer available; [`CheckoutError::MethodNotSaved`] if nothing could be charged at renewals;
/// [`CheckoutError::Unconfirmed`] if the provider does not answer.
pub(super) async fn complete(
    db: Db,
    gateway: PaymentGateway,
    request: CompleteRequest,
) -> Result<Completion, CheckoutError> {
    Context::current().repeatable().run_to_end(run(db, gateway, request)).await
}

async fn run(
    db: Db,
    gateway: PaymentGateway,
    mut request: CompleteRequest,
) -> Result<Completion, CheckoutError> {
    let _lock = lock(&gateway, &request.cart_id).await?;
    let claim = if let Some(earlier) = find_completed(&db, request.clone()).await? {
        earlier
    } else {
        if let Some((holder, session)) = session_for_later(&db, request.clone()).await? {
            let Some(data) = gateway.setup_data(&session).await? else {
                return Ok(settle::awaits_shopper());
            };
            request.subscribe.saved_method_id = save_method(&db, &gateway, holder, &data).await?;
        }
        let claim = move |tx: &Tx<'_>| {
            claim::claim(tx, request.cart(tx)?, request.token, &request.subscribe)
        };
        db.write(claim).await?
    };
    settle_claim(&db, &gateway, claim).await
}

async fn settle_claim(
    db: &Db,
    gateway: &PaymentGateway,
    claim: ClaimOutcome,
) -> Result<Completion, CheckoutError> {
    match claim {
        ClaimOutcome::Completed(order_id) => Ok(Completion::Placed(order_id)),
        ClaimOutcome::AwaitsPayment(pending) => pay(db, gateway, *pending).await,
        ClaimOutcome::CartChanged(message) => {
            Ok(Completion::Refused { requires_more: false, message })
        }
        ClaimOutcome::CreditSpent => Err(CheckoutError::CreditSpent),
    }
}

/// Returns the outcome of an earlier call. Most of many concurrent calls end here, without a write.
async fn find_completed(
    db: &Db,
    request: CompleteRequest,
) -> Result<Option<ClaimOutcome>, CheckoutError> {
    db.read(move |tx| {
        let earlier = claim::find_outcome(tx, &request.cart_id)?;
        if earlier.is_some() {
            request.cart(tx)?;
        }
        Ok(earlier)
    })
    .await
}

/// Requests the payment of a pending order from the provider and settles the result.
pub(super) async fn pay(
    db: &Db,
    gateway: &PaymentGateway,
    pending: PendingOrder,
) -> Result<Completion, CheckoutError> {
    let answer = match &pending.saved {
        Some(saved) => renewals::charge(gateway, &pending.session, saved).await,
        None => gateway.authorize(&pending.session).await,
    };
    let outcome = match answer {
        Ok(outcome) => outcome,
        // A retry would fail again.
        Err(PaymentError::Provider(ProviderError::Invalid { reason })) => {
            Outcome::Declined { reason }
        }
        Err(PaymentError::Provider(ProviderError::Unavailable)) => {
            return Err(unconfirmed(db, pending).await?);
        }
        Err(error) => return Err(error.into()),
    };
    let method_id = match (&pending.holder, &outcome) {
        (Some(holder), Outcome::Authorized { data } | Outcome::Captured { data }) => {
            save_method(db, gateway, holder.clone(), data).await?
        }
        _ => None,
    };
    db.write(move |tx| settle::settle(tx, &pending, &outcome, method_id)).await
}

/// Saves the method that paid, for renewals. A paid order is placed even if the provider does not save it.
async fn save_method(
    db: &Db,
    gateway: &PaymentGateway,
    holder: AccountHolder,
    data: &Data,
) -> Result<Option<PaymentMethodId>, CheckoutError> {
    let Some(token) = renewals::method_of(data) else { return Ok(None) };
    let mut sent = Data::new();
    sent.insert("payment_method".to_owned(), token.into());
    match gateway.save_method(&holder.provider_id, &holder.external_id, &sent).await {
        Ok(saved) => Ok(db
            .write(move |tx| Ok::<_, CheckoutError>(Some(methods::store(tx, &holder, saved)?.id)))
            .await?),
        Err(error) => {
            tracing::warn!(%error, "the method of a subscription could not be kept");
            Ok(None)
        }
    }
}

/// Returns the cart's session and its account holder if nothing is paid now because the subscription begins later.
async fn session_for_later(
    db: &Db,
    request: CompleteRequest,
) -> Result<Option<(AccountHolder, Session)>, CheckoutError> {
    db.read(move |tx| claim::setup_session(tx, request.cart(tx)?, &request.subscribe)).await
}

/// Records that the provider did not answer; the claim stays until it does.
async fn unconfirmed(db: &Db, pending: PendingOrder) -> Result<CheckoutError, CheckoutError> {
    let session_id = pending.session.id;
    db.write(move |tx| {
        let status = SessionStatus::PendingAuthorization;
        payments::not_authorized(tx, &session_id, status, None)
    })
    .await?;
    Ok(CheckoutError::Unconfirmed(pending.cart_id))
}
