//! What storefronts report: ids of orders, which wait in memory until they are looked at. The route that takes them does
//! nothing else, so that neither its answer nor its duration says anything about an order.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use super::follow::follow;
use crate::database::Db;
use crate::error::PartnerError;
use crate::ids::OrderId;

/// Limit: reports that wait. More are dropped: the events of the orders are followed in any case.
const MAX_LEN: usize = 10_000;

/// The time between two looks at what waits.
const PAUSE: Duration = Duration::from_secs(1);

/// The reports that wait. Cheap to clone.
#[derive(Debug, Clone, Default)]
pub struct Reports(Arc<Mutex<BTreeSet<OrderId>>>);

impl Reports {
    fn waiting(&self) -> MutexGuard<'_, BTreeSet<OrderId>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Keeps a report.
    pub(super) fn push(&self, id: OrderId) {
        let mut waiting = self.waiting();
        if waiting.len() < MAX_LEN {
            waiting.insert(id);
        }
    }

    /// Follows the orders that were reported.
    pub async fn drain(&self, db: &Db) {
        loop {
            let Some(id) = self.waiting().pop_first() else { return };
            let order = id.clone();
            let followed = db.write(move |tx| follow(tx, &id, ("report", tx.now().as_millis())));
            match followed.await {
                Ok(()) => {}
                Err(PartnerError::Db(error)) => {
                    tracing::warn!(%error, "reports of conversions still wait in memory");
                    self.push(order);
                    return;
                }
                Err(error) => {
                    tracing::error!(%error, %order, "an order's commission could not be computed");
                }
            }
        }
    }

    /// Follows what is reported. Never ends.
    pub async fn keep_draining(self, db: Db) {
        loop {
            tokio::time::sleep(PAUSE).await;
            self.drain(&db).await;
        }
    }
}
