//! Orders that were added and wait to be put into cells: many together cost little more than one. Who reads states counts
//! those that wait from their rows.
//!
//! Invariant: what an order adds is in cells, or it waits; never both. The list is written in the transaction of the order.

use std::sync::Arc;

use quotient::states::{Cells, Grid, StateDefinition};

use super::fold::{self, Whose, list};
use super::keeping::Keeping;
use super::loaded::Slots;
use super::numbers::{Naming, Numbers};
use super::prefixes::PrefixReader;
use super::rows::{self, Rows, StateError};
use crate::database::{Db, Error, Tx};
use crate::metrics::queries::state_rows::Extent;
use crate::metrics::queries::states as queries;
use crate::metrics::queries::waiting::{buyers, forget_waiting, wait, waiting};
use crate::metrics::queries::{changes, stamp};

/// Limit: orders that wait, so that counting them is soon done.
const WAITING_MAX: usize = 128;

/// Has new orders wait. Those that are too many go into cells, with all that wait.
pub(super) fn add(tx: &Tx<'_>, new: &[&String], mut known: Vec<String>) -> Result<(), StateError> {
    if known.len().saturating_add(new.len()) <= WAITING_MAX {
        return Ok(wait(tx, &list(new))?);
    }
    known.extend(new.iter().copied().cloned());
    known.sort_unstable();
    known.dedup();
    put_in(tx, &known)
}

/// Puts the orders that wait into cells; not in a group whose earlier writes touched orders, for what these were before
/// is looked up when the group ends.
pub(super) fn settle(tx: &Tx<'_>) -> Result<(), StateError> {
    let known = waiting(tx)?;
    if known.is_empty() || !changes::touched(tx)?.is_empty() {
        return Ok(());
    }
    put_in(tx, &known)
}

/// The same where any wait, in a transaction of its own.
pub(super) async fn settle_all(db: &Db) -> Result<(), Error> {
    if db.read(|tx| Ok::<_, Error>(waiting(tx)?.is_empty())).await? {
        return Ok(());
    }
    db.write(|tx| Ok::<_, Error>(settle(tx)?)).await
}

fn put_in(tx: &Tx<'_>, orders: &[String]) -> Result<(), StateError> {
    let zone = stamp::read(tx)?.zone;
    let mut kept = queries::sheets(tx)?;
    for code in fold::codes(&kept) {
        let Some(keeping) = fold::keeping_of(&code, &zone) else { continue };
        if !fold::is_live(&keeping, &kept) {
            continue;
        }
        for orders in orders.chunks(fold::AT_ONCE) {
            let (extent, buyers) = extent(tx, orders)?;
            let rows = fold::rows(tx, (&keeping, Whose::Orders), &extent)?;
            let numbers = Numbers::new(tx, Naming::Anew).with(buyers);
            let of = (&*keeping, Whose::Orders);
            fold::put_rows((tx, numbers), of, (None, &rows), &mut kept)?;
        }
    }
    Ok(forget_waiting(tx)?)
}

/// Some orders with those who placed them, and these with their numbers.
fn extent(tx: &Tx<'_>, orders: &[String]) -> Result<(Extent, Vec<(String, i64)>), StateError> {
    let orders = list(orders);
    let buyers = buyers(tx, &orders)?;
    let ids: Vec<&String> = buyers.iter().map(|(id, _)| id).collect();
    Ok((Extent::Of { orders, customers: list(&ids) }, buyers))
}

/// The orders that wait in a snapshot, as states.
#[derive(Debug, Default)]
pub(super) struct Waiting {
    /// In order.
    pub(super) ids: Vec<String>,
    /// In which currency and zone they were looked at, if there are any.
    keeping: Option<Arc<Keeping>>,
    /// Of each part what they come to.
    cells: Vec<Cells>,
}

impl Waiting {
    /// Those of the orders in one currency; counted once for all who read the same state of the rows.
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

    fn counted(tx: &Tx<'_>, keeping: &Arc<Keeping>, ids: Vec<String>) -> Result<Self, StateError> {
        let (extent, buyers) = extent(tx, &ids)?;
        let read = fold::rows(tx, (keeping, Whose::Orders), &extent)?;
        let read = Rows::of(keeping, &read)?;
        let mut numbers = Numbers::new(tx, Naming::Known(&ids)).with(buyers);
        let mut cells = |definitions| rows::cells(keeping, (definitions, &read), &mut numbers);
        let cells = keeping.parts.iter().map(|part| cells(&part.of_orders));
        let cells = cells.collect::<Result<_, _>>()?;
        Ok(Self { ids, keeping: Some(Arc::clone(keeping)), cells })
    }

    /// Whether these are the orders, in this currency and zone.
    pub(super) fn is_of(&self, keeping: &Arc<Keeping>, ids: &[String]) -> bool {
        self.ids == ids && self.keeping.as_ref().is_some_and(|own| Arc::ptr_eq(own, keeping))
    }

    /// Whether any of them has a cell of a definition in some slots.
    pub(super) fn is_in(&self, definition: &StateDefinition, (from, to): Slots) -> bool {
        let mut cells = self.grid(definition).into_iter().flat_map(Grid::cells);
        cells.any(|(slot, ..)| (from..to).contains(&slot))
    }

    /// What they come to of one definition.
    pub(super) fn grid(&self, definition: &StateDefinition) -> Option<&Grid> {
        self.cells.iter().find_map(|cells| cells.grid(definition))
    }
}
