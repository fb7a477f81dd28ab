//! Checks a whole store: the audits, and the rollups against a recount.

use crate::database::{self, Db, Finding};
use crate::metrics::rollups;

const ROLLUPS: &str = "the rollups of hours and days are those that a recount of the orders gives";

/// The recount of the rollup with this number, as an error, so that nothing it folds is kept; none after the last one.
enum Recount {
    Done(Option<(i64, Vec<String>)>),
    Failed(database::Error),
}

impl From<database::Error> for Recount {
    fn from(error: database::Error) -> Self {
        Self::Failed(error)
    }
}

/// Returns every finding; none if the store is consistent. Writes nothing.
pub async fn check(db: &Db) -> Result<Vec<Finding>, database::Error> {
    let mut findings = db.read(database::audit).await?;
    let mut after = 0;
    loop {
        let recount = db.write(move |tx| Err(Recount::Done(rollups::differences(tx, after)?)));
        match recount.await {
            Ok(()) | Err(Recount::Done(None)) => return Ok(findings),
            Err(Recount::Done(Some((seq, found)))) => {
                findings.extend(found.into_iter().map(|id| Finding { rule: ROLLUPS, id }));
                after = seq;
            }
            Err(Recount::Failed(error)) => return Err(error),
        }
    }
}
