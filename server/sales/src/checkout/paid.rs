//! Carts whose payment the processor has reported but which are not orders yet: the shopper closed the page, or a
//! response of the provider was lost.

use serde_json::json;

use super::complete::{Completion, complete_unattended};
use crate::auth::Secret;
use crate::database::{self, Db, Tx};
use crate::events;
use crate::ids::CartId;
use crate::jobs::{self, Job, JobError};
use crate::payments::PaymentGateway;

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
    let failed = |error: &dyn std::fmt::Display| JobError(error.to_string());
    let cart_id: CartId = job.key.parse().map_err(|error| failed(&error))?;
    // Nobody waits for the token of a guest's order.
    let token = Secret::generate("ot_").map_err(|error| failed(&error))?;
    let completed = complete_unattended(db.clone(), gateway, cart_id.clone(), token.digest()).await;
    let reason = match completed {
        Ok(Completion::Placed(_)) => return Ok(()),
        Ok(Completion::Refused { message, .. }) => message,
        Err(error) if error.is_final() => error.to_string(),
        Err(error) => return Err(failed(&error)),
    };
    tracing::error!(cart = cart_id.as_str(), reason, "a cart is paid and cannot be an order");
    let event = json!({ "cart_id": cart_id, "reason": reason });
    Ok(db.write(move |tx| events::record(tx, "alert.payment_without_order", &event)).await?)
}
