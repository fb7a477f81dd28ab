//! Checks a whole store: the audits, and the rollups against a recount.

use crate::database::{self, Db, Finding};
use crate::metrics::rollups;

const ROLLUPS: &str = "the rollups of hours and days are those that a recount of the orders gives";

/// Returns every finding; none if the store is consistent.
///
/// # Errors
/// If the database cannot be read or written.
pub async fn check(db: &Db) -> Result<Vec<Finding>, database::Error> {
    let mut findings = db.read(database::audit).await?;
    let mut after = 0;
    while let Some((seq, found)) = db.write(move |tx| rollups::differences(tx, after)).await? {
        findings.extend(found.into_iter().map(|id| Finding { rule: ROLLUPS, id }));
        after = seq;
    }
    Ok(findings)
}
