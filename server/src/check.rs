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
    let differences = db.write(rollups::differences).await?;
    findings.extend(differences.into_iter().map(|id| Finding { rule: ROLLUPS, id }));
    Ok(findings)
}
