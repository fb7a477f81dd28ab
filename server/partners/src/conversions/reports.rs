//! Reports from storefronts: order ids, which are queued in memory. The route does nothing but queue them, so that
//! neither its response nor its duration reveals anything about an order.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use super::follow::follow;
use crate::database::Db;
use crate::error::PartnerError;
use crate::ids::OrderId;

/// Limit: queued reports. Further ones are dropped, since the events of orders are followed in any
/// case.
const MAX_LEN: usize = 10_000;

/// The time between two runs over the queue.
const PAUSE: Duration = Duration::from_secs(1);

/// The queue of reports. Cheap to clone.
#[derive(Debug, Clone, Default)]
pub struct Reports(Arc<Mutex<BTreeSet<OrderId>>>);

impl Reports {
    fn waiting(&self) -> MutexGuard<'_, BTreeSet<OrderId>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn push(&self, id: OrderId) {
        let mut waiting = self.waiting();
        if waiting.len() < MAX_LEN {
            waiting.insert(id);
        }
    }

    /// Follows the reported orders until the database refuses.
    pub async fn drain(&self, db: &Db) {
        loop {
            let Some(id) = self.waiting().pop_first() else { return };
            let order = id.clone();
            let followed = db.write(move |tx| follow(tx, &id, ("report", tx.now().as_millis())));
            match followed.await {
                Ok(()) => {}
                Err(PartnerError::Db(error)) if error.is_temporary() => {
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

    /// Follows reported orders. Never returns.
    pub async fn keep_draining(self, db: Db) {
        loop {
            tokio::time::sleep(PAUSE).await;
            self.drain(&db).await;
        }
    }
}
