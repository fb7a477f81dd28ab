//! Follow-up work of a group of writes: folds rollups, and records the changes of sources for the caches.

use std::collections::BTreeSet;

use jiff::tz::TimeZone;

use super::queries::changes::{self as queries, Change, ChangedIds};
use super::queries::tables::forget_rollups;
use super::table::WITH_ORDERS;
use crate::clock::Timestamp;
use crate::database::{Earlier, Error, Folding, Tx};
use crate::ids;
use crate::registry::queries::stamp;
use crate::registry::schema::tables;
use crate::rollups;
use crate::routes::day;

pub(crate) const ROLLUP_MAINTENANCE: &dyn Folding = &RollupMaintenance;

/// Other sources that read orders.
const OVER_ORDERS: &[&str] = &["refunds", "fulfillments"];
/// The source whose rows have the date of the first order.
const CUSTOMERS: &str = "customers";

#[derive(Debug)]
struct RollupMaintenance;

impl Folding for RollupMaintenance {
    fn opened(&self, tx: &Tx<'_>) -> Result<(), Error> {
        if queries::touched(tx)?.is_empty() {
            return Ok(());
        }
        tracing::warn!("another program wrote orders; rollups will be rebuilt");
        forget_rollups(tx)?;
        queries::forget_touched(tx)
    }

    fn fold(&self, tx: &Tx<'_>, earlier: &Earlier<'_>) -> Result<(), Error> {
        let written = queries::take_written(tx)?;
        let touched = queries::touched(tx)?;
        if written.is_empty() && touched.is_empty() {
            return Ok(());
        }
        // Customers store the date of their first order only, which a later order does not change.
        let begin = queries::first_buyers(tx, &ids::list(&touched.added))?;
        queries::note(tx, &changes(tx, earlier, (&written, &touched, !begin.is_empty()))?)?;
        if touched.is_empty() {
            return Ok(());
        }
        queries::forget_touched(tx)?;
        rollups::fold(tx, earlier, (&touched, begin))
    }
}

/// Returns the changes of sources caused by the written tables and the touched orders; `begin` says whether there are
/// customers with a first order.
fn changes(
    tx: &Tx<'_>,
    earlier: &Earlier<'_>,
    (written, touched, begin): (&[String], &ChangedIds, bool),
) -> Result<BTreeSet<Change>, Error> {
    let whole = |source: &str| Change { source: source.to_owned(), is_added: false, days: None };
    let mut changes = BTreeSet::new();
    for table in written.iter().filter(|table| *table != "orders") {
        changes.extend(tables::sources_of(table).map(whole));
    }
    let ChangedIds { added, changed, restated, .. } = touched;
    let new = ids::list(added);
    if !added.is_empty() {
        // Rows of an order that was a draft before.
        changes.extend(queries::leading_to(tx, &new)?.iter().map(|source| whole(source)));
    }
    if begin || !changed.is_empty() {
        changes.insert(whole(CUSTOMERS));
    }
    if !changed.is_empty() {
        changes.extend(OVER_ORDERS.iter().map(|source| whole(source)));
    }
    let zone = TimeZone::get(&stamp::read(tx)?.zone).unwrap_or(TimeZone::UTC);
    let mut note = |is_added: bool, sources: &[&str], placed: Vec<Timestamp>| {
        let days: BTreeSet<(i64, i64)> = placed.iter().map(|at| days(*at, &zone)).collect();
        for source in sources {
            let own = |days| Change { source: (*source).to_owned(), is_added, days: Some(days) };
            changes.extend(days.iter().copied().map(own));
        }
    };
    if !added.is_empty() {
        note(true, WITH_ORDERS, queries::placed(tx, &new)?);
    }
    if !changed.is_empty() {
        let ids = ids::list(changed);
        note(false, WITH_ORDERS, queries::placed(tx, &ids)?);
        note(false, WITH_ORDERS, earlier.read(|tx| queries::placed(tx, &ids))?);
    }
    if !restated.is_empty() {
        note(false, &["orders"], queries::placed(tx, &ids::list(restated))?);
    }
    Ok(changes)
}

/// Returns the days of an instant in the store's zone and in UTC, the earlier first.
fn days(at: Timestamp, zone: &TimeZone) -> (i64, i64) {
    let number = |zone: TimeZone| day::number(at.to_jiff().to_zoned(zone).date());
    let (own, utc) = (number(zone.clone()), number(TimeZone::UTC));
    (own.min(utc), own.max(utc))
}
