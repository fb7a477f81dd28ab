//! The jobs that complete carts whose payment is confirmed, or reported by the processor, if the storefront does not: the
//! shopper closed the page, or a response of the provider was lost.

use axum::http::StatusCode;
use serde_json::json;

use super::claim;
use super::complete::{CompleteRequest, Completion, complete};
use super::error::CheckoutError;
use crate::auth::Secret;
use crate::clock::{DAY_MS, MINUTE_MS};
use crate::database::{self, Db, Tx};
use crate::events;
use crate::http::HttpError;
use crate::ids::CartId;
use crate::jobs::{self, Job, JobError};
use crate::payments::{self, PaymentGateway};
use crate::subscriptions::create::NewSubscribe;

/// The kind of the job.
pub const FINISH: &str = "checkout.finish_paid";

/// How long the storefront has to complete the cart, in milliseconds.
const FINISH_AFTER_MS: i64 = 3 * MINUTE_MS;

/// Limit: how often a payment that waits for the shopper is looked at again, for a little more than a day in all. The payment
/// is canceled then, because a later one could be missed: not all providers report payments.
const MAX_WAITS: u32 = 26;

/// How long a payment has waited at least when it is canceled, in milliseconds.
const WAITED_MS: i64 = DAY_MS;

pub(super) fn schedule(tx: &Tx<'_>, cart_id: &CartId) -> Result<(), CheckoutError> {
    let at = tx.now().plus_ms(FINISH_AFTER_MS);
    Ok(jobs::schedule(tx, FINISH, cart_id.as_str(), at, "{}")?)
}

/// Returns a completion without a caller. Nobody knows its token; the order's e-mail address gives access.
fn unattended(cart_id: CartId) -> Result<CompleteRequest, JobError> {
    let token = Secret::generate("ot_")?.digest();
    Ok(CompleteRequest { cart_id, shop: None, token, subscribe: NewSubscribe::default() })
}

/// Completes a cart whose payment is confirmed; cancels or refunds the payment if it cannot become an order, or the shopper
/// does not act in time.
///
/// # Errors
/// If the provider does not answer, or the payment waits for the shopper; the job is retried.
pub async fn finish(db: Db, gateway: PaymentGateway, job: Job) -> Result<(), JobError> {
    let id: CartId = job.key.parse()?;
    let least_age_ms = match complete(db.clone(), gateway, unattended(id.clone())?).await {
        Ok(Completion::Placed(_)) => return Ok(()),
        Ok(Completion::Refused { requires_more: true, .. }) if job.attempt_count < MAX_WAITS => {
            return Err(JobError("the payment waits for the shopper".to_owned()));
        }
        Ok(Completion::Refused { requires_more: true, .. }) => {
            tracing::warn!(cart = %id, "a payment waited too long for the shopper and is canceled");
            WAITED_MS
        }
        Ok(Completion::Refused { requires_more: false, message }) => {
            tracing::warn!(cart = %id, reason = message, "a paid cart cannot become an order; its money is given back");
            0
        }
        Err(error) => {
            let reason = refusal(error)?;
            tracing::warn!(cart = %id, reason, "a paid cart cannot become an order; its money is given back");
            0
        }
    };
    Ok(db.write(move |tx| give_back(tx, &id, least_age_ms)).await?)
}

/// Returns why a cart cannot be completed; an error if only another request, the payment provider or the database delays it,
/// so that the job is retried.
fn refusal(error: CheckoutError) -> Result<String, JobError> {
    let reason = error.to_string();
    let response = HttpError::from(error);
    let is_final = !response.is_busy() && response.status() != StatusCode::INTERNAL_SERVER_ERROR;
    if is_final { Ok(reason) } else { Err(JobError(reason)) }
}

/// Ends the sessions of a cart that are at least this old, so that the next job cancels or refunds them; not if it has become
/// an order meanwhile.
fn give_back(tx: &Tx<'_>, cart: &CartId, least_age_ms: i64) -> Result<(), CheckoutError> {
    if claim::find_outcome(tx, cart)?.is_some() {
        return Ok(());
    }
    let Some(collection) = payments::of_cart(tx, cart)? else { return Ok(()) };
    let begun_by = tx.now().minus_ms(least_age_ms);
    for session in payments::sessions_of(tx, &collection.id)? {
        if session.created_at <= begun_by {
            payments::parking::end(tx, session)?;
        }
    }
    Ok(())
}

/// The kind of the job that completes a cart.
pub const COMPLETE_PAID: &str = "checkout.complete_paid";

/// How long the shopper's own request, which shows the order, has before the job takes over, in
/// milliseconds.
const WAIT_MS: i64 = 30_000;

/// Schedules the completion of a cart whose payment was reported.
pub fn complete_later(tx: &Tx<'_>, cart: &CartId) -> Result<(), database::Error> {
    jobs::schedule(tx, COMPLETE_PAID, cart.as_str(), tx.now().plus_ms(WAIT_MS), "{}")
}

/// Completes a cart, or finds that it has been completed. A payment without an order is reported to
/// staff.
///
/// # Errors
/// If the provider does not answer, or the cart is being completed; the job is retried.
pub async fn complete_paid(db: Db, gateway: PaymentGateway, job: Job) -> Result<(), JobError> {
    let cart_id: CartId = job.key.parse()?;
    let reason = match complete(db.clone(), gateway, unattended(cart_id.clone())?).await {
        Ok(Completion::Placed(_)) => return Ok(()),
        Ok(Completion::Refused { message, .. }) => message,
        Err(error) => refusal(error)?,
    };
    tracing::error!(cart = cart_id.as_str(), reason, "a cart is paid and cannot be an order");
    let event = json!({ "cart_id": cart_id, "reason": reason });
    Ok(db.write(move |tx| events::record(tx, "alert.payment_without_order", &event)).await?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cart::CartError;
    use crate::payments::provider::ProviderError;
    use crate::pricing::PricingError;
    use crate::proportion::OutOfRange;

    #[test]
    fn a_completion_that_the_database_or_the_provider_delays_is_not_refused() {
        for error in [database::Error::Late, database::Error::Panicked] {
            assert!(refusal(CartError::Pricing(PricingError::Db(error)).into()).is_err());
        }
        assert!(refusal(CheckoutError::Payment(ProviderError::Unavailable.into())).is_err());
        assert!(refusal(CheckoutError::Busy(CartId::new())).is_err());
        assert!(refusal(CheckoutError::NoItems).is_ok());
        assert!(refusal(OutOfRange.into()).is_ok());
    }
}
