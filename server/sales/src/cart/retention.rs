//! How long the carts of guests are kept.

use super::contents::Cart;
use super::queries;
use crate::clock::Timestamp;
use crate::database::{Db, Error};
use crate::ids;

const DAY_MS: i64 = 24 * 60 * 60 * 1_000;

/// How long the contents of a guest's cart are kept after its last change.
const CONTENTS_MS: i64 = 90 * DAY_MS;

/// How long a guest's cart is accessible after it became an order; then the order's own token shows what was
/// bought.
const COMPLETED_MS: i64 = DAY_MS;

/// Limit: carts examined per write, so that other writes do not wait.
const CHUNK_LEN: u32 = 500;

/// Returns whether a cart is no longer accessible to everyone who knows its id.
pub(super) fn is_over(cart: &Cart, now: Timestamp) -> bool {
    !cart.has_account && cart.completed_at.is_some_and(|at| at.plus_ms(COMPLETED_MS) <= now)
}

/// Deletes the contents of guests' carts that have not changed for 90 days and have no payment. A returning shopper
/// finds the cart empty.
pub async fn empty_untouched(db: &Db) -> Result<(), Error> {
    let mut after = (Timestamp::from_millis(0), String::new());
    loop {
        let (untouched, before) = db
            .read(move |tx| {
                let before = tx.now().plus_ms(-CONTENTS_MS);
                let untouched = queries::untouched(tx, before, &after, CHUNK_LEN)?;
                Ok::<_, Error>((untouched, before))
            })
            .await?;
        let Some(last) = untouched.last().cloned() else { return Ok(()) };
        let cart_ids = ids::list(untouched.iter().map(|(_, id)| id));
        db.write(move |tx| queries::empty(tx, before, &cart_ids)).await?;
        after = last;
    }
}
