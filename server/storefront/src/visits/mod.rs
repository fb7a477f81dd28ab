//! Visits: what visitors do in a storefront, as counts.
//!
//! Invariants: an acknowledged event is written, unless the queue is more than half full, in which case it is counted
//! as dropped, so that a page never fails because of statistics; an event with the id of an earlier one is not counted
//! again; without consent nothing is stored that identifies anybody. Start at [`Queue::push`].

mod event;
mod event_keys;
mod queries;
mod queue;
mod records;
mod routes;
mod visitor;

pub use queue::Queue;
pub use routes::router;

use crate::clock::DAY_MS;
use crate::database::{Db, Error};

/// Limit: rows of each kind that one write deletes, so that other writes do not wait.
const CHUNK_LEN: u32 = 1_000;

/// Deletes visits and events older than a number of days, and ids that may be used again.
pub async fn forget_old(db: &Db, retention_days: u32) -> Result<(), Error> {
    let age_ms = i64::from(retention_days).saturating_mul(DAY_MS);
    loop {
        let forgotten =
            db.write(move |tx| queries::forget(tx, tx.now().minus_ms(age_ms), CHUNK_LEN)).await?;
        if forgotten == 0 {
            return Ok(());
        }
    }
}
