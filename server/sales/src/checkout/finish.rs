//! The job that completes a cart whose payment is confirmed, if the storefront does not.

use super::complete::{Completion, complete};
use super::error::CheckoutError;
use crate::auth::{Secret, Shop};
use crate::cart;
use crate::database::{Db, Tx};
use crate::ids::{ApiKeyId, CartId};
use crate::jobs::{self, Job, JobError};
use crate::payments::{self, PaymentGateway};

/// The kind of the job.
pub const FINISH: &str = "checkout.finish_paid";

/// How long the storefront has to complete the cart, in milliseconds.
const FINISH_AFTER_MS: i64 = 3 * 60 * 1_000;

/// Schedules the job for a cart.
pub(super) fn schedule(tx: &Tx<'_>, cart_id: &CartId) -> Result<(), CheckoutError> {
    let at = tx.now().plus_ms(FINISH_AFTER_MS);
    Ok(jobs::schedule(tx, FINISH, cart_id.as_str(), at, "{}")?)
}

/// Completes a cart whose payment is confirmed, or refunds the payment if it cannot become an order.
///
/// # Errors
/// If the provider does not answer; the job is retried.
pub async fn finish(db: Db, gateway: PaymentGateway, job: Job) -> Result<(), JobError> {
    let failed = |error: &dyn std::fmt::Display| JobError(error.to_string());
    let id: CartId = job.key.parse().map_err(|error| failed(&error))?;
    let cart_id = id.clone();
    let cart = db.read(move |tx| cart::load(tx, &cart_id)).await.map_err(|error| failed(&error))?;
    if cart.completed_at.is_some() {
        return Ok(());
    }
    let shop = Shop {
        key_id: ApiKeyId::new(),
        sales_channel_ids: cart.sales_channel_id.into_iter().collect(),
        customer_id: cart.customer_id,
    };
    // Nobody knows the token; the order's e-mail address gives access.
    let token = Secret::generate("ot_").map_err(|error| failed(&error))?;
    match complete(db.clone(), gateway, id.clone(), shop, token.digest()).await {
        Ok(Completion::Placed(_)) => Ok(()),
        Err(
            error @ (CheckoutError::Busy(_) | CheckoutError::Unconfirmed(_) | CheckoutError::Db(_)),
        ) => Err(failed(&error)),
        Ok(Completion::Refused { .. }) | Err(_) => {
            tracing::warn!(cart = %id, "a paid cart cannot become an order; its money is given back");
            db.write(move |tx| give_back(tx, &id)).await.map_err(|error| failed(&error))
        }
    }
}

/// Ends all sessions of a cart, so that the next job cancels or refunds them.
fn give_back(tx: &Tx<'_>, cart: &CartId) -> Result<(), CheckoutError> {
    let Some(collection) = payments::of_cart(tx, cart)? else { return Ok(()) };
    for session in payments::sessions_of(tx, &collection.id)? {
        payments::parking::end(tx, session)?;
    }
    Ok(())
}
