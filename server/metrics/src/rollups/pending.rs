//! Orders that were added and wait to be put into cells, and customers whose first ones they are: many together cost
//! little more than one. Who reads states counts those that wait from their rows.
//!
//! Invariant: what an order adds is in cells, or it waits; never both; and so with what customers add when they begin to
//! order. The list is written in the transaction of the order. A customer waits no more once anything else is folded of
//! them.

use std::collections::BTreeSet;
use std::sync::Arc;

use quotient::rollup::{Rollup, RollupDefinition, Rollups};
use quotient::sql::SqlValue;

use super::fold::{self, Whose, list};
use super::key_numbers::{CUSTOMERS, Naming, Numbers};
use super::loaded::Slots;
use super::prefix_sums::PrefixReader;
use super::queries::changes;
use super::queries::pending::{List, buyers, forget_waiting, wait, waiting, waiting_orders};
use super::queries::source_rows::{Extent, SourceRows};
use super::queries::tables as queries;
use super::retention::Keeping;
use super::rows::{self, Rows, StateError};
use crate::database::{Db, Error, Tx};
use crate::registry::queries::stamp;

/// Limit: orders that wait, so that counting them is soon done.
const WAITING_MAX: i64 = 128;
/// As many orders as whoever has counted them has put in, so that the next one need not.
pub(super) const CROWD: usize = 8;

/// Has new orders wait, and customers whose first ones they are. Once too many wait, all go into cells.
pub(super) fn add(tx: &Tx<'_>, (new, begin): (&[&String], &[String])) -> Result<(), StateError> {
    wait(tx, &list(new), &list(begin))?;
    if waiting_orders(tx)? <= WAITING_MAX {
        return Ok(());
    }
    put_in(tx, &waiting(tx)?)
}

/// Puts what waits into cells; not in a group whose earlier writes touched orders, for what these were before
/// is looked up when the group ends.
pub(super) fn settle(tx: &Tx<'_>) -> Result<(), StateError> {
    let known = waiting(tx)?;
    if known.is_empty() || !changes::touched(tx)?.is_empty() {
        return Ok(());
    }
    put_in(tx, &known)
}

/// The same where anything waits, in a transaction of its own.
pub(super) async fn settle_all(db: &Db) -> Result<(), Error> {
    if db.read(|tx| Ok::<_, Error>(waiting(tx)?.is_empty())).await? {
        return Ok(());
    }
    db.write(|tx| Ok::<_, Error>(settle(tx)?)).await
}

fn put_in(tx: &Tx<'_>, known: &List) -> Result<(), StateError> {
    let zone = stamp::read(tx)?.zone;
    let mut kept = queries::sheets(tx)?;
    let stretches = stretches(tx, known)?;
    for code in fold::codes(&kept) {
        let Some(keeping) = fold::keeping_of(&code, &zone) else { continue };
        if !fold::is_live(&keeping, &kept) {
            continue;
        }
        for stretch in &stretches {
            for (whose, rows) in stretch.rows(tx, &keeping)? {
                let seen = (&*rows, &*stretch.numbers);
                fold::put_rows(tx, (&keeping, whose), (None, seen), &mut kept)?;
            }
        }
    }
    Ok(forget_waiting(tx)?)
}

/// Orders that wait, who placed them with their numbers, and which of these began to order.
struct Stretch {
    extent: Extent,
    numbers: Vec<(String, i64)>,
    beginners: BTreeSet<String>,
}

fn stretches(tx: &Tx<'_>, known: &List) -> Result<Vec<Stretch>, StateError> {
    let mut stretches = Vec::new();
    let mut left: BTreeSet<String> = known.customers.iter().cloned().collect();
    for orders in known.orders.chunks(fold::AT_ONCE) {
        let orders = list(orders);
        let numbers = buyers(tx, &orders)?;
        let ids: Vec<&String> = numbers.iter().map(|(id, _)| id).collect();
        let extent = Extent::Of { orders, customers: list(&ids) };
        let beginners = ids.into_iter().filter(|id| left.remove(id.as_str())).cloned().collect();
        stretches.push(Stretch { extent, numbers, beginners });
    }
    Ok(stretches)
}

impl Stretch {
    /// The rows of the orders, and those of who began.
    fn rows<'k>(
        &self,
        tx: &Tx<'_>,
        keeping: &'k Keeping,
    ) -> Result<[(Whose, Vec<SourceRows<'k>>); 2], StateError> {
        let all = fold::rows(tx, (keeping, &[Whose::Orders, Whose::Beginners]), &self.extent)?;
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
        Ok([(Whose::Orders, all), (Whose::Beginners, began)])
    }
}

/// What waits in a snapshot, as states.
#[derive(Debug, Default)]
pub(super) struct Waiting {
    pub(super) ids: List,
    /// In which currency and zone it was looked at, if there is anything.
    keeping: Option<Arc<Keeping>>,
    /// What it comes to, of each part.
    cells: Vec<Rollups>,
}

impl Waiting {
    /// What waits in one currency; counted once for all who read the same state of the rows.
    pub(super) fn read(
        tx: &Tx<'_>,
        keeping: &Arc<Keeping>,
        kept: Option<PrefixReader<'_>>,
    ) -> Result<Arc<Self>, StateError> {
        let ids = waiting(tx)?;
        if ids.is_empty() {
            return Ok(Arc::default());
        }
        if let Some(known) = kept.and_then(|kept| kept.waiting(keeping, &ids)) {
            return Ok(known);
        }
        let found = Arc::new(Self::counted(tx, keeping, ids)?);
        if let Some(kept) = kept {
            kept.keep_waiting(&found);
        }
        Ok(found)
    }

    fn counted(tx: &Tx<'_>, keeping: &Arc<Keeping>, ids: List) -> Result<Self, StateError> {
        let mut cells = Vec::new();
        for stretch in stretches(tx, &ids)? {
            let numbers = Numbers::new(tx, Naming::Known(&ids.orders));
            let mut numbers = numbers.with(&stretch.numbers);
            for (whose, read) in stretch.rows(tx, keeping)? {
                let read = Rows::of(keeping, &read)?;
                for part in &keeping.parts {
                    cells.push(rows::cells(keeping, (whose.of(part), &read), &mut numbers)?);
                }
            }
        }
        Ok(Self { ids, keeping: Some(Arc::clone(keeping)), cells })
    }

    /// Whether this is what waits, in this currency and zone.
    pub(super) fn is_of(&self, keeping: &Arc<Keeping>, ids: &List) -> bool {
        self.ids == *ids && self.keeping.as_ref().is_some_and(|own| Arc::ptr_eq(own, keeping))
    }

    /// Whether any of it has a cell of a definition in some slots.
    pub(super) fn is_in(&self, definition: &RollupDefinition, (from, to): Slots) -> bool {
        let mut cells = self.grid(definition).into_iter().flat_map(Rollup::partials);
        cells.any(|(slot, ..)| (from..to).contains(&slot))
    }

    /// What it comes to of one definition.
    pub(super) fn grid(&self, definition: &RollupDefinition) -> Option<&Rollup> {
        self.cells.iter().find_map(|cells| cells.rollup(definition))
    }
}
