//! Checks a whole store: the audits, and the rollups against a recount.

use std::time::{Duration, Instant};

use crate::database::{self, Db, Finding, Tx};
use crate::metrics::rollups;

const ROLLUPS: &str = "the rollups of hours and days are those that a recount of the orders gives";

/// The time after which a transaction recounts no further rollup, since other writes wait for it.
const MAX_HOLD: Duration = Duration::from_millis(100);

/// How long to wait for a group of writes in which rollups can be compared.
const PAUSE: Duration = Duration::from_millis(10);

/// The recount of some rollups, as an error, so that nothing it folds is kept.
enum Recount {
    /// What differs, and the number of the last rollup; none if no rollup follows.
    Done(Vec<String>, Option<i64>),
    /// An earlier write of the group placed orders that are not folded yet.
    Early,
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
    let mut next = Some(0);
    while let Some(after) = next {
        match db.write(move |tx| Err::<(), _>(recount(tx, after)?)).await {
            Ok(()) => break,
            Err(Recount::Done(found, last)) => {
                findings.extend(found.into_iter().map(|id| Finding { rule: ROLLUPS, id }));
                next = last;
            }
            Err(Recount::Early) => tokio::time::sleep(PAUSE).await,
            Err(Recount::Failed(error)) => return Err(error),
        }
    }
    Ok(findings)
}

/// Recounts the rollups that follow the number `after`, at least one.
fn recount(tx: &Tx<'_>, mut after: i64) -> Result<Recount, database::Error> {
    if !rollups::are_comparable(tx)? {
        return Ok(Recount::Early);
    }
    let begun = Instant::now();
    let mut differences = Vec::new();
    while let Some((last, found)) = rollups::differences(tx, after)? {
        differences.extend(found);
        after = last;
        if begun.elapsed() > MAX_HOLD {
            return Ok(Recount::Done(differences, Some(after)));
        }
    }
    Ok(Recount::Done(differences, None))
}
