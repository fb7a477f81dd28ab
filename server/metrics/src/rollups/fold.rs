//! Folds writes into rollups: the old state of touched orders is subtracted and the new one added.

use std::collections::BTreeSet;

use quotient::sql::SqlValue;

use super::apply::{AT_ONCE, FoldScope, codes, fold_rows, is_live, of_customers, plan_of, rows};
use super::error::RollupError;
use super::key_numbers::CUSTOMERS;
use super::pending;
use super::queries::changes::{ChangedIds, FirstBuyers};
use super::queries::pending::{PendingIds, forget_customers, pending_ids};
use super::queries::source_rows::{Extent, SourceRows};
use super::queries::tables as queries;
use crate::database::{Earlier, Error, Tx};
use crate::ids::list;
use crate::registry::queries::stamp;

/// Limit: new orders folded into a new table at once; more are left to the build.
const COUNTED_AT_ONCE: usize = 5_000;
/// The field of customers that their first order sets.
const FIRST_ORDER: &str = "first_order_at";

/// Folds the touched orders and customers. If that fails, the writes are kept, and all buckets are dropped and rebuilt.
pub fn fold(
    tx: &Tx<'_>,
    earlier: &Earlier<'_>,
    (touched, first): (&ChangedIds, FirstBuyers),
) -> Result<(), Error> {
    let ChangedIds { added, changed, customers, .. } = touched;
    if [added, changed, customers].iter().all(|ids| ids.is_empty()) {
        return Ok(());
    }
    if let Err(error) = folded(tx, earlier, touched, first) {
        tracing::error!(%error, "rollups could not be updated and will be rebuilt");
        if tx.is_autocommit() {
            // The rest of the group was rolled back too.
            return Err(error.into());
        }
        queries::forget_rollups(tx)?;
    }
    Ok(())
}

fn folded(
    tx: &Tx<'_>,
    earlier: &Earlier<'_>,
    touched: &ChangedIds,
    first: FirstBuyers,
) -> Result<(), RollupError> {
    let zone = stamp::read(tx)?.zone;
    let customers = touched.customers.iter().cloned();
    let mut customers: BTreeSet<String> = customers.chain(first.earlier).collect();
    // A changed order existed before, even if it was removed and added again.
    let changed: BTreeSet<&String> = touched.changed.iter().collect();
    let is_new = |order: &&String| !changed.contains(order);
    let new: Vec<&String> = touched.added.iter().filter(is_new).collect();
    // New orders always become pending.
    let pending = if changed.is_empty() && customers.is_empty() {
        PendingIds::default()
    } else {
        pending_ids(tx)?
    };
    let mut currencies: BTreeSet<String> = BTreeSet::new();
    for orders in new.chunks(AT_ONCE) {
        currencies.extend(queries::currencies_and_customers(tx, &list(orders))?.0);
    }
    let mut extents = Vec::new();
    for orders in Vec::from_iter(changed).chunks(AT_ONCE) {
        let ids = list(orders);
        let (now, own) = queries::currencies_and_customers(tx, &ids)?;
        let (before, were) = earlier.read(|tx| queries::currencies_and_customers(tx, &ids))?;
        currencies.extend(now.into_iter().chain(before));
        let own: BTreeSet<String> = own.into_iter().chain(were).collect();
        // Pending orders are not in buckets yet.
        let is_folded = |order: &&String| pending.orders.binary_search(order).is_err();
        let orders: Vec<&String> = orders.iter().copied().filter(is_folded).collect();
        let customers_of = list(&own);
        extents.push(Extent::Of { orders: list(&orders), customers: customers_of });
        customers.extend(own);
    }
    for code in &currencies {
        if !queries::has_tables(tx, &code.to_ascii_uppercase())? {
            // Many orders at once are built later, in batches.
            let is_counted = new.len() <= COUNTED_AT_ONCE;
            begin((tx, earlier), (code, &zone), is_counted)?;
        }
    }
    if !extents.is_empty() || !customers.is_empty() {
        let is_pending = |id: &&String| pending.customers.binary_search(id).is_ok();
        let (pending_customers, own): (Vec<&String>, Vec<&String>) =
            customers.iter().partition(is_pending);
        change((tx, earlier), &zone, (extents, own, &pending_customers))?;
        if !pending_customers.is_empty() {
            forget_customers(tx, &list(&pending_customers))?;
        }
    }
    if new.is_empty() {
        return Ok(());
    }
    let begin: Vec<String> = first.new.into_iter().filter(|id| !customers.contains(id)).collect();
    pending::add(tx, (&new, &begin))
}

/// Folds changed orders and customers, including customers whose first order is pending: buckets contain them without
/// an order.
fn change(
    (tx, earlier): (&Tx<'_>, &Earlier<'_>),
    zone: &str,
    (orders, customers, pending_customers): (Vec<Extent>, Vec<&String>, &[&String]),
) -> Result<(), RollupError> {
    let mut all: Vec<(FoldScope, bool, Extent)> = Vec::new();
    all.extend(orders.into_iter().map(|extent| (FoldScope::Orders, false, extent)));
    for (is_pending, customers) in [(false, &*customers), (true, pending_customers)] {
        let of = customers.chunks(AT_ONCE).map(of_customers);
        all.extend(of.map(|extent| (FoldScope::Customers, is_pending, extent)));
    }
    let mut stored = queries::tables(tx)?;
    for code in codes(&stored) {
        let Some(plan) = plan_of(&code, zone).filter(|plan| is_live(plan, &stored)) else {
            continue;
        };
        for (scope, is_pending, extent) in &all {
            let read = |tx: &Tx<'_>| {
                let rows = rows(tx, (&plan, &[*scope]), extent)?;
                Ok((rows, queries::customer_numbers(tx, extent.customers())?))
            };
            let mut before = earlier.read(read)?;
            if *is_pending {
                without_orders(&mut before.0);
            }
            let after = read(tx)?;
            // They are equal for a customer with a further order: only the date of the first order is stored.
            if before != after {
                let both = (Some((&*before.0, &*before.1)), (&*after.0, &*after.1));
                fold_rows(tx, (&plan, *scope), both, &mut stored)?;
            }
        }
    }
    Ok(())
}

/// Resets the rows of customers to the state before their first order.
fn without_orders(rows: &mut [SourceRows<'_>]) {
    for (_, fields, rows) in rows.iter_mut().filter(|(source, ..)| *source == CUSTOMERS) {
        let Some(at) = fields.iter().position(|field| *field == FIRST_ORDER) else { continue };
        for partial in rows.iter_mut().filter_map(|row| row.get_mut(at)) {
            *partial = SqlValue::Null;
        }
    }
}

/// Starts the tables of a currency. Those without earlier rows are complete at once; others are built later.
fn begin(
    (tx, earlier): (&Tx<'_>, &Earlier<'_>),
    (code, zone): (&str, &str),
    is_counted: bool,
) -> Result<(), RollupError> {
    let Some(plan) = plan_of(code, zone) else { return Ok(()) };
    let (has_orders, has_customers) = earlier.read(queries::has_orders_and_customers)?;
    for table in plan.tables().map(|planned| planned.table) {
        let of_customers = table.first().is_some_and(|first| first.source == "customers");
        let has_rows = if of_customers { has_customers } else { has_orders };
        let is_complete = is_counted && !has_rows;
        queries::begin_table(tx, &table.name, &table.layout, is_complete)?;
    }
    Ok(())
}
