//! Recovers claims that were not settled, after a crash or when a provider did not answer.

use std::time::Duration;

use super::claim::{self, ClaimOutcome};
use super::complete::{lock, pay};
use super::error::CheckoutError;
use super::queries;
use crate::clock::{Clock, MINUTE_MS, Timestamp};
use crate::database::Db;
use crate::ids::CartId;
use crate::payments::PaymentGateway;

/// Limit: claims that one run processes.
const BATCH_LEN: u32 = 500;

/// The age at which no request can still be working on a claim, in milliseconds.
const ABANDONED_MS: i64 = MINUTE_MS;

/// Time between two runs.
const PAUSE: Duration = Duration::from_hours(1);

/// Settles the claims left by an earlier run of the server immediately, and every hour those left since. Never
/// returns.
pub async fn keep_recovering(db: Db, gateway: PaymentGateway, clock: Clock) {
    let mut before = clock.now().plus_ms(1);
    loop {
        if let Err(error) = recover(&db, &gateway, before).await {
            tracing::error!(%error, "unsettled completions cannot be read");
        }
        tokio::time::sleep(PAUSE).await;
        before = clock.now().minus_ms(ABANDONED_MS);
    }
}

/// Asks providers again about the claims older than `before`, with the same keys, and settles the results. Returns the
/// number of settled claims; a claim that fails is left for the next run.
pub(crate) async fn recover(
    db: &Db,
    gateway: &PaymentGateway,
    before: Timestamp,
) -> Result<usize, CheckoutError> {
    let carts = db
        .read(move |tx| Ok::<_, CheckoutError>(queries::claimed_before(tx, before, BATCH_LEN)?))
        .await?;
    let mut settled: usize = 0;
    for cart_id in carts {
        match recover_one(db, gateway, cart_id.clone()).await {
            Ok(()) => settled = settled.saturating_add(1),
            Err(error) => tracing::warn!(%cart_id, %error, "a completion could not be settled"),
        }
    }
    if settled > 0 {
        tracing::info!(settled, "unsettled completions were settled");
    }
    Ok(settled)
}

async fn recover_one(
    db: &Db,
    gateway: &PaymentGateway,
    cart_id: CartId,
) -> Result<(), CheckoutError> {
    let _lock = lock(gateway, &cart_id).await?;
    let earlier = db.read(move |tx| claim::find_outcome(tx, &cart_id)).await?;
    match earlier {
        Some(ClaimOutcome::AwaitsPayment(pending)) => pay(db, gateway, *pending).await.map(drop),
        Some(_) | None => Ok(()),
    }
}
