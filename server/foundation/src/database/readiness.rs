//! Whether the database can be read and written at present.

use std::sync::Arc;
use std::time::{Duration, Instant};

use rusqlite::Connection;
use tokio::sync::Mutex;

use super::{Db, Error};

/// How long a successful check remains valid.
const VALIDITY: Duration = Duration::from_secs(1);

/// The time of the last successful check.
pub(super) type LastCheck = Arc<Mutex<Option<Instant>>>;

impl Db {
    /// Checks that a read and a synced write succeed. Concurrent checks share a write.
    pub async fn check_ready(&self) -> Result<(), Error> {
        self.read::<_, Error>(|tx| schema_version(tx)).await?;
        let mut last = self.0.last_check.lock().await;
        if last.is_some_and(|at| at.elapsed() < VALIDITY) {
            return Ok(());
        }
        // Writing the same number still writes a page.
        self.write::<_, Error>(|tx| {
            let version = schema_version(tx)?;
            Ok(tx.pragma_update(None, "user_version", version)?)
        })
        .await?;
        *last = Some(Instant::now());
        Ok(())
    }
}

fn schema_version(connection: &Connection) -> Result<i64, Error> {
    Ok(connection.query_row("pragma user_version", [], |row| row.get(0))?)
}
