//! Pending deltas: new orders not yet folded into buckets, and customers whose first orders they are. Folding many at
//! once costs little more than folding one. Readers add the deltas from their rows.
//!
//! Invariant: what an order adds is either in buckets or pending; the same holds for what a customer adds by the first
//! order. The pending list is written in the transaction of the order. A customer is no longer pending once any other
//! change of that customer is folded.

use std::collections::BTreeSet;
use std::sync::Arc;

use quotient::rollup::{Rollup, RollupDefinition, Rollups};
use quotient::sql::SqlValue;

use super::apply::{self, FoldScope, SourceData};
use super::error::RollupError;
use super::key_numbers::{CUSTOMERS, KeyAssignment, StoredKeyNumbers};
use super::plan::RollupPlan;
use super::queries::changes;
use super::queries::pending::{
    PendingIds, add_pending, buyers, forget_pending, pending_ids, pending_order_count,
};
use super::queries::source_rows::{Extent, SourceRows};
use super::queries::tables as queries;
use super::table::BucketRange;
use crate::database::{Db, Error, Tx};
use crate::ids::list;
use crate::registry::queries::stamp;

/// Limit: pending orders; readers fold all of them.
const PENDING_MAX: i64 = 128;
/// The number of pending orders from which a reader requests a flush.
pub(super) const FLUSH_THRESHOLD: usize = 8;

/// Adds new orders and the customers whose first ones they are; flushes if there are too many.
pub(super) fn add(tx: &Tx<'_>, (new, begin): (&[&String], &[String])) -> Result<(), RollupError> {
    add_pending(tx, &list(new), &list(begin))?;
    if pending_order_count(tx)? <= PENDING_MAX {
        return Ok(());
    }
    flush_ids(tx, &pending_ids(tx)?)
}

/// Folds pending deltas into buckets, except in a group whose earlier writes touched orders, since the earlier state of
/// these is looked up at the end of the group.
pub(super) fn flush(tx: &Tx<'_>) -> Result<(), RollupError> {
    let pending = pending_ids(tx)?;
    if pending.is_empty() || !changes::touched(tx)?.is_empty() {
        return Ok(());
    }
    flush_ids(tx, &pending)
}

/// Flushes in a separate transaction, if anything is pending.
pub(super) async fn flush_all(db: &Db) -> Result<(), Error> {
    if db.read(|tx| Ok::<_, Error>(pending_ids(tx)?.is_empty())).await? {
        return Ok(());
    }
    db.write(|tx| Ok::<_, Error>(flush(tx)?)).await
}

fn flush_ids(tx: &Tx<'_>, pending: &PendingIds) -> Result<(), RollupError> {
    let zone = stamp::read(tx)?.zone;
    let mut stored = queries::tables(tx)?;
    let batches = batches(tx, pending)?;
    for code in apply::codes(&stored) {
        let Some(plan) = apply::plan_of(&code, &zone) else { continue };
        if !apply::is_live(&plan, &stored) {
            continue;
        }
        for batch in &batches {
            for (scope, rows) in batch.rows(tx, &plan)? {
                let numbered = (&*rows, &*batch.numbers);
                apply::fold_rows(tx, (&plan, scope), (None, numbered), &mut stored)?;
            }
        }
    }
    Ok(forget_pending(tx)?)
}

/// Pending orders, their customers with key numbers, and those of them whose first order is among these.
struct PendingBatch {
    extent: Extent,
    numbers: Vec<(String, i64)>,
    beginners: BTreeSet<String>,
}

fn batches(tx: &Tx<'_>, pending: &PendingIds) -> Result<Vec<PendingBatch>, RollupError> {
    let mut batches = Vec::new();
    let mut unassigned: BTreeSet<String> = pending.customers.iter().cloned().collect();
    for orders in pending.orders.chunks(apply::AT_ONCE) {
        let orders = list(orders);
        let numbers = buyers(tx, &orders)?;
        let ids: Vec<&String> = numbers.iter().map(|(id, _)| id).collect();
        let extent = Extent::Of { orders, customers: list(&ids) };
        let beginners =
            ids.into_iter().filter(|id| unassigned.remove(id.as_str())).cloned().collect();
        batches.push(PendingBatch { extent, numbers, beginners });
    }
    Ok(batches)
}

impl PendingBatch {
    /// Reads the rows of the orders, and of the customers whose first orders they are.
    fn rows<'k>(
        &self,
        tx: &Tx<'_>,
        plan: &'k RollupPlan,
    ) -> Result<[(FoldScope, Vec<SourceRows<'k>>); 2], RollupError> {
        let all =
            apply::rows(tx, (plan, &[FoldScope::Orders, FoldScope::Beginners]), &self.extent)?;
        let has_begun = |fields: &[&str], row: &[SqlValue]| {
            let at = fields.iter().position(|field| *field == "id");
            matches!(at.and_then(|at| row.get(at)), Some(SqlValue::Text(id)) if self.beginners.contains(id))
        };
        let own = |(source, fields, rows): &SourceRows<'k>| {
            let mut own = Vec::new();
            if *source == CUSTOMERS {
                own.extend(rows.iter().filter(|row| has_begun(fields, row)).cloned());
            }
            (*source, fields.clone(), own)
        };
        let began = all.iter().map(own).collect();
        Ok([(FoldScope::Orders, all), (FoldScope::Beginners, began)])
    }
}

/// The pending deltas of a snapshot, folded.
#[derive(Debug, Default)]
pub(super) struct PendingDeltas {
    pub(super) ids: PendingIds,
    /// The plan they were folded for; none if nothing is pending.
    plan: Option<Arc<RollupPlan>>,
    rollups: Vec<Rollups>,
}

impl PendingDeltas {
    /// Folds the pending deltas in one currency.
    pub(super) fn counted(
        tx: &Tx<'_>,
        plan: &Arc<RollupPlan>,
        ids: PendingIds,
    ) -> Result<Self, RollupError> {
        let mut rollups = Vec::new();
        for batch in batches(tx, &ids)? {
            let numbers = StoredKeyNumbers::new(tx, KeyAssignment::Known(&ids.orders));
            let mut numbers = numbers.with(&batch.numbers);
            for (scope, read) in batch.rows(tx, plan)? {
                let read = SourceData::of(plan, &read)?;
                for part in &plan.parts {
                    rollups.push(apply::fold(plan, (scope.of(part), &read), &mut numbers)?);
                }
            }
        }
        Ok(Self { ids, plan: Some(Arc::clone(plan)), rollups })
    }

    pub(super) fn is_of(&self, plan: &Arc<RollupPlan>, ids: &PendingIds) -> bool {
        self.ids == *ids && self.plan.as_ref().is_some_and(|own| Arc::ptr_eq(own, plan))
    }

    /// Returns whether there are deltas in these buckets.
    pub(super) fn is_in(&self, definition: &RollupDefinition, (from, to): BucketRange) -> bool {
        let mut rollups = self.grid(definition).into_iter().flat_map(Rollup::partials);
        rollups.any(|(bucket, ..)| (from..to).contains(&bucket))
    }

    pub(super) fn grid(&self, definition: &RollupDefinition) -> Option<&Rollup> {
        self.rollups.iter().find_map(|rollups| rollups.rollup(definition))
    }
}
