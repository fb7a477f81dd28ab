//! How long visits and events are stored.

use super::queries;
use crate::database::{Db, Error};

/// Limit: rows of each kind that one write deletes, so that other writes do not wait.
const CHUNK_LEN: u32 = 1_000;

const DAY_MS: i64 = 24 * 60 * 60 * 1_000;

/// Deletes visits and events older than a number of days, and ids that may be used again.
pub async fn forget_old(db: &Db, retention_days: u32) -> Result<(), Error> {
    let age_ms = i64::from(retention_days).saturating_mul(DAY_MS);
    loop {
        let forgotten = db
            .write(move |tx| {
                queries::forget(tx, tx.now().plus_ms(age_ms.saturating_neg()), CHUNK_LEN)
            })
            .await?;
        if forgotten == 0 {
            return Ok(());
        }
    }
}
